// Brings the real window into one of its four states by pressing its own buttons, writes a picture, and quits.
// Nothing is faked: the model writes, the judge judges, and for "failed" the engine's process is ended.
#pragma once

#include "app/services/studio.h"
#include "app/studio/startup.h"

#include <QObject>

namespace dice::studio {

class MainWindow;

class PictureTaker : public QObject
{
    Q_OBJECT

public:
    PictureTaker(MainWindow &window, services::Studio &studio, const StartOptions &options, QObject *parent = nullptr);

    // Quits the application with 0, or with 1 when the picture could not be taken.
    void start();

private:
    void prepareText();
    void countStep();
    void take();

    MainWindow &m_window;
    services::Studio &m_studio;
    const StartOptions m_options;
    int m_numSteps = 0;
};

} // namespace dice::studio
