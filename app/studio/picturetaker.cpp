#include "app/studio/picturetaker.h"

#include "app/studio/mainwindow.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/kernelpanel.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <csignal>

namespace dice::studio {

static constexpr int stepsBeforePicture = 30; // of a generation that is still at work
static constexpr int settleMs = 400; // for the last frame

PictureTaker::PictureTaker(MainWindow &window, services::Studio &studio, const StartOptions &options, QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_studio(studio)
    , m_options(options)
{
    const QStringList size = options.size.split(QLatin1Char('x'));
    if (size.size() == 2)
        m_window.resize(size[0].toInt(), size[1].toInt());
    if (options.theme == QLatin1String("light"))
        m_window.setThemeChoice(widgets::ThemeChoice::Light);
    else if (options.theme == QLatin1String("dark"))
        m_window.setThemeChoice(widgets::ThemeChoice::Dark);
}

void PictureTaker::start()
{
    if (m_options.state.isEmpty() || m_options.state == QLatin1String("empty")) {
        QTimer::singleShot(settleMs * 5, this, &PictureTaker::take);
        return;
    }
    prepareText();
    connect(&m_studio, &services::Studio::stepReceived, this, &PictureTaker::countStep);
    const auto takeSoon = [this] { QTimer::singleShot(settleMs, this, &PictureTaker::take); };
    connect(&m_studio, &services::Studio::finished, this, takeSoon);
    connect(&m_studio, &services::Studio::failed, this, takeSoon);
    m_window.authorPage()->generate();
}

void PictureTaker::prepareText()
{
    if (m_options.module.isEmpty())
        m_window.authorPage()->pickExample(1);
}

void PictureTaker::countStep()
{
    if (++m_numSteps != stepsBeforePicture)
        return;
    if (m_options.state == QLatin1String("working"))
        connect(m_window.authorPage()->kernelPanel()->canvas(), &widgets::TokenCanvas::frameShown, this,
                &PictureTaker::take, Qt::SingleShotConnection);
    else if (m_options.state == QLatin1String("failed"))
        ::kill(static_cast<pid_t>(m_studio.engine().channel().processId()), SIGKILL);
}

void PictureTaker::take()
{
    const bool isSaved = m_window.grab().save(m_options.screenshot);
    disconnect(&m_studio, nullptr, this, nullptr);
    connect(&m_studio, &services::Studio::processesEnded, this, [isSaved] { QCoreApplication::exit(isSaved ? 0 : 1); });
    m_studio.endProcesses();
}

} // namespace dice::studio
