// The window: mode bar, pages, menus, status line; keeps theme, layout and session. Owns the controllers that
// connect the pages with the services.
#pragma once

#include "app/services/settings.h"
#include "app/services/studio.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>

class QActionGroup;
class QStackedWidget;

namespace dice::widgets {
class AuthorPage;
class ModeBar;
class ModelsModel;
class ModelsPage;
} // namespace dice::widgets

namespace dice::studio {

class AuthorController;
class ModelsController;
class SessionKeeper;
class StatusLine;
struct Session;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    struct Parts
    {
        services::Studio &studio;
        services::Settings &settings;
        QString sessionFile;
    };

    explicit MainWindow(const Parts &parts);
    ~MainWindow() override;

    widgets::AuthorPage *authorPage() const { return m_author; }
    SessionKeeper *sessionKeeper() const { return m_keeper; }
    widgets::ThemeChoice themeChoice() const { return m_themeChoice; }
    void setThemeChoice(widgets::ThemeChoice choice);

    // What may take time: the model, the judge. Called once, after the first paint.
    void startBackground();
    void openModule(const QString &path);

Q_SIGNALS:
    void firstPainted();

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildPages();
    void buildMenus();
    void buildFileMenu();
    void buildRunMenu();
    void buildViewMenu();
    void addThemeAction(QMenu *menu, QActionGroup *group, widgets::ThemeChoice choice, const QString &text);
    void applyTheme();
    void showPage(int index);
    void restoreLayout();
    void restoreSession();
    Session session() const;
    void chooseModuleFile();
    void chooseKernelFile();
    void showAbout();

    services::Studio &m_studio;
    services::Settings &m_settings;
    QString m_sessionFile;
    QPalette m_desktopPalette;
    widgets::ThemeChoice m_themeChoice = widgets::ThemeChoice::FollowDesktop;
    widgets::Theme m_theme;
    widgets::ModeBar *m_modeBar = nullptr;
    QStackedWidget *m_pages = nullptr;
    widgets::AuthorPage *m_author = nullptr;
    widgets::ModelsModel *m_models = nullptr;
    widgets::ModelsPage *m_modelsPage = nullptr;
    StatusLine *m_status = nullptr;
    AuthorController *m_authorController = nullptr;
    ModelsController *m_modelsController = nullptr;
    SessionKeeper *m_keeper = nullptr;
    bool m_hasPainted = false;
};

} // namespace dice::studio
