// The menus of MainWindow: every action of the window, each with its shortcut.
#include "app/studio/mainwindow.h"

#include "app/studio/modulefiles.h"
#include "widgets/editor/codeeditor.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/kernelpanel.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>

namespace dice::studio {

using widgets::AuthorPage;
using widgets::AuthorPhase;
using widgets::ThemeChoice;

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildRunMenu();
    buildViewMenu();
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("About DICE Studio"), this, &MainWindow::showAbout);
}

void MainWindow::buildFileMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&Open module..."), QKeySequence::Open, this, &MainWindow::chooseModuleFile);
    QMenu *examples = menu->addMenu(tr("&Examples"));
    const auto &modules = m_author->modulePanel()->examples();
    for (std::size_t i = 0; i < modules.size(); ++i)
        examples->addAction(modules[i].title, m_author, [this, i] { m_author->pickExample(static_cast<int>(i)); });
    QAction *save = menu->addAction(tr("&Save kernel as..."), QKeySequence::Save, this, &MainWindow::chooseKernelFile);
    connect(menu, &QMenu::aboutToShow, save,
            [this, save] { save->setEnabled(!m_author->kernelPanel()->editor()->isBlank()); });
    connect(menu, &QMenu::aboutToHide, save, [save] { save->setEnabled(true); });
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildRunMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Run"));
    QAction *generate = menu->addAction(tr("&Generate"), m_author, &AuthorPage::generate);
    generate->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter), QKeySequence(Qt::Key_F5)});
    QAction *verify = menu->addAction(tr("&Verify"), m_author, &AuthorPage::verify);
    verify->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return),
                          QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Enter), QKeySequence(Qt::Key_F7)});
    QAction *stop = menu->addAction(tr("&Stop"), m_author, &AuthorPage::stop);
    stop->setShortcut(QKeySequence(Qt::Key_Escape));
    stop->setEnabled(false); // else it would take Esc away from menus and pop-ups
    connect(m_author, &AuthorPage::phaseChanged, stop,
            [stop](AuthorPhase phase) { stop->setEnabled(phase != AuthorPhase::Idle); });
}

void MainWindow::buildViewMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    menu->addAction(tr("&Author"), QKeySequence(Qt::CTRL | Qt::Key_1), this, [this] { showPage(0); });
    menu->addAction(tr("&Models"), QKeySequence(Qt::CTRL | Qt::Key_2), this, [this] { showPage(1); });
    menu->addSeparator();
    menu->addAction(tr("&Next pane"), QKeySequence(Qt::Key_F6), m_author, &AuthorPage::focusNextPane);
    menu->addAction(tr("&Previous pane"), QKeySequence(Qt::SHIFT | Qt::Key_F6), m_author,
                    &AuthorPage::focusPreviousPane);
    menu->addSeparator();
    QMenu *themes = menu->addMenu(tr("&Theme"));
    auto *group = new QActionGroup(this);
    m_themeChoice = static_cast<ThemeChoice>(std::clamp(m_settings.text(QStringLiteral("theme")).toInt(), 0, 2));
    addThemeAction(themes, group, ThemeChoice::FollowDesktop, tr("As the &desktop"));
    addThemeAction(themes, group, ThemeChoice::Light, tr("&Light"));
    addThemeAction(themes, group, ThemeChoice::Dark, tr("Dar&k"));
}

void MainWindow::addThemeAction(QMenu *menu, QActionGroup *group, ThemeChoice choice, const QString &text)
{
    QAction *action = menu->addAction(text, this, [this, choice] { setThemeChoice(choice); });
    action->setCheckable(true);
    action->setChecked(choice == m_themeChoice);
    group->addAction(action);
}

void MainWindow::chooseModuleFile()
{
    auto *dialog = new QFileDialog(this, tr("Open a PyTorch module"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Python files (*.py)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openModule);
    dialog->open();
}

void MainWindow::chooseKernelFile()
{
    if (m_author->kernelPanel()->editor()->isBlank())
        return;
    auto *dialog = new QFileDialog(this, tr("Save the kernel"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("py"));
    dialog->setNameFilters({tr("Python files (*.py)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        if (const Status status = writeTextFile(path, m_author->kernelText()); !status)
            m_author->showFailure(
                {QString::fromStdString(status.error().message), {}, {}, widgets::FailureAction::None});
    });
    dialog->open();
}

void MainWindow::showAbout()
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, tr("About DICE Studio"),
                                tr("DICE Studio %1\n\nPaste a PyTorch module, watch a CUDA kernel appear, know whether "
                                   "it is right.\n\nGNU General Public License, version 3 or later.")
                                    .arg(QCoreApplication::applicationVersion()),
                                QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace dice::studio
