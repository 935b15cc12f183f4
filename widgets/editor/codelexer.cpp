#include "widgets/editor/codelexer.h"

#include <Qsci/qsciscintilla.h>

#include <algorithm>

namespace dice::widgets {

using Sci = QsciScintillaBase;

CodeLexer::CodeLexer(QObject *parent)
    : QsciLexerCustom(parent)
{
}

void CodeLexer::setTheme(const Theme &theme)
{
    setDefaultFont(codeFont());
    setDefaultPaper(theme.code);
    setDefaultColor(theme.text);
    setFont(codeFont());
    setPaper(theme.code);
    for (int style = 0; style < numCodeStyles; ++style)
        setColor(codeColor(theme, static_cast<CodeStyle>(style)), style);
}

const char *CodeLexer::language() const
{
    return "CUDA in Python";
}

QString CodeLexer::description(int style) const
{
    static const char *const names[numCodeStyles]
        = {"text", "keyword", "definition", "string", "number", "comment", "preprocessor"};
    return style >= 0 && style < numCodeStyles ? QString::fromLatin1(names[style]) : QString();
}

long CodeLexer::send(unsigned int message, unsigned long argument, long value) const
{
    return editor()->SendScintilla(message, argument, value);
}

void CodeLexer::styleText(int start, int end)
{
    if (!editor())
        return;
    const long firstLine = send(Sci::SCI_LINEFROMPOSITION, static_cast<unsigned long>(start));
    const long lastLine = send(Sci::SCI_LINEFROMPOSITION, static_cast<unsigned long>(std::max(start, end - 1)));
    const long numLines = send(Sci::SCI_GETLINECOUNT);
    auto context = firstLine == 0
        ? CodeContext::Python
        : static_cast<CodeContext>(send(Sci::SCI_GETLINESTATE, static_cast<unsigned long>(firstLine - 1)));
    startStyling(static_cast<int>(send(Sci::SCI_POSITIONFROMLINE, static_cast<unsigned long>(firstLine))));

    for (long line = firstLine; line < numLines; ++line) {
        const auto index = static_cast<unsigned long>(line);
        const long lineStart = send(Sci::SCI_POSITIONFROMLINE, index);
        const long contentEnd = send(Sci::SCI_GETLINEENDPOSITION, index);
        const long nextStart = line + 1 < numLines ? send(Sci::SCI_POSITIONFROMLINE, index + 1) : contentEnd;
        QByteArray text(static_cast<int>(contentEnd - lineStart), Qt::Uninitialized);
        if (!text.isEmpty())
            editor()->SendScintilla(Sci::SCI_GETTEXTRANGE, static_cast<long>(lineStart), static_cast<long>(contentEnd),
                                    text.data());
        const auto next = highlightLine({text.constData(), static_cast<std::size_t>(text.size())}, context, m_runs);
        for (const CodeRun &run : m_runs)
            setStyling(run.length, static_cast<int>(run.style));
        setStyling(static_cast<int>(nextStart - contentEnd), static_cast<int>(CodeStyle::Text));
        const auto previous = static_cast<CodeContext>(send(Sci::SCI_GETLINESTATE, index));
        send(Sci::SCI_SETLINESTATE, index, static_cast<long>(next));
        context = next;
        // Past the asked range only as long as the change goes on: an opened string recolours what follows.
        if (line >= lastLine && previous == next)
            break;
    }
}

} // namespace dice::widgets
