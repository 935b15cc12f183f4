// Where the user puts the PyTorch module: an editor with examples, Open and drop. Files are the owner's business:
// the panel says which one is wanted.
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QMenu;
class QPushButton;

namespace dice::widgets {

class CodeEditor;
class ElidedLabel;

struct ExampleModule
{
    QString title;
    QString fileName;
    QString text;
};

class ModulePanel : public QWidget
{
    Q_OBJECT

public:
    explicit ModulePanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setExamples(const std::vector<ExampleModule> &examples);
    const std::vector<ExampleModule> &examples() const { return m_examples; }

    QString text() const;
    QString name() const { return m_name; } // file name, or "pasted module"
    void setModule(const QString &text, const QString &name); // can be undone
    void loadModule(const QString &text, const QString &name); // at the start: no undo
    CodeEditor *editor() const { return m_editor; }

Q_SIGNALS:
    void textChanged();
    void openRequested();
    void fileDropped(const QString &path);
    void examplePicked(int index);

private:
    void setName(const QString &name);

    CodeEditor *m_editor = nullptr;
    ElidedLabel *m_nameLabel = nullptr;
    QPushButton *m_examplesButton = nullptr;
    QPushButton *m_openButton = nullptr;
    QMenu *m_examplesMenu = nullptr;
    std::vector<ExampleModule> m_examples;
    QString m_name;
};

} // namespace dice::widgets
