#include "tests/benchmarks/kills.h"

#include "tests/benchmarks/realwindow.h"
#include "widgets/pages/authorpage.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QTimer>

#include <csignal>
#include <cstdio>
#include <random>

namespace dice::test {

namespace {

constexpr int patienceMs = 180'000;
constexpr int latestKillMs = 5000;

// Children of a process and theirs, by /proc: the workers are grandchildren inside their boxes.
std::vector<qint64> descendants(qint64 ancestor)
{
    std::vector<std::pair<qint64, qint64>> parents; // child, parent
    for (const QString &entry : QDir("/proc").entryList(QDir::Dirs)) {
        QFile stat("/proc/" + entry + "/stat");
        if (entry.toLongLong() == 0 || !stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 1)
            parents.emplace_back(entry.toLongLong(), fields[1].toLongLong());
    }
    std::vector<qint64> found = {ancestor};
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (const auto &[child, parent] : parents) {
            if (parent == found[i])
                found.push_back(child);
        }
    }
    found.erase(found.begin());
    return found;
}

bool isWorker(qint64 process)
{
    QFile name(QStringLiteral("/proc/%1/comm").arg(process));
    return name.open(QIODevice::ReadOnly) && name.readAll().startsWith("dice-worker");
}

struct Outcome
{
    bool isEnded = false; // within the patience
    QString word; // verdict, "failed: ..." or "no verdict"
};

// Presses Generate and waits for the end of the job.
Outcome runJob(RealWindow &parts)
{
    Outcome outcome;
    QEventLoop loop;
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    QObject::connect(&parts.jobs, &services::Studio::finished, &loop, [&](const services::JobOutcome &job) {
        const services::Attempt *best = job.best();
        outcome = {true, QLatin1String(best && best->verdict ? toString(best->verdict->word) : "no verdict")};
        loop.quit();
    });
    QObject::connect(&parts.jobs, &services::Studio::failed, &loop, [&](const Error &error) {
        outcome = {true, "failed: " + QString::fromStdString(error.message)};
        loop.quit();
    });
    parts.page().generate();
    loop.exec();
    return outcome;
}

qint64 chooseVictim(RealWindow &parts, int kind, std::mt19937 &random)
{
    if (kind == 0)
        return parts.jobs.engine().channel().processId();
    const qint64 judge = parts.jobs.evaluator().channel().processId();
    if (kind == 1)
        return judge;
    std::vector<qint64> workers = descendants(judge);
    std::erase_if(workers, [](qint64 process) { return !isWorker(process); });
    return workers.empty() ? 0 : workers[random() % workers.size()];
}

} // namespace

int killProcesses(int numKills, std::uint32_t seed)
{
    static const char *const kinds[] = {"engine", "judge", "worker"};
    RealWindow parts;
    parts.window.show();
    parts.page().pickExample(1);
    const QString text = parts.page().modulePanel()->text();
    std::mt19937 random(seed);
    int numBad = 0;
    for (int i = 0; i < numKills; ++i) {
        const int kind = static_cast<int>(random() % 3);
        const int moment = static_cast<int>(random() % latestKillMs);
        QTimer::singleShot(moment, &parts.window, [&] {
            if (const qint64 victim = chooseVictim(parts, kind, random); victim > 1)
                ::kill(static_cast<pid_t>(victim), SIGKILL);
        });
        const Outcome hit = runJob(parts);
        const Outcome next = runJob(parts);
        const bool isGood = hit.isEnded && next.isEnded && !next.word.startsWith("failed")
            && next.word != "harness_error" && parts.page().modulePanel()->text() == text;
        numBad += !isGood;
        std::printf("%2d %-6s after %4d ms: %s; next try: %s%s\n", i + 1, kinds[kind], moment, qPrintable(hit.word),
                    qPrintable(next.word), isGood ? "" : "   BAD");
        std::fflush(stdout);
    }
    QEventLoop loop;
    QObject::connect(&parts.jobs, &services::Studio::processesEnded, &loop, &QEventLoop::quit);
    QTimer::singleShot(patienceMs, &loop, &QEventLoop::quit);
    parts.jobs.endProcesses();
    loop.exec();
    const std::size_t numLeft = descendants(QCoreApplication::applicationPid()).size();
    std::printf("%d kills, %d bad, %zu processes left\n", numKills, numBad, numLeft);
    return numBad == 0 && numLeft == 0 ? 0 : 1;
}

} // namespace dice::test
