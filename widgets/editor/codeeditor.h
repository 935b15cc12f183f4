// A code editor for Python files with CUDA inside: colours, line numbers, undo, marks with a text under their
// line. Hides QScintilla, whose header is slow to compile; knows no files: a dropped one is announced.
#pragma once

#include "widgets/theme/theme.h"

#include <QString>
#include <QWidget>

#include <vector>

class QsciScintilla;

namespace dice::widgets {

class CodeLexer;

enum class MarkKind { Error, Warning, Note };

struct LineMark
{
    int line = 1; // 1-based
    MarkKind kind = MarkKind::Error;
    QString text;

    bool operator==(const LineMark &) const = default;
};

class CodeEditor : public QWidget
{
    Q_OBJECT

public:
    explicit CodeEditor(QWidget *parent = nullptr);
    ~CodeEditor() override;

    QString text() const;
    // Nothing but white space. Cheap for texts of any size.
    bool isBlank() const;
    // As if typed in one go: can be undone, and announces textChanged. Does nothing when the text is the same.
    void setText(const QString &text);
    // A new document: no undo past it.
    void loadText(const QString &text);

    bool isReadOnly() const;
    void setReadOnly(bool isReadOnly);
    void setTheme(const Theme &theme);

    void setMarks(const std::vector<LineMark> &marks);
    std::vector<LineMark> marks() const { return m_marks; }

    // Puts the cursor at the start of the line and shows it. Lines count from 1.
    void goToLine(int line);
    int currentLine() const;

    bool find(const QString &text);
    void undo();
    void redo();

Q_SIGNALS:
    void textChanged();
    void fileDropped(const QString &path);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpMargins();
    void setUpBehaviour();
    void showMarks();
    void fitLineNumbers();

    QsciScintilla *m_editor = nullptr;
    CodeLexer *m_lexer = nullptr;
    Theme m_theme;
    std::vector<LineMark> m_marks;
};

} // namespace dice::widgets
