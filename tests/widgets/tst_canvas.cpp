// The token canvas: the document's text and layout, pixels of sure and unsure cells, coalescing, replay, keyboard;
// and the timeline beside it.
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/canvas/denoisetimeline.h"
#include "widgets/canvas/timelinepanel.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/canvas/tokenpopup.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace dice;
using namespace dice::widgets;

class CanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void documentEndsWithTheText();
    void stepwiseEqualsAtOnce();
    void maskedCellsAreBlank();
    void hostileStepsAreHarmless();
    void unsureCellLooksDifferent();
    void stepsOfAFrameAreOneRepaint();
    void replayGoesBackAndForth();
    void hoverShowsAlternatives();
    void keysMoveTheSelection();
    void followsUntilScrolled();
    void timelineScrubs();
    void timelinePlays();

private:
    static QString textOf(const CanvasDocument &document);
    QColor fillOf(int cell);
    void showAll();

    std::unique_ptr<TokenCanvas> m_canvas;
    std::vector<CanvasStep> m_steps;
};

void CanvasTest::init()
{
    test::failOnWarning();
    m_steps = test::stepsFor(test::kernelText());
    m_canvas = std::make_unique<TokenCanvas>();
    m_canvas->resize(800, 600);
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

QString CanvasTest::textOf(const CanvasDocument &document)
{
    QStringList lines;
    for (const CanvasLine &line : document.layout().lines()) {
        QString text;
        for (const CanvasPiece &piece : line.pieces)
            text += QString::fromStdString(piece.text);
        lines += text;
    }
    return lines.join(QLatin1Char('\n'));
}

void CanvasTest::showAll()
{
    m_canvas->showSteps(m_steps, static_cast<int>(m_steps.size()));
    m_canvas->finish();
}

void CanvasTest::documentEndsWithTheText()
{
    CanvasDocument document;
    for (const CanvasStep &step : m_steps)
        document.apply(step);
    QCOMPARE(textOf(document), test::kernelText());
}

// The layout starts again at the block that changed: it must not differ from laying out everything.
void CanvasTest::stepwiseEqualsAtOnce()
{
    CanvasDocument stepwise;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        stepwise.setExpectedTokens(i % 3 == 0 ? 900 : 0);
        stepwise.apply(m_steps[i]);
        if (i % 5 > 1)
            continue;
        std::vector<LayoutCell> cells;
        for (const DocumentCell &cell : stepwise.cells())
            cells.push_back({cell.cell.text, cell.cell.state == CellState::Masked, cell.isRecent});
        CanvasLayout whole;
        whole.layOut(cells, 0, std::max(0, (i % 3 == 0 ? 900 : 0) - stepwise.numTokens()));
        QCOMPARE(stepwise.layout().lines().size(), whole.lines().size());
        for (std::size_t line = 0; line < whole.lines().size(); ++line) {
            const CanvasLine &a = stepwise.layout().lines()[line];
            const CanvasLine &b = whole.lines()[line];
            QCOMPARE(a.pieces.size(), b.pieces.size());
            QCOMPARE(a.contextBefore, b.contextBefore);
            QCOMPARE(a.segments.size(), b.segments.size());
            for (std::size_t piece = 0; piece < a.pieces.size(); ++piece) {
                QCOMPARE(a.pieces[piece].column, b.pieces[piece].column);
                QCOMPARE(a.pieces[piece].text, b.pieces[piece].text);
            }
        }
    }
}

void CanvasTest::maskedCellsAreBlank()
{
    CanvasDocument document;
    document.setExpectedTokens(40);
    CanvasStep step;
    step.cells = {{0, CellState::Committed, TokenId(1), "ab", 1.0F, 0.0F, {}},
                  {1, CellState::Masked, TokenId(2), "longer", 0.2F, 1.0F, {}}};
    document.apply(step);
    const auto &pieces = document.layout().lines().front().pieces;
    QVERIFY(!pieces[0].isBlank);
    QVERIFY(pieces[1].isBlank);
    QCOMPARE(pieces[1].length, 6); // as long as the best candidate, whose text is not shown
    QVERIFY(pieces[1].text.empty());
    QVERIFY(document.layout().lines().size() > 2); // the tokens to come
    document.finish();
    QCOMPARE(document.layout().lines().size(), std::size_t(1));
}

void CanvasTest::hostileStepsAreHarmless()
{
    CanvasDocument document;
    CanvasStep step;
    step.cells = {{-3, CellState::Kept, TokenId(1), "prompt", 1.0F, 0.0F, {}},
                  {2'000'000'000, CellState::Kept, TokenId(1), "far", 1.0F, 0.0F, {}},
                  {5, CellState::Committed, TokenId(1), "\xff\n\xfe\t\r", 1.0F, 0.0F, {}}};
    document.apply(step);
    QCOMPARE(document.numTokens(), 6);
    step.cells.clear();
    document.apply(step);
    document.finish();
    QCOMPARE(document.numTokens(), 6);
}

QColor CanvasTest::fillOf(int cell)
{
    const QRect rect = m_canvas->cellRect(cell);
    const QImage image = m_canvas->viewport()->grab().toImage();
    return image.pixelColor(rect.left() + 1, rect.top() + 2);
}

void CanvasTest::unsureCellLooksDifferent()
{
    CanvasStep step;
    step.cells = {{0, CellState::Kept, TokenId(1), "sure", 0.999F, 0.0F, {}},
                  {1, CellState::Kept, TokenId(1), "soso", 0.93F, 0.0F, {}},
                  {2, CellState::Kept, TokenId(1), "unsure", 0.3F, 0.0F, {}},
                  {3, CellState::Masked, TokenId(1), "mask", 0.3F, 0.0F, {}}};
    m_canvas->showSteps({step}, 1);
    m_canvas->finish();
    const Theme theme = lightTheme();
    QCOMPARE(fillOf(0), theme.code);
    QCOMPARE(fillOf(1), confidenceColor(theme, 0.93));
    QCOMPARE(fillOf(2), confidenceColor(theme, 0.3));
    m_canvas->setTheme(darkTheme());
    QCOMPARE(fillOf(2), confidenceColor(darkTheme(), 0.3));
    test::savePicture(*m_canvas, "canvas-confidence");
}

void CanvasTest::stepsOfAFrameAreOneRepaint()
{
    QSignalSpy frames(m_canvas.get(), &TokenCanvas::frameShown);
    for (const CanvasStep &step : m_steps)
        m_canvas->appendStep(step);
    QCOMPARE(frames.count(), 0);
    QCOMPARE(m_canvas->numPendingSteps(), static_cast<int>(m_steps.size()));
    QVERIFY(frames.wait());
    QCOMPARE(frames.count(), 1);
    QCOMPARE(m_canvas->numPendingSteps(), 0);
    QCOMPARE(textOf(m_canvas->document()), test::kernelText());
}

void CanvasTest::replayGoesBackAndForth()
{
    const int half = static_cast<int>(m_steps.size()) / 2;
    m_canvas->showSteps(m_steps, half);
    const QString atHalf = textOf(m_canvas->document());
    m_canvas->showSteps(m_steps, static_cast<int>(m_steps.size()));
    QVERIFY(textOf(m_canvas->document()).size() > atHalf.size());
    m_canvas->showSteps(m_steps, half);
    QCOMPARE(textOf(m_canvas->document()), atHalf);
    m_canvas->showSteps(m_steps, half + 1);
    m_canvas->showSteps(m_steps, 0);
    QCOMPARE(m_canvas->document().numTokens(), 0);
}

void CanvasTest::hoverShowsAlternatives()
{
    showAll();
    auto *popup = m_canvas->findChild<TokenPopup *>();
    QVERIFY(popup->isHidden());
    const QPointF place = m_canvas->cellRect(12).center();
    QMouseEvent move(QEvent::MouseMove, place, m_canvas->viewport()->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(m_canvas->viewport(), &move);
    QVERIFY(popup->isVisible());
    QCOMPARE(popup->headline(), QString("block 2, step %1").arg(m_canvas->document().cells()[12].step + 1));
    QVERIFY(popup->accessibleName().contains("fmax"));
    QVERIFY(m_canvas->viewport()->rect().contains(popup->geometry()));
    m_canvas->clear();
    QVERIFY(popup->isHidden());
}

void CanvasTest::keysMoveTheSelection()
{
    showAll();
    QTest::keyClick(m_canvas.get(), Qt::Key_Right);
    QCOMPARE(m_canvas->selectedCell(), 0);
    QTest::keyClick(m_canvas.get(), Qt::Key_Right);
    QCOMPARE(m_canvas->selectedCell(), 1);
    QTest::keyClick(m_canvas.get(), Qt::Key_Left);
    QTest::keyClick(m_canvas.get(), Qt::Key_Left);
    QCOMPARE(m_canvas->selectedCell(), 0);
    m_canvas->selectCell(m_canvas->document().numTokens() - 3); // scrolls there
    QVERIFY(m_canvas->viewport()->rect().contains(m_canvas->cellRect(m_canvas->selectedCell())));
}

void CanvasTest::followsUntilScrolled()
{
    m_canvas->resize(800, 200);
    const int half = static_cast<int>(m_steps.size()) / 2;
    m_canvas->showSteps(m_steps, half);
    const int followed = m_canvas->verticalScrollBar()->value();
    QVERIFY(followed > 0);
    QTest::keyClick(m_canvas.get(), Qt::Key_Home);
    QCOMPARE(m_canvas->verticalScrollBar()->value(), 0);
    QSignalSpy frames(m_canvas.get(), &TokenCanvas::frameShown);
    m_canvas->appendStep(m_steps[static_cast<std::size_t>(half)]);
    QVERIFY(frames.wait());
    QCOMPARE(m_canvas->verticalScrollBar()->value(), 0); // the reader stays where the reader went
}

void CanvasTest::timelineScrubs()
{
    DenoiseTimeline timeline;
    timeline.resize(500, 70);
    for (const CanvasStep &step : m_steps)
        timeline.appendStep(step);
    timeline.setPosition(timeline.numSteps());
    QSignalSpy picks(&timeline, &DenoiseTimeline::positionPicked);
    QTest::mouseClick(&timeline, Qt::LeftButton, {}, QPoint(60, 40));
    QCOMPARE(picks.count(), 1);
    const int picked = picks.front().front().toInt();
    QVERIFY(picked > 0 && picked < timeline.numSteps());
    QTest::keyClick(&timeline, Qt::Key_Right);
    QCOMPARE(timeline.position(), picked + 1);
    QTest::keyClick(&timeline, Qt::Key_End);
    QCOMPARE(timeline.position(), timeline.numSteps());
    QTest::keyClick(&timeline, Qt::Key_Right); // nowhere to go: nothing is announced
    QCOMPARE(picks.count(), 3);
}

void CanvasTest::timelinePlays()
{
    TimelinePanel panel;
    panel.setTheme(lightTheme());
    for (int i = 0; i < 5; ++i)
        panel.timeline()->appendStep(m_steps[static_cast<std::size_t>(i)]);
    panel.setLive(true);
    auto *play = panel.findChild<QToolButton *>("play");
    QVERIFY(!play->isEnabled());
    panel.timeline()->setPosition(5);
    panel.setLive(false);
    QSignalSpy picks(&panel, &TimelinePanel::positionPicked);
    QTest::mouseClick(play, Qt::LeftButton);
    QVERIFY(panel.isPlaying());
    QTRY_COMPARE(panel.timeline()->position(), 5);
    QTRY_VERIFY(!panel.isPlaying());
    QCOMPARE(picks.count(), 6); // back to the start, then every step
    QTest::mouseClick(panel.findChild<QToolButton *>("stepBack"), Qt::LeftButton);
    QCOMPARE(panel.timeline()->position(), 4);
}

QTEST_MAIN(CanvasTest)
#include "tst_canvas.moc"
