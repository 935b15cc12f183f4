// The code editor by keyboard, mouse and drop: text, undo, colours, marks.
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/editor/codeeditor.h"

#include <QAbstractScrollArea>
#include <QDropEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QUrl>

using namespace dice;
using namespace dice::widgets;

class EditorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void typingIsAnnouncedAndUndone();
    void replacingTextCanBeUndone();
    void loadedTextCannot();
    void blankness();
    void keywordsHaveTheirColour();
    void openedStringRecoloursWhatFollows();
    void marksShowOnTheirLine();
    void droppedFileIsAnnounced();
    void goToLine();

private:
    QImage image() { return m_editor->grab().toImage(); }
    QWidget *view() { return m_editor->findChild<QAbstractScrollArea *>(); }
    int countPixels(const QColor &color);

    std::unique_ptr<CodeEditor> m_editor;
};

void EditorTest::init()
{
    test::failOnWarning();
    m_editor = std::make_unique<CodeEditor>();
    m_editor->resize(600, 400);
    m_editor->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_editor.get()));
}

int EditorTest::countPixels(const QColor &color)
{
    const QImage picture = image();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            count += picture.pixelColor(x, y).rgb() == color.rgb();
    }
    return count;
}

void EditorTest::typingIsAnnouncedAndUndone()
{
    QSignalSpy changes(m_editor.get(), &CodeEditor::textChanged);
    QTest::keyClicks(view(), "import torch");
    QCOMPARE(m_editor->text(), QString("import torch"));
    QVERIFY(changes.count() > 0);
    m_editor->undo();
    QVERIFY(m_editor->text() != "import torch");
    m_editor->redo();
    QCOMPARE(m_editor->text(), QString("import torch"));
}

void EditorTest::replacingTextCanBeUndone()
{
    m_editor->setText("one\n");
    m_editor->setText("two\n");
    m_editor->undo();
    QCOMPARE(m_editor->text(), QString("one\n"));
    QSignalSpy changes(m_editor.get(), &CodeEditor::textChanged);
    m_editor->setText("one\n");
    QCOMPARE(changes.count(), 0);
}

void EditorTest::loadedTextCannot()
{
    m_editor->loadText("from disk\n");
    m_editor->undo();
    QCOMPARE(m_editor->text(), QString("from disk\n"));
}

void EditorTest::blankness()
{
    QVERIFY(m_editor->isBlank());
    m_editor->setText(" \n\t\n");
    QVERIFY(m_editor->isBlank());
    m_editor->setText("x");
    QVERIFY(!m_editor->isBlank());
}

void EditorTest::keywordsHaveTheirColour()
{
    const Theme theme = lightTheme();
    m_editor->setTheme(theme);
    m_editor->loadText("alpha beta\n");
    QCOMPARE(countPixels(theme.keyword), 0);
    m_editor->loadText("import beta\n");
    QVERIFY(countPixels(theme.keyword) > 0);
    m_editor->loadText("s = r'''\n__global__ void f() {}\n'''\n");
    QVERIFY(countPixels(theme.keyword) > 0);
    m_editor->loadText("__global__ = void\n"); // no CUDA outside the strings
    QCOMPARE(countPixels(theme.keyword), 0);
}

void EditorTest::openedStringRecoloursWhatFollows()
{
    const Theme theme = lightTheme();
    m_editor->loadText("x = 1\n__global__ void f\n");
    QCOMPARE(countPixels(theme.keyword), 0);
    m_editor->goToLine(1);
    QTest::keyClicks(view(), "s = '''");
    QTRY_VERIFY(countPixels(theme.keyword) > 0); // the second line is CUDA now
}

void EditorTest::marksShowOnTheirLine()
{
    const Theme theme = lightTheme();
    m_editor->loadText("a\nb\nc\n");
    QCOMPARE(countPixels(theme.bad), 0);
    m_editor->setMarks(
        {{2, MarkKind::Error, QStringLiteral("b is not declared")}, {99, MarkKind::Error, QStringLiteral("beyond")}});
    QVERIFY(countPixels(theme.bad) > 20);
    m_editor->setMarks({});
    QCOMPARE(countPixels(theme.bad), 0);
}

void EditorTest::droppedFileIsAnnounced()
{
    QSignalSpy drops(m_editor.get(), &CodeEditor::fileDropped);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/somewhere/module.py")});
    auto *viewport = qobject_cast<QAbstractScrollArea *>(view())->viewport();
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(viewport, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(viewport, &drop);
    QCOMPARE(drops.count(), 1);
    QCOMPARE(drops.front().front().toString(), QString("/somewhere/module.py"));
    QVERIFY(m_editor->text().isEmpty());
}

void EditorTest::goToLine()
{
    m_editor->loadText(test::kernelText());
    m_editor->goToLine(30);
    QCOMPARE(m_editor->currentLine(), 30);
    m_editor->goToLine(100000);
    QVERIFY(m_editor->currentLine() <= test::kernelText().count('\n') + 1);
}

QTEST_MAIN(EditorTest)
#include "tst_editor.moc"
