#include "processchannel.h"

#include "core/base/log.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QProcess>

#include <chrono>

#include <unistd.h>

namespace dice::services {

using namespace std::chrono_literals;

namespace {

constexpr auto helloPatience = 60s; // LibTorch from a cold disk on a busy machine
constexpr auto stopPatience = 3s;
constexpr auto deathNotice = 200ms; // how late the end of a process may be noticed
constexpr int turnMs = 8; // the most that frames may take before the event loop goes round
constexpr int maxErrorTailBytes = 16 << 10;

QString endingOf(const QProcess &process)
{
    if (process.exitStatus() == QProcess::CrashExit)
        return QStringLiteral("was killed or crashed");
    return QStringLiteral("ended with status %1").arg(process.exitCode());
}

// Kills without waiting; the object goes once the process is reaped, and not inside one of its own signals.
void letGo(std::unique_ptr<QProcess> process)
{
    process->disconnect();
    if (process->state() == QProcess::NotRunning) {
        process.release()->deleteLater();
        return;
    }
    QObject::connect(process.get(), &QProcess::finished, process.get(), &QObject::deleteLater);
    process.release()->kill();
}

} // namespace

ProcessChannel::ProcessChannel(ProcessProgram program, QObject *parent)
    : QObject(parent)
    , m_program(std::move(program))
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        if (m_state == State::Stopping)
            m_process->kill();
        else
            fail(makeError(ErrorCode::Timeout, "the " + m_program.title.toStdString() + " did not answer in a minute"));
    });
}

ProcessChannel::~ProcessChannel()
{
    if (m_process)
        letGo(std::move(m_process));
}

qint64 ProcessChannel::processId() const
{
    return m_process ? m_process->processId() : 0;
}

RequestId ProcessChannel::send(std::string name, Json payload, ReplyHandler onReply, EventHandler onEvent)
{
    const RequestId id(++m_lastId);
    const bool isIdle = m_pending.empty();
    Pending &pending = m_pending[id] = {std::move(onReply), std::move(onEvent), {}, std::chrono::steady_clock::now()};
    ipc::Envelope request = ipc::makeRequest(id, std::move(name), std::move(payload));
    if (m_state == State::Ready) {
        write(request);
        if (isIdle && m_program.isStateless)
            pending.request = std::move(request);
    } else {
        m_unsent.push_back(std::move(request));
    }
    if (m_state == State::Stopped)
        start();
    return id;
}

void ProcessChannel::cancel(RequestId id)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
        return;
    found->second.request.reset();
    if (m_state == State::Ready)
        write(ipc::makeCancel(id));
    else
        m_unsent.push_back(ipc::makeCancel(id));
}

void ProcessChannel::abandon(RequestId id)
{
    cancel(id);
    m_pending.erase(id);
}

void ProcessChannel::stop()
{
    if (m_state == State::Stopped || m_state == State::Stopping)
        return;
    setState(State::Stopping);
    m_patience.start(stopPatience);
    m_process->closeWriteChannel();
}

void ProcessChannel::start()
{
    setState(State::Starting);
    m_decoder = ipc::FrameDecoder();
    m_errorTail.clear();
    m_process = std::make_unique<QProcess>();
    m_process->setProgram(m_program.file);
    m_process->setArguments(m_program.arguments);
    // Ctrl-C in a terminal is for the program that started this one, which then ends it cleanly.
    m_process->setChildProcessModifier([] { ::setpgid(0, 0); });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this, &ProcessChannel::readOutput);
    connect(m_process.get(), &QProcess::readyReadStandardError, this, &ProcessChannel::readErrors);
    connect(m_process.get(), &QProcess::finished, this, &ProcessChannel::handleFinished);
    // Queued: a missing program is noticed inside start(), and send() promises not to answer from inside.
    connect(
        m_process.get(), &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError fault) {
            if (fault == QProcess::FailedToStart && m_state == State::Starting)
                fail(makeError(ErrorCode::ProcessFailed,
                               "the " + m_program.title.toStdString() + " could not be started: "
                                   + m_program.file.toStdString() + " is not there or not executable; build it again"));
        },
        Qt::QueuedConnection);
    m_patience.start(helloPatience);
    m_process->start();
    write(ipc::makeHello("client"));
}

void ProcessChannel::write(const ipc::Envelope &envelope)
{
    const std::string frame = ipc::encodeFrame(ipc::encode(envelope));
    m_process->write(frame.data(), static_cast<qint64>(frame.size()));
}

void ProcessChannel::readOutput()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    m_decoder.append({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    handleFrames();
}

void ProcessChannel::readErrors()
{
    const QByteArray bytes = m_process->readAllStandardError();
    spdlog::debug("{}: {}", m_program.title.toStdString(), bytes.trimmed().toStdString());
    m_errorTail = (m_errorTail + bytes).right(maxErrorTailBytes);
}

void ProcessChannel::handleFrames()
{
    QElapsedTimer timer;
    timer.start();
    // A handler may delete this object, stop the process or start another one.
    const QPointer<ProcessChannel> self(this);
    const QProcess *process = m_process.get();
    while (self && m_process && m_process.get() == process) {
        if (timer.elapsed() > turnMs) {
            QMetaObject::invokeMethod(this, &ProcessChannel::handleFrames, Qt::QueuedConnection);
            return;
        }
        Result<std::optional<std::string>> frame = m_decoder.next();
        if (frame && !*frame)
            return;
        Result<ipc::Envelope> envelope = frame ? ipc::decode(**frame) : tl::unexpected(frame.error());
        if (envelope) {
            handle(*envelope);
            continue;
        }
        fail(makeError(ErrorCode::ProcessFailed,
                       "the " + m_program.title.toStdString() + " broke its protocol and was ended; try again",
                       envelope.error().message + "\n" + m_errorTail.toStdString()));
    }
}

void ProcessChannel::handle(const ipc::Envelope &envelope)
{
    if (m_state == State::Starting || envelope.type == ipc::MessageType::Hello) {
        handleHello(envelope);
        return;
    }
    const auto found = m_pending.find(envelope.id);
    if (found == m_pending.end())
        return; // late: abandoned, or answered before
    if (envelope.type == ipc::MessageType::Event) {
        found->second.request.reset();
        try {
            if (const EventHandler onEvent = found->second.onEvent)
                onEvent(envelope.name, envelope.payload);
        } catch (const Json::exception &fault) { // an event whose fields have other types than its reader expects
            spdlog::warn("{}: event {}: {}", m_program.title.toStdString(), envelope.name, fault.what());
        }
        return;
    }
    if (envelope.type != ipc::MessageType::Reply && envelope.type != ipc::MessageType::Error)
        return;
    const ReplyHandler onReply = std::move(found->second.onReply);
    m_pending.erase(found);
    if (envelope.type == ipc::MessageType::Reply)
        onReply(envelope.payload);
    else
        onReply(tl::unexpected(ipc::errorOf(envelope)));
}

void ProcessChannel::handleHello(const ipc::Envelope &envelope)
{
    if (m_state != State::Starting)
        return;
    if (const Status checked = ipc::checkHello(envelope); !checked) {
        fail(makeError(ErrorCode::ProcessFailed, m_program.title.toStdString() + ": " + checked.error().message,
                       m_errorTail.toStdString()));
        return;
    }
    m_patience.stop();
    m_capabilities = envelope.payload.value("capabilities", Json::object());
    for (const ipc::Envelope &request : std::exchange(m_unsent, {}))
        write(request);
    setState(State::Ready);
}

void ProcessChannel::handleFinished()
{
    const bool isExpected = m_state == State::Stopping;
    if (!isExpected) {
        // What it wrote before it ended still counts.
        const QPointer<ProcessChannel> self(this);
        const QProcess *process = m_process.get();
        readOutput();
        if (!self || m_process.get() != process)
            return;
    }
    readErrors();
    if (!isExpected && askAnew())
        return;
    const std::string title = m_program.title.toStdString();
    if (isExpected)
        fail(makeError(ErrorCode::Cancelled, "the " + title + " was stopped"));
    else
        fail(makeError(ErrorCode::ProcessFailed,
                       "the " + title + " " + endingOf(*m_process).toStdString() + "; try again, it starts anew",
                       m_errorTail.toStdString()));
}

// Whether the process was dead when its only request was made: a new one gets it, and nobody hears of that.
bool ProcessChannel::askAnew()
{
    if (m_pending.size() != 1)
        return false;
    Pending &only = m_pending.begin()->second;
    if (!only.request || std::chrono::steady_clock::now() - only.sent > deathNotice)
        return false;
    spdlog::info("{}: it had ended; a new one is asked", m_program.title.toStdString());
    dropProcess();
    m_unsent.push_back(*std::exchange(only.request, std::nullopt));
    start();
    return true;
}

// The end of the process, wanted or not: every open request hears of it.
void ProcessChannel::fail(Error error)
{
    const bool isExpected = m_state == State::Stopping;
    spdlog::info("{}: {} {}", m_program.title.toStdString(), error.message, error.detail);
    dropProcess();
    const std::map<RequestId, Pending> pending = std::exchange(m_pending, {});
    const QPointer<ProcessChannel> self(this);
    setState(State::Stopped);
    if (self && !isExpected)
        Q_EMIT endedUnexpectedly(error);
    for (const auto &[id, request] : pending)
        request.onReply(tl::unexpected(error));
}

void ProcessChannel::dropProcess()
{
    m_patience.stop();
    m_unsent.clear();
    letGo(std::move(m_process));
}

void ProcessChannel::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

} // namespace dice::services
