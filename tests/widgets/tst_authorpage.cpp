// The Author page by typing and clicking: intents go out, facts come in, nothing typed is lost.
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/canvas/denoisetimeline.h"
#include "widgets/canvas/timelinepanel.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/kernelpanel.h"
#include "widgets/pages/outcomecard.h"
#include "widgets/pages/outcomepanel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace dice;
using namespace dice::widgets;

class AuthorPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void generateCarriesTheForm();
    void generateNeedsAModule();
    void verifyByHand();
    void everyAttemptKeepsItsText();
    void stepsOfAnIdlePageAreDropped();
    void stoppedGenerationKeepsWhatIsThere();
    void failureKeepsEverything();
    void wrongLineIsMarkedUntilEdited();
    void messageLeadsToItsLine();
    void scrubbingShowsTheCanvas();
    void stagesShowOnTheCards();
    void verdictWords_data();
    void verdictWords();
    void cardsOpenByKeyboard();
    void panesByKeyboard();

private:
    template <typename T> T *child(const char *name) { return m_page->findChild<T *>(QString::fromLatin1(name)); }
    void writeKernel(const QString &kernel);
    void judge(const Verdict &verdict);
    CardContent card(CardKind kind) { return m_page->outcomePanel()->card(kind)->content(); }

    std::unique_ptr<AuthorPage> m_page;
};

void AuthorPageTest::init()
{
    test::failOnWarning();
    m_page = std::make_unique<AuthorPage>();
    m_page->setTheme(lightTheme());
    m_page->setExamples({{"Softmax", "softmax.py", test::moduleText()}});
    m_page->resize(1500, 900);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
}

void AuthorPageTest::writeKernel(const QString &kernel)
{
    m_page->showPreparing();
    m_page->showAttempt(m_page->form()->options());
    for (const CanvasStep &step : test::stepsFor(kernel))
        m_page->appendStep(step);
    m_page->showGenerated(test::resultFor(kernel), kernel);
    m_page->showFinished();
}

void AuthorPageTest::judge(const Verdict &verdict)
{
    QTest::mouseClick(child<QPushButton>("verify"), Qt::LeftButton);
    m_page->showVerifying();
    m_page->showVerdict(verdict);
    m_page->showFinished();
}

void AuthorPageTest::generateCarriesTheForm()
{
    m_page->form()->setModels({{"/m/nano", "dice-nano", {}}, {"/m/big", "big", {}}});
    m_page->form()->setDevices({{"cpu", "CPU", {}}});
    m_page->pickExample(0);
    QTest::keyClicks(child<QComboBox>("model"), "b");
    child<QLineEdit>("seed")->clear();
    QTest::keyClicks(child<QLineEdit>("seed"), "42x"); // a seed is digits
    QSignalSpy intents(m_page.get(), &AuthorPage::generateRequested);
    QTest::mouseClick(child<QPushButton>("generate"), Qt::LeftButton);
    QCOMPARE(intents.count(), 1);
    const auto intent = intents.front().front().value<GenerateIntent>();
    QCOMPARE(intent.moduleText, test::moduleText());
    QCOMPARE(intent.moduleName, QString("softmax.py"));
    QCOMPARE(intent.model, QString("/m/big"));
    QCOMPARE(intent.device, QString("cpu"));
    QCOMPARE(intent.decoding.seed, std::uint64_t(42));
    QCOMPARE(intent.decoding.strategy, Remasking::LowConfidenceDynamic);
}

void AuthorPageTest::generateNeedsAModule()
{
    QSignalSpy intents(m_page.get(), &AuthorPage::generateRequested);
    m_page->generate();
    QCOMPARE(intents.count(), 0);
    QTest::keyClicks(m_page->modulePanel()->editor()->focusProxy(), "x");
    m_page->generate();
    QCOMPARE(intents.count(), 1);
    m_page->showPreparing();
    m_page->generate(); // one job at a time
    QCOMPARE(intents.count(), 1);
}

void AuthorPageTest::verifyByHand()
{
    m_page->pickExample(0);
    QTest::mouseClick(child<QPushButton>("emptyByHand"), Qt::LeftButton);
    QTest::keyClicks(m_page->kernelPanel()->editor()->focusProxy(), "class ModelNew: pass");
    QCOMPARE(m_page->attempts()->rowCount(), 1);
    QVERIFY(m_page->attempts()->latest()->isByHand);
    QSignalSpy intents(m_page.get(), &AuthorPage::verifyRequested);
    QTest::mouseClick(child<QPushButton>("verify"), Qt::LeftButton);
    QCOMPARE(intents.count(), 1);
    QCOMPARE(intents.front().front().value<VerifyIntent>().kernelText, QString("class ModelNew: pass"));
    m_page->showVerifying();
    m_page->showVerdict(test::correctVerdict());
    m_page->showFinished();
    QCOMPARE(m_page->attempts()->latest()->state, AttemptState::Judged);
    QTest::keyClicks(m_page->kernelPanel()->editor()->focusProxy(), "#");
    QVERIFY(m_page->attempts()->latest()->isEditedSinceVerdict());
    QVERIFY(child<QLabel>("kernelState")->text().contains("edited"));
}

void AuthorPageTest::everyAttemptKeepsItsText()
{
    m_page->pickExample(0);
    writeKernel("first = 1\n");
    m_page->kernelPanel()->editor()->setText("first = 1 # edited\n");
    judge(test::incorrectVerdict());
    writeKernel("second = 2\n");
    QCOMPARE(m_page->kernelText(), QString("second = 2\n"));
    auto *list = child<QListView>("attempts");
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down); // the list shows the newest first
    QCOMPARE(m_page->currentAttempt(), 1);
    QCOMPARE(m_page->kernelText(), QString("first = 1 # edited\n"));
    QCOMPARE(card(CardKind::Correct).tone, CardTone::Bad);
    QTest::keyClick(list, Qt::Key_Up);
    QCOMPARE(m_page->kernelText(), QString("second = 2\n"));
    QCOMPARE(card(CardKind::Correct).tone, CardTone::Quiet);
}

void AuthorPageTest::stepsOfAnIdlePageAreDropped()
{
    m_page->appendStep(test::stepsFor("late\n").front());
    m_page->showStage("trials", test::correctVerdict());
    QCOMPARE(m_page->kernelPanel()->timelinePanel()->timeline()->numSteps(), 0);
    QCOMPARE(card(CardKind::Correct).tone, CardTone::Quiet);
}

void AuthorPageTest::stoppedGenerationKeepsWhatIsThere()
{
    m_page->pickExample(0);
    m_page->showPreparing();
    m_page->showAttempt(DecodingOptions());
    m_page->appendStep(test::stepsFor("half = 1\nrest = 2\n").front());
    QSignalSpy stops(m_page.get(), &AuthorPage::stopRequested);
    m_page->stop();
    m_page->stop(); // twice is once
    QCOMPARE(stops.count(), 1);
    GenerateResult result = test::resultFor("half");
    result.stopReason = StopReason::Stopped;
    m_page->showGenerated(result, "half");
    m_page->showFinished();
    QCOMPARE(m_page->phase(), AuthorPhase::Idle);
    QCOMPARE(m_page->kernelText(), QString("half"));
    QCOMPARE(m_page->attempts()->latest()->state, AttemptState::Stopped);
    QVERIFY(child<QPushButton>("generate")->isEnabled());
}

void AuthorPageTest::failureKeepsEverything()
{
    m_page->pickExample(0);
    writeKernel("kept = 1\n");
    m_page->showPreparing();
    m_page->showAttempt(DecodingOptions());
    m_page->appendStep(test::stepsFor("lost\n").front());
    m_page->showFailure({"The engine ended.", "Killed by signal 9.", "Start it again.", FailureAction::RestartEngine});
    QVERIFY(child<QWidget>("failureBanner")->isVisible());
    QCOMPARE(child<QLabel>("failureSentence")->text(), QString("The engine ended."));
    QCOMPARE(m_page->attempts()->latest()->state, AttemptState::Failed);
    QCOMPARE(m_page->attempts()->attempt(1)->kernelText, QString("kept = 1\n"));
    QSignalSpy actions(m_page.get(), &AuthorPage::failureActionRequested);
    QTest::mouseClick(child<QPushButton>("failureAction"), Qt::LeftButton);
    QCOMPARE(actions.count(), 1);
    QCOMPARE(actions.front().front().value<FailureAction>(), FailureAction::RestartEngine);
    QVERIFY(!child<QWidget>("failureBanner")->isVisible());
}

void AuthorPageTest::wrongLineIsMarkedUntilEdited()
{
    m_page->pickExample(0);
    writeKernel(test::kernelText());
    judge(test::compileErrorVerdict());
    CodeEditor *editor = m_page->kernelPanel()->editor();
    QCOMPARE(editor->marks().size(), std::size_t(2));
    QCOMPARE(editor->marks().front().line, 19);
    QTest::keyClicks(editor->focusProxy(), "#");
    QVERIFY(editor->marks().empty());
}

void AuthorPageTest::messageLeadsToItsLine()
{
    m_page->pickExample(0);
    writeKernel(test::kernelText());
    judge(test::compileErrorVerdict());
    m_page->outcomePanel()->card(CardKind::Build)->setOpen(true);
    auto *messages = child<QTableView>("messages");
    QVERIFY(messages->isVisible());
    QTest::mouseClick(messages->viewport(), Qt::LeftButton, {},
                      messages->visualRect(messages->model()->index(1, 0)).center());
    QCOMPARE(m_page->kernelPanel()->editor()->currentLine(), 12);
}

void AuthorPageTest::scrubbingShowsTheCanvas()
{
    m_page->pickExample(0);
    writeKernel(test::kernelText());
    QCOMPARE(m_page->kernelPanel()->face(), KernelFace::Code);
    DenoiseTimeline *timeline = m_page->kernelPanel()->timelinePanel()->timeline();
    QTest::keyClick(timeline, Qt::Key_Left);
    QCOMPARE(m_page->kernelPanel()->face(), KernelFace::Canvas);
    QTest::keyClick(timeline, Qt::Key_Home);
    QCOMPARE(m_page->kernelPanel()->canvas()->document().numTokens(), 8); // the first step shows one block
    QCOMPARE(m_page->kernelText(), test::kernelText());
}

void AuthorPageTest::stagesShowOnTheCards()
{
    m_page->pickExample(0);
    writeKernel(test::kernelText());
    QTest::mouseClick(child<QPushButton>("verify"), Qt::LeftButton);
    m_page->showVerifying();
    m_page->showStage("build", Verdict());
    QCOMPARE(card(CardKind::Build).tone, CardTone::Accent);
    QCOMPARE(card(CardKind::Correct).state, QString("waiting"));
    Verdict soFar = test::correctVerdict();
    soFar.trials.resize(2);
    m_page->showStage("trials", soFar);
    QCOMPARE(card(CardKind::Build).tone, CardTone::Good);
    QCOMPARE(card(CardKind::Correct).state, QString("2/2"));
    m_page->showStage("honesty", test::correctVerdict());
    QCOMPARE(card(CardKind::Trust).tone, CardTone::Accent);
    QCOMPARE(card(CardKind::SpeedUp).state, QString("needs a GPU"));
}

void AuthorPageTest::verdictWords_data()
{
    QTest::addColumn<int>("word");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("tone");
    const auto row = [](const char *name, VerdictWord word, CardKind kind, CardTone tone) {
        QTest::newRow(name) << static_cast<int>(word) << static_cast<int>(kind) << static_cast<int>(tone);
    };
    row("correct", VerdictWord::Correct, CardKind::Correct, CardTone::Good);
    row("correct is trusted", VerdictWord::Correct, CardKind::Trust, CardTone::Good);
    row("incorrect", VerdictWord::Incorrect, CardKind::Correct, CardTone::Bad);
    row("run-time error", VerdictWord::RuntimeError, CardKind::Correct, CardTone::Bad);
    row("timeout", VerdictWord::Timeout, CardKind::Correct, CardTone::Bad);
    row("rejected", VerdictWord::Rejected, CardKind::Trust, CardTone::Bad);
    row("needs a GPU is no fault", VerdictWord::NeedsGpu, CardKind::Correct, CardTone::Care);
    row("our fault is no blame", VerdictWord::HarnessError, CardKind::Correct, CardTone::Care);
}

void AuthorPageTest::verdictWords()
{
    QFETCH(int, word);
    QFETCH(int, kind);
    QFETCH(int, tone);
    OutcomeInput input;
    input.verdict = test::correctVerdict();
    input.verdict->word = static_cast<VerdictWord>(word);
    const CardContent content = cardContent(static_cast<CardKind>(kind), input);
    QCOMPARE(static_cast<int>(content.tone), tone);
    QVERIFY(!content.state.isEmpty());
    QVERIFY(!content.evidence.isEmpty());
}

void AuthorPageTest::cardsOpenByKeyboard()
{
    m_page->pickExample(0);
    writeKernel(test::kernelText());
    judge(test::correctVerdict());
    OutcomeCard *trust = m_page->outcomePanel()->card(CardKind::Trust);
    trust->setFocus();
    QTest::keyClick(trust, Qt::Key_Space);
    QVERIFY(trust->isOpen());
    QVERIFY(child<QTableView>("detectors")->isVisible());
    QCOMPARE(child<QTableView>("detectors")->model()->rowCount(), 12);
    QTest::keyClick(trust, Qt::Key_Return);
    QVERIFY(!trust->isOpen());
    QVERIFY(trust->accessibleName().startsWith("Trust: 10/12"));
}

void AuthorPageTest::panesByKeyboard()
{
    m_page->pickExample(0);
    m_page->modulePanel()->editor()->setFocus();
    m_page->focusNextPane();
    QVERIFY(child<QComboBox>("model")->hasFocus() || !child<QComboBox>("model")->isEnabled());
    m_page->focusPreviousPane();
    QVERIFY(m_page->modulePanel()->editor()->focusProxy()->hasFocus());
}

QTEST_MAIN(AuthorPageTest)
#include "tst_authorpage.moc"
