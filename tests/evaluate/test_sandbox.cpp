// Ways out of the box: each is seen to work outside, and to fail inside.
#include "core/evaluate/box.h"
#include "core/evaluate/sandbox.h"
#include "core/evaluate/seccompfilter.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

using namespace dice::evaluate;

namespace {

enum class Where { Outside, Inside };

// The first line that a Python snippet prints; what became of the process when it prints none.
std::string run(const Sandbox &sandbox, Where where, WorkerRole role, const std::string &snippet)
{
    const std::vector<std::string> command{"/usr/bin/python3", "-S", "-c", snippet};
    BoxOptions options;
    options.role = role;
    options.arenaBytes = 1 << 16;
    auto box = where == Where::Inside
        ? Box::startProgram(sandbox.boxed(role, {}, workerSeccompDescriptor, command), sandbox.seccompProgram(role),
                            sandbox.controlGroupPlaces(), options)
        : Box::startProgram(command, {}, {}, options);
    if (!box)
        return box.error().message;
    std::string printed;
    for (int i = 0; i < 1000; ++i) {
        (*box)->wait(Box::WaitFor::Reading, 20);
        if ((*box)->readReplies(printed) == ReadOutcome::Closed || printed.find('\n') != std::string::npos)
            break;
    }
    if (printed.empty())
        return (*box)->describeEnd() + (*box)->errorOutput();
    return printed.substr(0, printed.find('\n'));
}

std::string attempt(const std::string &body)
{
    return "import os, sys, socket, ctypes\ntry:\n    " + body
        + "\n    print('done', flush=True)\nexcept OSError as e:\n"
          "    print('refused', flush=True)\n";
}

} // namespace

class TestSandbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }
    void initTestCase();
    void escapes_data();
    void escapes();
    void processesAreBounded();
    void memoryIsBounded();
    void temporaryFolderIsBounded();
    void everythingEndsWithTheBox();
    void missingLayerIsNamed();

private:
    std::unique_ptr<Sandbox> m_sandbox;
    QTemporaryDir m_folder;
    std::string m_file;
    int m_listener = -1;
    int m_port = 0;
};

void TestSandbox::initTestCase()
{
    m_sandbox = std::make_unique<Sandbox>(Sandbox::probe({}));
    if (!m_sandbox->hasBubblewrap())
        QSKIP(("no bubblewrap here: " + m_sandbox->warnings().front()).c_str());
    m_file = m_folder.filePath("secret").toStdString();
    std::ofstream(m_file) << "secret";
    m_listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    QVERIFY(::bind(m_listener, reinterpret_cast<sockaddr *>(&address), size) == 0 && ::listen(m_listener, 4) == 0);
    QVERIFY(::getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &size) == 0);
    m_port = ntohs(address.sin_port);
}

void TestSandbox::escapes_data()
{
    QTest::addColumn<QString>("body");
    QTest::newRow("read a file outside") << "open('%FILE%').read()";
    QTest::newRow("write outside") << "open('%FILE%-copy', 'w').write('x')";
    QTest::newRow("list the home folder of this user") << "os.listdir(os.path.dirname('%FILE%'))";
    QTest::newRow("connect to this machine") << "socket.create_connection(('127.0.0.1', %PORT%), 2)";
    QTest::newRow("see a process outside") << "os.kill(%PID%, 0)";
    QTest::newRow("start a process") << "pid = os.fork(); pid or os._exit(0)";
    QTest::newRow("be traced")
        << "c = ctypes.CDLL(None, use_errno=True)\n    if c.ptrace(0, 0, 0, 0) != 0: raise OSError";
}

void TestSandbox::escapes()
{
    QFETCH(QString, body);
    body.replace("%FILE%", QString::fromStdString(m_file));
    body.replace("%PORT%", QString::number(m_port));
    body.replace("%PID%", QString::number(::getpid()));
    const std::string snippet = attempt(body.toStdString());
    QCOMPARE(run(*m_sandbox, Where::Outside, WorkerRole::Candidate, snippet), std::string("done"));
    const std::string inside = run(*m_sandbox, Where::Inside, WorkerRole::Candidate, snippet);
    // A refused system call raises SIGSYS, which ends a program without the worker's handler.
    QVERIFY2(inside == "refused" || inside.find("signal 31") != std::string::npos, inside.c_str());
}

void TestSandbox::processesAreBounded()
{
    if (!m_sandbox->controlGroupPlaces().capsProcesses())
        QSKIP("no control group can be made here to cap processes with");
    const std::string bomb = R"(
import os, time
count = 0
for _ in range(300):
    try:
        if os.fork() == 0:
            time.sleep(60); os._exit(0)
        count += 1
    except OSError:
        break
print(count, flush=True)
time.sleep(60))";
    const int started = std::stoi(run(*m_sandbox, Where::Inside, WorkerRole::Build, bomb));
    QVERIFY2(started > 2 && started < 64, std::to_string(started).c_str());
}

void TestSandbox::memoryIsBounded()
{
    const std::string glutton = R"(
hoard = []
try:
    for _ in range(160):
        block = bytearray(64 << 20)
        block[::4096] = b'x' * len(block[::4096])
        hoard.append(block)
    print('took it all', flush=True)
except MemoryError:
    print('refused', flush=True))";
    const std::string ended = run(*m_sandbox, Where::Inside, WorkerRole::Candidate, glutton);
    QVERIFY2(ended == "refused" || ended.find("more memory than its cap") != std::string::npos
                 || ended.find("signal 9") != std::string::npos,
             ended.c_str());
}

void TestSandbox::temporaryFolderIsBounded()
{
    const std::string filler = R"(
try:
    for i in range(8):
        with open(f'/tmp/{i}', 'wb') as f:
            for _ in range(100): f.write(bytes(1 << 20))
    print('took it all', flush=True)
except OSError:
    print('refused', flush=True))";
    QCOMPARE(run(*m_sandbox, Where::Inside, WorkerRole::Candidate, filler), std::string("refused"));
}

// Build boxes may start processes: even those that leave their session end with the box.
void TestSandbox::everythingEndsWithTheBox()
{
    const std::string marker = "dice-sandbox-test-" + std::to_string(::getpid());
    const std::string daemon = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    os.execv('/usr/bin/python3', "
                               "['"
        + marker
        + "', '-c', 'import time; time.sleep(300)'])\ntime.sleep(0.5)\nprint('up', flush=True)\ntime.sleep(300)";
    QCOMPARE(run(*m_sandbox, Where::Inside, WorkerRole::Build, daemon), std::string("up"));
    for (const QString &name : QDir("/proc").entryList(QDir::Dirs)) {
        std::ifstream file("/proc/" + name.toStdString() + "/cmdline");
        std::string commandLine;
        std::getline(file, commandLine, '\0');
        QVERIFY2(commandLine != marker, "a process of the box is still there");
    }
}

void TestSandbox::missingLayerIsNamed()
{
    QCOMPARE(m_sandbox->layers().size(), std::size_t(5));
    const bool isFull = m_sandbox->warnings().empty();
    QCOMPARE(m_sandbox->level() == "full", isFull);
    for (const SandboxLayer &layer : m_sandbox->layers())
        QVERIFY2(layer.works || !layer.repair.empty(), layer.name.c_str());
}

QTEST_GUILESS_MAIN(TestSandbox)
#include "test_sandbox.moc"
