// The real window, in each of its four states, light and dark: what is typed and clicked, and what is then shown.
#include "app/studio/mainwindow.h"
#include "app/studio/sessionkeeper.h"
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/models/modelsmodel.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/kernelpanel.h"
#include "widgets/pages/outcomecard.h"
#include "widgets/pages/outcomepanel.h"

#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

using namespace dice;
using namespace dice::widgets;

class WindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void empty_data() { themes(); }
    void empty();
    void working_data() { themes(); }
    void working();
    void failed_data() { themes(); }
    void failed();
    void filled_data() { themes(); }
    void filled();
    void incorrectWithEvidence_data() { themes(); }
    void incorrectWithEvidence();
    void firstPaintIsAnnouncedOnce();
    void modesSwitchPages();
    void modelsPageShowsCards();
    void textsComeBackAfterRestart();
    void allTextFitsInNarrowWindow();

private:
    static void themes();
    void openWindow();
    AuthorPage &page() { return *m_window->authorPage(); }
    template <typename T> T *child(const char *name) { return m_window->findChild<T *>(QString::fromLatin1(name)); }
    QString cardState(CardKind kind);
    void picture(const char *state);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Settings> m_settings;
    std::unique_ptr<services::Studio> m_studio;
    std::unique_ptr<studio::MainWindow> m_window;
};

void WindowTest::themes()
{
    QTest::addColumn<ThemeChoice>("theme");
    QTest::newRow("light") << ThemeChoice::Light;
    QTest::newRow("dark") << ThemeChoice::Dark;
}

void WindowTest::init()
{
    test::failOnWarning();
    m_folder = std::make_unique<QTemporaryDir>();
    openWindow();
}

void WindowTest::cleanup()
{
    m_window.reset();
    m_studio.reset();
    m_settings.reset();
}

// Its processes do not exist: what a try to start them does is the real failure of a broken installation.
void WindowTest::openWindow()
{
    m_window.reset();
    m_studio.reset();
    m_settings = std::make_unique<services::Settings>(m_folder->filePath("settings.ini"));
    m_studio = std::make_unique<services::Studio>(services::ProcessProgram{"engine", "/nonexistent/dice-engine", {}},
                                                  services::ProcessProgram{"judge", "/nonexistent/dice-evaluator", {}});
    m_window = std::make_unique<studio::MainWindow>(
        studio::MainWindow::Parts{*m_studio, *m_settings, m_folder->filePath("session.json")});
    m_window->resize(1600, 980);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

QString WindowTest::cardState(CardKind kind)
{
    return page().outcomePanel()->card(kind)->content().state;
}

void WindowTest::picture(const char *state)
{
    test::savePicture(*m_window,
                      QStringLiteral("author-%1-%2").arg(QLatin1String(state), QLatin1String(QTest::currentDataTag())));
}

void WindowTest::empty()
{
    QFETCH(ThemeChoice, theme);
    m_window->setThemeChoice(theme);
    QCOMPARE(page().kernelPanel()->face(), KernelFace::Empty);
    QVERIFY(!child<QPushButton>("generate")->isEnabled());
    QVERIFY(!child<QPushButton>("verify")->isEnabled());
    QVERIFY(!child<QPushButton>("profile")->toolTip().isEmpty());
    picture("empty");

    QTest::mouseClick(child<QPushButton>("emptyExample"), Qt::LeftButton);
    QVERIFY(page().modulePanel()->text().contains("class Model"));
    QVERIFY(child<QPushButton>("generate")->isEnabled());
    QVERIFY(child<QPushButton>("emptyGenerate"));
    page().modulePanel()->editor()->undo(); // an example is an edit like any other
    QVERIFY(page().modulePanel()->text().isEmpty());
}

void WindowTest::working()
{
    QFETCH(ThemeChoice, theme);
    m_window->setThemeChoice(theme);
    page().modulePanel()->setModule(test::moduleText(), "02_softmax_rows.py");
    page().showAttempt(DecodingOptions()); // an earlier attempt says how long the next may be
    page().showGenerated(test::resultFor(test::kernelText()), test::kernelText());
    page().showFinished();
    page().showPreparing();
    page().showAttempt(DecodingOptions());
    const auto steps = test::stepsFor(test::kernelText());
    QSignalSpy frames(page().kernelPanel()->canvas(), &TokenCanvas::frameShown);
    for (std::size_t i = 0; steps[i].block.value < 50 || steps[i].step < 1; ++i)
        page().appendStep(steps[i]);
    QVERIFY(frames.wait());
    QCOMPARE(page().kernelPanel()->face(), KernelFace::Canvas);
    QVERIFY(child<QPushButton>("stop")->isEnabled());
    QVERIFY(!child<QPushButton>("generate")->isEnabled());
    QVERIFY(child<QLabel>("kernelState")->text().startsWith("writing block 51 of about "));
    TokenCanvas *canvas = page().kernelPanel()->canvas();
    canvas->selectCell(canvas->document().numTokens() - 60);
    picture("working");

    QSignalSpy stops(&page(), &AuthorPage::stopRequested);
    QTest::mouseClick(child<QPushButton>("stop"), Qt::LeftButton);
    QCOMPARE(stops.count(), 1);
    QVERIFY(!child<QPushButton>("stop")->isEnabled());
}

void WindowTest::failed()
{
    QFETCH(ThemeChoice, theme);
    m_window->setThemeChoice(theme);
    page().modulePanel()->setModule(test::moduleText(), "02_softmax_rows.py");
    m_settings->setModel("x");
    page().form()->setModels({{"/nonexistent/model", "some model", {}}});
    QSignalSpy failures(m_studio.get(), &services::Studio::failed);
    QTest::mouseClick(child<QPushButton>("generate"), Qt::LeftButton);
    QVERIFY(failures.wait());
    QTRY_VERIFY(child<QWidget>("failureBanner")->isVisible());
    QVERIFY(!child<QLabel>("failureSentence")->text().isEmpty());
    QVERIFY(!child<QLabel>("failureNextStep")->text().isEmpty());
    QVERIFY(child<QPushButton>("generate")->isEnabled());
    QCOMPARE(page().modulePanel()->text(), test::moduleText());
    picture("failed");

    QTest::mouseClick(child<QPushButton>("failureAction"), Qt::LeftButton); // tries again, and fails again
    QVERIFY(failures.wait());
}

void WindowTest::filled()
{
    QFETCH(ThemeChoice, theme);
    m_window->setThemeChoice(theme);
    page().modulePanel()->setModule(test::moduleText(), "02_softmax_rows.py");
    page().showAttempt(DecodingOptions());
    for (const CanvasStep &step : test::stepsFor(test::kernelText()))
        page().appendStep(step);
    page().showGenerated(test::resultFor(test::kernelText()), test::kernelText());
    page().showVerifying();
    page().showStage("trials", test::correctVerdict());
    page().showVerdict(test::correctVerdict());
    page().showFinished();
    QCOMPARE(page().kernelPanel()->face(), KernelFace::Code);
    QCOMPARE(page().kernelText(), test::kernelText());
    QCOMPARE(cardState(CardKind::Correct), QString("5/5"));
    QVERIFY(child<QPushButton>("verify")->isEnabled());
    picture("filled");

    QTest::mouseClick(child<QToolButton>("canvasSegment"), Qt::LeftButton);
    QCOMPARE(page().kernelPanel()->face(), KernelFace::Canvas);
    picture("replay");
}

void WindowTest::incorrectWithEvidence()
{
    QFETCH(ThemeChoice, theme);
    m_window->setThemeChoice(theme);
    page().modulePanel()->setModule(test::moduleText(), "02_softmax_rows.py");
    for (const Verdict &verdict :
         {test::compileErrorVerdict(), test::incorrectVerdict(), test::compileErrorVerdict()}) {
        page().showAttempt(DecodingOptions());
        page().showGenerated(test::resultFor(test::kernelText()), test::kernelText());
        page().showVerifying();
        page().showVerdict(verdict);
        page().showFinished();
    }
    OutcomeCard *build = page().outcomePanel()->card(CardKind::Build);
    QCOMPARE(build->content().tone, CardTone::Bad);
    QTest::mouseClick(build, Qt::LeftButton, {}, QPoint(20, 20));
    QVERIFY(build->isOpen());
    QVERIFY(!page().kernelPanel()->editor()->marks().empty());
    page().kernelPanel()->editor()->goToLine(19);
    QTest::qWait(50);
    picture("build-error");
    build->setOpen(false);
    page().outcomePanel()->card(CardKind::Trust)->setOpen(true);
}

void WindowTest::firstPaintIsAnnouncedOnce()
{
    QSignalSpy paints(m_window.get(), &studio::MainWindow::firstPainted);
    m_window->repaint();
    QTRY_VERIFY(paints.count() <= 1);
    m_window->repaint();
    QCoreApplication::processEvents();
    QVERIFY(paints.count() <= 1);
}

void WindowTest::modesSwitchPages()
{
    auto *models = child<QToolButton>("mode-models");
    QTest::mouseClick(models, Qt::LeftButton);
    QVERIFY(child<QWidget>("modelsPage")->isVisible());
    QTest::mouseClick(child<QToolButton>("mode-author"), Qt::LeftButton);
    QVERIFY(child<QWidget>("authorPage")->isVisible());
}

void WindowTest::modelsPageShowsCards()
{
    QTest::mouseClick(child<QToolButton>("mode-models"), Qt::LeftButton);
    ModelEntry nano;
    nano.name = "dice-nano";
    nano.folder = "/nonexistent/dice-nano";
    nano.summary = "11 M parameters";
    nano.card = "# dice-nano\n\nA *small* model.";
    ModelEntry broken;
    broken.name = "broken";
    broken.folder = "/nonexistent/broken";
    broken.problem = "config.json is missing";
    auto *models = m_window->findChild<ModelsModel *>();
    models->setEntries({nano, broken});
    // There is no engine to ask for the card, and the page says so; then comes what an engine would answer.
    QTRY_VERIFY(!child<QPushButton>("chooseModel")->isEnabled());
    models->updateEntry(nano);
    QTRY_VERIFY(child<QTextBrowser>("modelCard")->isVisible());
    QVERIFY(child<QTextBrowser>("modelCard")->toPlainText().contains("A small model."));
    test::savePicture(*m_window, "models-light");

    auto *list = child<QListView>("modelList");
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QVERIFY(!child<QPushButton>("chooseModel")->isEnabled());
    QTest::keyClick(list, Qt::Key_Up);
    QTRY_VERIFY(!child<QPushButton>("chooseModel")->isEnabled());
    models->updateEntry(nano);
    page().form()->setModels({{"/nonexistent/other", "other", {}}, {nano.folder, "dice-nano", {}}});
    QTest::mouseClick(child<QPushButton>("chooseModel"), Qt::LeftButton);
    QVERIFY(page().isVisible());
    QCOMPARE(page().form()->model(), nano.folder);
    QCOMPARE(m_settings->model(), nano.folder);
}

void WindowTest::textsComeBackAfterRestart()
{
    page().modulePanel()->setModule(test::moduleText(), "mine.py");
    page().kernelPanel()->setFace(KernelFace::Code);
    page().kernelPanel()->editor()->setText("kernel by hand\n");
    m_window->close();
    openWindow();
    QCOMPARE(page().modulePanel()->text(), test::moduleText());
    QCOMPARE(page().modulePanel()->name(), QString("mine.py"));
    QCOMPARE(page().kernelText(), QString("kernel by hand\n"));
    QCOMPARE(page().attempts()->attempts().size(), std::size_t(1));
    QVERIFY(page().attempts()->latest()->isByHand);
}

void WindowTest::allTextFitsInNarrowWindow()
{
    m_window->resize(1280, 720);
    page().modulePanel()->setModule(test::moduleText(), "02_softmax_rows.py");
    QCoreApplication::processEvents();
    QVERIFY2(m_window->width() <= 1280, qPrintable(QString::number(m_window->minimumSizeHint().width())));
    test::savePicture(*m_window, "author-narrow");
}

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
