#include "app/studio/mainwindow.h"

#include "app/studio/authorcontroller.h"
#include "app/studio/modelscontroller.h"
#include "app/studio/modulefiles.h"
#include "app/studio/session.h"
#include "app/studio/sessionkeeper.h"
#include "app/studio/statusline.h"
#include "widgets/models/modelsmodel.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/modebar.h"
#include "widgets/pages/modelspage.h"
#include "widgets/theme/stylesheet.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>

namespace dice::studio {

using widgets::PageFailure;
using widgets::ThemeChoice;

MainWindow::MainWindow(const Parts &parts)
    : m_studio(parts.studio)
    , m_settings(parts.settings)
    , m_sessionFile(parts.sessionFile)
    , m_desktopPalette(QGuiApplication::palette())
{
    setWindowTitle(tr("DICE Studio"));
    setAcceptDrops(true);
    resize(1600, 980);
    buildPages();
    buildMenus();
    restoreLayout();
    restoreSession();
    applyTheme();

    m_keeper = new SessionKeeper(
        m_sessionFile, [this] { return session(); }, this);
    connect(m_author, &widgets::AuthorPage::textsChanged, m_keeper, &SessionKeeper::noteChange);
    connect(m_keeper, &SessionKeeper::saveFailed, this,
            [this](const Error &error) { m_status->showMessage(QString::fromStdString(error.message), 10000); });
}

MainWindow::~MainWindow()
{
    delete m_keeper; // its last snapshot needs the pages
}

void MainWindow::buildPages()
{
    auto *page = new QWidget(this);
    page->setObjectName(QStringLiteral("page"));
    m_modeBar = new widgets::ModeBar(page);
    m_pages = new QStackedWidget(page);
    m_author = new widgets::AuthorPage(m_pages);
    m_models = new widgets::ModelsModel(this);
    m_modelsPage = new widgets::ModelsPage(m_models, m_pages);
    m_pages->addWidget(m_author);
    m_pages->addWidget(m_modelsPage);
    m_modeBar->addMode(tr("Author"), QStringLiteral("author"));
    m_modeBar->addMode(tr("Models"), QStringLiteral("models"));
    auto *layout = new QHBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_modeBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(page);
    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_author->setExamples(exampleModules());

    m_modelsController = new ModelsController({*m_modelsPage, *m_models, *m_author, m_studio, m_settings}, this);
    m_authorController = new AuthorController({*m_author, m_studio, m_settings, *m_status}, this);
    connect(m_modeBar, &widgets::ModeBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_modelsController, &ModelsController::modelChosen, this, [this] { showPage(0); });
    connect(m_author->modulePanel(), &widgets::ModulePanel::openRequested, this, &MainWindow::chooseModuleFile);
    connect(m_author->modulePanel(), &widgets::ModulePanel::fileDropped, this, &MainWindow::openModule);
}

void MainWindow::showPage(int index)
{
    m_modeBar->setCurrent(index);
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    m_themeChoice = choice;
    m_settings.setText(QStringLiteral("theme"), QString::number(static_cast<int>(choice)));
    applyTheme();
}

void MainWindow::applyTheme()
{
    const widgets::Theme theme = widgets::resolveTheme(m_themeChoice, m_desktopPalette);
    if (theme == m_theme)
        return;
    m_theme = theme;
    setPalette(widgets::themePalette(theme));
    setStyleSheet(widgets::styleSheet(theme));
    m_modeBar->setTheme(theme);
    m_author->setTheme(theme);
    m_modelsPage->setTheme(theme);
}

void MainWindow::changeEvent(QEvent *event)
{
    // Our own palette is the window's, so the application's is still the desktop's.
    if (event->type() == QEvent::ApplicationPaletteChange && m_author) {
        m_desktopPalette = QGuiApplication::palette();
        applyTheme();
    }
    QMainWindow::changeEvent(event);
}

bool MainWindow::event(QEvent *event)
{
    const bool isHandled = QMainWindow::event(event);
    if (event->type() == QEvent::Paint && !m_hasPainted) {
        m_hasPainted = true;
        QTimer::singleShot(0, this, &MainWindow::firstPainted);
    }
    return isHandled;
}

void MainWindow::startBackground()
{
    m_authorController->startBackground();
}

void MainWindow::restoreLayout()
{
    restoreGeometry(m_settings.layout(QStringLiteral("window")));
    m_author->splitter()->restoreState(m_settings.layout(QStringLiteral("author_columns")));
}

void MainWindow::restoreSession()
{
    const Result<Session> session = readSession(m_sessionFile);
    if (!session) {
        if (session.error().code != ErrorCode::NotFound) {
            // Kept beside, never overwritten: it may hold the user's only copy.
            QFile::rename(m_sessionFile, m_sessionFile + QStringLiteral(".unreadable"));
            m_author->showFailure(
                {tr("The texts of the last time could not be read."), QString::fromStdString(session.error().message),
                 tr("They are kept in %1.unreadable.").arg(m_sessionFile), widgets::FailureAction::None});
        }
        return;
    }
    m_author->modulePanel()->loadModule(session->moduleText, session->moduleName);
    m_author->restore(session->attempts, session->currentAttempt);
}

Session MainWindow::session() const
{
    return {m_author->modulePanel()->text(), m_author->modulePanel()->name(), m_author->currentAttempt(),
            m_author->attempts()->attempts()};
}

void MainWindow::openModule(const QString &path)
{
    const Result<QString> text = readTextFile(path);
    if (!text) {
        m_author->showFailure({QString::fromStdString(text.error().message), {}, {}, widgets::FailureAction::None});
        return;
    }
    showPage(0);
    m_author->modulePanel()->setModule(*text, QFileInfo(path).fileName());
}

static QString droppedFile(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return !urls.isEmpty() && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFile(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    openModule(droppedFile(event->mimeData()));
    event->acceptProposedAction();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_settings.setLayout(QStringLiteral("window"), saveGeometry());
    m_settings.setLayout(QStringLiteral("author_columns"), m_author->splitter()->saveState());
    m_keeper->flush();
    QMainWindow::closeEvent(event);
}

} // namespace dice::studio
