// Figures of the window: first paint of the process, stalls of the event loop while the model writes, frames at a
// steady rate of cell updates.
//   bench_window frames [SECONDS]      5,000 cell updates a second into the canvas of the real page
//   bench_window stalls [SECONDS]      event loop sampled at 1 kHz while the real engine generates again and again
//   bench_window kills [COUNT] [SEED]  ends engine, judge and workers in mid-job: see kills.h
//   bench_window paint [RUNS]          start of dice-studio until its window has painted, by its own report
#include "tests/benchmarks/kills.h"
#include "tests/benchmarks/realwindow.h"
#include "tests/widgets/fixtures.h"
#include "widgets/canvas/tokencanvas.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/kernelpanel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace dice;

namespace {

class Samples
{
public:
    void add(double value) { m_values.push_back(value); }

    void print(const char *what, const char *unit)
    {
        if (m_values.empty()) {
            std::printf("%s: no samples\n", what);
            return;
        }
        std::sort(m_values.begin(), m_values.end());
        const auto at = [this](double share) {
            return m_values[static_cast<std::size_t>(share * static_cast<double>(m_values.size() - 1))];
        };
        std::printf("%s: n %zu  p50 %.2f  p95 %.2f  p99 %.2f  max %.2f %s\n", what, m_values.size(), at(0.5), at(0.95),
                    at(0.99), m_values.back(), unit);
    }

private:
    std::vector<double> m_values;
};

// How long a paint of the canvas takes, and how long the loop was away between two of its 1 ms timers.
struct Watch : QObject
{
    explicit Watch(QWidget *painted)
        : m_painted(painted)
    {
        painted->installEventFilter(this);
        m_tick.setTimerType(Qt::PreciseTimer);
        connect(&m_tick, &QTimer::timeout, this, [this] {
            timespec now{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
            const double cpuMs = static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
            if (m_sinceTick.isValid())
                turns.add(cpuMs - m_cpuMs);
            m_cpuMs = cpuMs;
            if (m_sinceTick.isValid())
                stalls.add(static_cast<double>(m_sinceTick.nsecsElapsed()) * 1e-6 - 1.0);
            m_sinceTick.start();
        });
        m_tick.start(1);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Paint || m_isInside)
            return false;
        m_isInside = true;
        QElapsedTimer timer;
        timer.start();
        QCoreApplication::sendEvent(watched, event);
        paints.add(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        m_isInside = false;
        return true;
    }

    Samples paints;
    Samples stalls;
    Samples turns; // processor time of the GUI thread between two ticks: what a busy machine cannot lengthen

private:
    QWidget *m_painted;
    QTimer m_tick;
    QElapsedTimer m_sinceTick;
    double m_cpuMs = 0.0;
    bool m_isInside = false;
};

int measureFrames(int seconds)
{
    constexpr int cellsPerSecond = 5000;
    constexpr int cellsPerStep = 8;
    test::RealWindow parts;
    parts.window.show();
    QString text;
    while (text.size() < 20'000)
        text += test::kernelText();
    const auto steps = test::stepsFor(text);
    parts.page().modulePanel()->setModule(test::moduleText(), "softmax.py");
    std::size_t next = steps.size();
    QElapsedTimer clock;
    clock.start();
    qint64 numSent = 0;
    Watch watch(parts.page().kernelPanel()->canvas()->viewport());
    Samples frames;
    QElapsedTimer sinceFrame;
    QObject::connect(parts.page().kernelPanel()->canvas(), &widgets::TokenCanvas::frameShown, &watch, [&] {
        if (sinceFrame.isValid())
            frames.add(static_cast<double>(sinceFrame.nsecsElapsed()) * 1e-6);
        sinceFrame.start();
    });
    QTimer producer;
    QObject::connect(&producer, &QTimer::timeout, &watch, [&] {
        const qint64 due = clock.elapsed() * cellsPerSecond / 1000 / cellsPerStep;
        for (; numSent < due; ++numSent) {
            if (next >= steps.size()) {
                parts.page().showFinished();
                parts.page().showAttempt(DecodingOptions());
                next = 0;
            }
            parts.page().appendStep(steps[next++]);
        }
        if (clock.elapsed() > seconds * 1000)
            QCoreApplication::quit();
    });
    producer.start(2);
    QApplication::exec();
    std::printf("%lld steps, %lld cell updates in %d s\n", static_cast<long long>(numSent),
                static_cast<long long>(numSent * cellsPerStep), seconds);
    watch.paints.print("canvas paint", "ms");
    frames.print("between frames", "ms");
    watch.stalls.print("event loop late", "ms");
    watch.turns.print("own work of a turn", "ms of processor");
    return 0;
}

int measureStalls(int seconds)
{
    test::RealWindow parts;
    parts.window.show();
    parts.page().pickExample(1);
    int numKernels = 0;
    int numFailures = 0;
    Watch watch(parts.page().kernelPanel()->canvas()->viewport());
    QElapsedTimer clock;
    const auto again = [&] {
        if (clock.elapsed() > seconds * 1000)
            QCoreApplication::quit();
        else
            QTimer::singleShot(50, &watch, [&parts] { parts.page().generate(); });
    };
    QObject::connect(&parts.jobs, &services::Studio::finished, &watch, [&] {
        ++numKernels;
        again();
    });
    QObject::connect(&parts.jobs, &services::Studio::failed, &watch, [&](const Error &error) {
        ++numFailures;
        std::printf("failed: %s\n", error.message.c_str());
        QCoreApplication::quit();
    });
    clock.start();
    again();
    QApplication::exec();
    std::printf("%d kernels, %d failures in %lld ms\n", numKernels, numFailures,
                static_cast<long long>(clock.elapsed()));
    watch.stalls.print("event loop late", "ms");
    watch.turns.print("own work of a turn", "ms of processor");
    watch.paints.print("canvas paint", "ms");
    return numFailures == 0 ? 0 : 1;
}

int measureFirstPaint(int numRuns)
{
    Samples starts;
    for (int run = 0; run < numRuns; ++run) {
        QTemporaryDir folder;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("DICE_LOG", "info");
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        QElapsedTimer clock;
        clock.start();
        process.start(QCoreApplication::applicationDirPath() + "/../bin/dice-studio", {"--profile", folder.path()});
        while (process.waitForReadyRead(10'000)) {
            if (process.readAll().contains("first paint"))
                break;
        }
        starts.add(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        process.kill();
        process.waitForFinished();
    }
    starts.print("first paint since start of the process", "ms");
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    const QStringList arguments = application.arguments();
    const QString what = arguments.value(1);
    const int count = arguments.value(2, "10").toInt();
    if (what == "frames")
        return measureFrames(count);
    if (what == "stalls")
        return measureStalls(count);
    if (what == "kills")
        return test::killProcesses(count, arguments.value(3, "1").toUInt());
    if (what == "paint")
        return measureFirstPaint(count);
    std::fprintf(stderr, "bench_window frames|stalls|paint|kills [SECONDS|RUNS|COUNT]\n");
    return 2;
}
