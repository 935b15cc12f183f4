#include "widgets/pages/modulepanel.h"

#include "widgets/editor/codeeditor.h"
#include "widgets/pages/elidedlabel.h"
#include "widgets/theme/stylesheet.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace dice::widgets {

ModulePanel::ModulePanel(QWidget *parent)
    : QWidget(parent)
    , m_editor(new CodeEditor(this))
    , m_nameLabel(new ElidedLabel(this))
    , m_examplesButton(new QPushButton(tr("Examples") + QStringLiteral(" ") + QChar(0x25BE), this))
    , m_openButton(new QPushButton(tr("Open..."), this))
    , m_examplesMenu(new QMenu(this))
{
    auto *title = new QLabel(tr("PyTorch module"), this);
    setLook(title, "title");
    setLook(m_nameLabel, "secondary");
    m_nameLabel->setObjectName(QStringLiteral("moduleName"));
    m_editor->setObjectName(QStringLiteral("moduleEditor"));
    m_editor->setAccessibleName(tr("PyTorch module"));
    m_examplesButton->setObjectName(QStringLiteral("examples"));
    m_examplesButton->setMenu(m_examplesMenu);
    m_openButton->setObjectName(QStringLiteral("openModule"));
    m_openButton->setToolTip(tr("Open a Python file (%1)").arg(QKeySequence(QKeySequence::Open).toString()));

    auto *header = new QHBoxLayout;
    header->setSpacing(8);
    header->addWidget(title);
    header->addWidget(m_nameLabel, 1);
    header->addWidget(m_examplesButton);
    header->addWidget(m_openButton);
    auto *frame = new QFrame(this);
    setLook(frame, "code");
    auto *frameLayout = new QVBoxLayout(frame);
    frameLayout->setContentsMargins(4, 8, 4, 8);
    frameLayout->addWidget(m_editor);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(header);
    layout->addWidget(frame, 1);

    setName({});
    connect(m_editor, &CodeEditor::textChanged, this, &ModulePanel::textChanged);
    connect(m_editor, &CodeEditor::fileDropped, this, &ModulePanel::fileDropped);
    connect(m_openButton, &QPushButton::clicked, this, &ModulePanel::openRequested);
}

void ModulePanel::setTheme(const Theme &theme)
{
    m_editor->setTheme(theme);
}

void ModulePanel::setExamples(const std::vector<ExampleModule> &examples)
{
    m_examples = examples;
    m_examplesMenu->clear();
    for (std::size_t i = 0; i < examples.size(); ++i) {
        QAction *action = m_examplesMenu->addAction(examples[i].title);
        connect(action, &QAction::triggered, this, [this, i] { Q_EMIT examplePicked(static_cast<int>(i)); });
    }
    m_examplesButton->setEnabled(!examples.empty());
}

QString ModulePanel::text() const
{
    return m_editor->text();
}

void ModulePanel::setModule(const QString &text, const QString &name)
{
    setName(name);
    m_editor->setText(text);
}

void ModulePanel::loadModule(const QString &text, const QString &name)
{
    setName(name);
    m_editor->loadText(text);
}

void ModulePanel::setName(const QString &name)
{
    m_name = name.isEmpty() ? QStringLiteral("pasted module") : name;
    m_nameLabel->setText(name);
}

} // namespace dice::widgets
