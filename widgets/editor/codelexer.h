// Colours a QScintilla document by codehighlight.h. Keeps the context of each line in Scintilla's line state, so
// an edit restyles from its own line on, not from the top.
#pragma once

#include "widgets/theme/codehighlight.h"

#include <Qsci/qscilexercustom.h>

namespace dice::widgets {

class CodeLexer : public QsciLexerCustom
{
    Q_OBJECT

public:
    explicit CodeLexer(QObject *parent);

    void setTheme(const Theme &theme);

    const char *language() const override;
    QString description(int style) const override;
    void styleText(int start, int end) override;

private:
    long send(unsigned int message, unsigned long argument = 0, long value = 0) const;

    std::vector<CodeRun> m_runs;
};

} // namespace dice::widgets
