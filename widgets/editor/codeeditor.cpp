#include "widgets/editor/codeeditor.h"

#include "widgets/editor/codelexer.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>

#include <algorithm>
#include <map>

namespace dice::widgets {

namespace {

constexpr int numberMargin = 0;
constexpr int markMargin = 1;
constexpr int errorMarker = 1;
constexpr int warningMarker = 2;
constexpr int noteMarker = 3;
constexpr int indentWidth = 4;

int markerOf(MarkKind kind)
{
    switch (kind) {
    case MarkKind::Error:
        return errorMarker;
    case MarkKind::Warning:
        return warningMarker;
    case MarkKind::Note:
        return noteMarker;
    }
    return noteMarker;
}

QColor markColor(const Theme &theme, MarkKind kind)
{
    switch (kind) {
    case MarkKind::Error:
        return theme.bad;
    case MarkKind::Warning:
        return theme.care;
    case MarkKind::Note:
        return theme.secondary;
    }
    return theme.secondary;
}

// Annotations do not wrap by themselves.
QString wrapped(const QString &text)
{
    constexpr qsizetype maxColumns = 88;
    QStringList lines;
    QString line;
    for (const QString &word : text.simplified().split(QLatin1Char(' '))) {
        if (!line.isEmpty() && line.size() + 1 + word.size() > maxColumns) {
            lines += line;
            line.clear();
        }
        line += line.isEmpty() ? word : QLatin1Char(' ') + word;
    }
    lines += line;
    return lines.join(QLatin1Char('\n'));
}

QString localFile(const QMimeData *data)
{
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            return url.toLocalFile();
    }
    return {};
}

} // namespace

CodeEditor::CodeEditor(QWidget *parent)
    : QWidget(parent)
    , m_editor(new QsciScintilla(this))
    , m_lexer(new CodeLexer(m_editor))
    , m_theme(lightTheme())
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_editor);
    setFocusProxy(m_editor);

    m_editor->setUtf8(true);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setLexer(m_lexer);
    setUpMargins();
    setUpBehaviour();
    setTheme(m_theme);

    m_editor->installEventFilter(this);
    m_editor->viewport()->installEventFilter(this);
    connect(m_editor, &QsciScintilla::textChanged, this, &CodeEditor::textChanged);
    connect(m_editor, &QsciScintilla::linesChanged, this, &CodeEditor::fitLineNumbers);
}

CodeEditor::~CodeEditor()
{
    m_editor->setLexer(nullptr); // the lexer is a child too and may go first
}

void CodeEditor::setUpMargins()
{
    m_editor->setMarginType(numberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginType(markMargin, QsciScintilla::SymbolMargin);
    m_editor->setMarginWidth(markMargin, 10);
    m_editor->setMarginMarkerMask(markMargin, 1 << errorMarker | 1 << warningMarker | 1 << noteMarker);
    m_editor->setMarginWidth(2, 0);
    m_editor->markerDefine(QsciScintilla::FullRectangle, errorMarker);
    m_editor->markerDefine(QsciScintilla::FullRectangle, warningMarker);
    m_editor->markerDefine(QsciScintilla::FullRectangle, noteMarker);
    m_editor->setAnnotationDisplay(QsciScintilla::AnnotationStandard);
}

void CodeEditor::setUpBehaviour()
{
    m_editor->setIndentationsUseTabs(false);
    m_editor->setTabWidth(indentWidth);
    m_editor->setIndentationWidth(indentWidth);
    m_editor->setAutoIndent(true);
    m_editor->setBackspaceUnindents(true);
    m_editor->setTabIndents(true);
    m_editor->setBraceMatching(QsciScintilla::SloppyBraceMatch);
    m_editor->setCaretLineVisible(true);
    m_editor->setEolMode(QsciScintilla::EolUnix);
    m_editor->setWrapMode(QsciScintilla::WrapNone);
    m_editor->setScrollWidth(1);
    m_editor->setScrollWidthTracking(true);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRAASCENT, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETEXTRADESCENT, 1);
    m_editor->SendScintilla(QsciScintilla::SCI_SETENDATLASTLINE, 1);
    // Keys that the window uses: Scintilla must not swallow them.
    m_editor->SendScintilla(QsciScintilla::SCI_CLEARCMDKEY,
                            static_cast<unsigned long>(QsciScintilla::SCK_RETURN + (QsciScintilla::SCMOD_CTRL << 16)));
    m_editor->SendScintilla(QsciScintilla::SCI_CLEARCMDKEY, static_cast<unsigned long>(QsciScintilla::SCK_ESCAPE));
}

QString CodeEditor::text() const
{
    return m_editor->text();
}

bool CodeEditor::isBlank() const
{
    constexpr int sizeToLookAt = 4096;
    return m_editor->length() <= sizeToLookAt && m_editor->text().trimmed().isEmpty();
}

void CodeEditor::setText(const QString &text)
{
    if (text == m_editor->text())
        return;
    m_editor->beginUndoAction();
    m_editor->selectAll();
    m_editor->replaceSelectedText(text);
    m_editor->endUndoAction();
    m_editor->setCursorPosition(0, 0);
    m_editor->setFirstVisibleLine(0);
}

void CodeEditor::loadText(const QString &text)
{
    m_editor->setText(text);
    m_editor->SendScintilla(QsciScintilla::SCI_EMPTYUNDOBUFFER);
    m_editor->setCursorPosition(0, 0);
}

bool CodeEditor::isReadOnly() const
{
    return m_editor->isReadOnly();
}

void CodeEditor::setReadOnly(bool isReadOnly)
{
    m_editor->setReadOnly(isReadOnly);
}

void CodeEditor::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_lexer->setTheme(theme);
    m_editor->setPaper(theme.code);
    m_editor->setColor(theme.text);
    m_editor->setCaretForegroundColor(theme.text);
    m_editor->setCaretLineBackgroundColor(theme.isDark ? theme.panel : theme.window);
    m_editor->setMarginsForegroundColor(theme.secondary);
    m_editor->setMarginsBackgroundColor(theme.code);
    m_editor->setMarginsFont(codeFont());
    m_editor->setFoldMarginColors(theme.code, theme.code);
    m_editor->setSelectionBackgroundColor(theme.confidence[0]);
    m_editor->resetSelectionForegroundColor();
    m_editor->setMatchedBraceBackgroundColor(theme.confidence[1]);
    m_editor->setMatchedBraceForegroundColor(theme.text);
    m_editor->setUnmatchedBraceBackgroundColor(theme.code);
    m_editor->setUnmatchedBraceForegroundColor(theme.bad);
    for (const MarkKind kind : {MarkKind::Error, MarkKind::Warning, MarkKind::Note}) {
        m_editor->setMarkerBackgroundColor(markColor(theme, kind), markerOf(kind));
        m_editor->setMarkerForegroundColor(markColor(theme, kind), markerOf(kind));
    }
    fitLineNumbers();
    showMarks();
}

void CodeEditor::fitLineNumbers()
{
    const int numDigits = std::max(2, static_cast<int>(QString::number(m_editor->lines()).size()));
    m_editor->setMarginWidth(numberMargin, QStringLiteral("0").repeated(numDigits + 1));
}

void CodeEditor::setMarks(const std::vector<LineMark> &marks)
{
    m_marks = marks;
    showMarks();
}

void CodeEditor::showMarks()
{
    m_editor->markerDeleteAll();
    m_editor->clearAnnotations();
    std::map<int, std::vector<const LineMark *>> byLine;
    for (const LineMark &mark : m_marks) {
        if (mark.line >= 1 && mark.line <= m_editor->lines())
            byLine[mark.line - 1].push_back(&mark);
    }
    for (const auto &[line, marks] : byLine) {
        QStringList texts;
        for (const LineMark *mark : marks) {
            m_editor->markerAdd(line, markerOf(mark->kind));
            texts += wrapped(mark->text);
        }
        const QColor color = markColor(m_theme, marks.front()->kind);
        const QsciStyle style(-1, QStringLiteral("mark"), color, m_theme.panel, codeFont());
        m_editor->annotate(line, texts.join(QLatin1Char('\n')), style);
    }
}

void CodeEditor::goToLine(int line)
{
    const int target = std::clamp(line - 1, 0, std::max(0, m_editor->lines() - 1));
    m_editor->setCursorPosition(target, 0);
    m_editor->ensureLineVisible(target);
    m_editor->ensureCursorVisible();
}

int CodeEditor::currentLine() const
{
    int line = 0;
    int column = 0;
    m_editor->getCursorPosition(&line, &column);
    return line + 1;
}

bool CodeEditor::find(const QString &text)
{
    return m_editor->findFirst(text, false, false, false, true);
}

void CodeEditor::undo()
{
    m_editor->undo();
}

void CodeEditor::redo()
{
    m_editor->redo();
}

bool CodeEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove) {
        auto *drag = static_cast<QDragMoveEvent *>(event);
        if (!localFile(drag->mimeData()).isEmpty()) {
            drag->acceptProposedAction();
            return true;
        }
    } else if (event->type() == QEvent::Drop) {
        auto *drop = static_cast<QDropEvent *>(event);
        const QString path = localFile(drop->mimeData());
        if (!path.isEmpty()) {
            drop->acceptProposedAction();
            Q_EMIT fileDropped(path);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace dice::widgets
