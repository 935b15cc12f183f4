// Between the Author page and the Studio: intents become jobs, what happens comes back as facts. Holds no text.
#pragma once

#include "app/services/settings.h"
#include "app/services/studio.h"
#include "widgets/pages/authorpage.h"

#include <QObject>

#include <functional>

namespace dice::studio {

class StatusLine;

class AuthorController : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        widgets::AuthorPage &page;
        services::Studio &studio;
        services::Settings &settings;
        StatusLine &status;
    };

    explicit AuthorController(const Parts &parts, QObject *parent = nullptr);

    // After the first paint: loads the model and asks the judge what its sandbox can do.
    void startBackground();

private:
    void connectPage();
    void connectStudio();
    void fillDevices();
    void startGeneration(const widgets::GenerateIntent &intent);
    void startVerification(const widgets::VerifyIntent &intent);
    void showStage(services::Studio::Stage stage);
    void showSpeed(const GenerateResult &result);
    void showFailure(const Error &error);
    void showIdleFailure(const widgets::PageFailure &failure);
    void recover(widgets::FailureAction action);
    void warmUp();
    void askForSandbox();

    widgets::AuthorPage &m_page;
    services::Studio &m_studio;
    services::Settings &m_settings;
    StatusLine &m_status;
    std::function<void()> m_lastIntent; // what "Try again" repeats
};

} // namespace dice::studio
