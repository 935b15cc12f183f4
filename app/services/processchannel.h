// A conversation with one of the other processes: requests out, events and replies in, by id. It starts the process
// with the first request and again with the first one after a crash. It never waits, and knows no payloads.
#pragma once

#include "core/ipc/envelope.h"
#include "core/ipc/framecodec.h"

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QProcess;

namespace dice::services {

struct ProcessProgram
{
    QString title; // "engine", for messages
    QString file;
    QStringList arguments;
    bool isStateless = false; // no request depends on an earlier one
};

class ProcessChannel : public QObject
{
    Q_OBJECT

public:
    enum class State { Stopped, Starting, Ready, Stopping };
    Q_ENUM(State)

    using EventHandler = std::function<void(const std::string &name, const Json &payload)>;
    using ReplyHandler = std::function<void(Result<Json> reply)>;

    explicit ProcessChannel(ProcessProgram program, QObject *parent = nullptr);
    ~ProcessChannel() override; // kills the process

    // onReply is called exactly once, never from inside this call: with the reply, with the other side's error, or
    // with ProcessFailed when the process ends. onEvent comes before it, any number of times. A request that met a
    // stateless process which had just died idle is asked again of a new one.
    RequestId send(std::string name, Json payload, ReplyHandler onReply, EventHandler onEvent = {});

    // Asks the other side to end a request early; its reply or error still comes.
    void cancel(RequestId id);

    // The same, but nothing more is heard of it.
    void abandon(RequestId id);

    // Closes the process's input, which ends it, and kills it when it does not go. Open requests get Cancelled.
    void stop();

    State state() const { return m_state; }
    const Json &capabilities() const { return m_capabilities; } // of the hello; an object
    qint64 processId() const; // 0 when there is none

Q_SIGNALS:
    void stateChanged(dice::services::ProcessChannel::State state);
    void endedUnexpectedly(const dice::Error &error);

private:
    struct Pending
    {
        ReplyHandler onReply;
        EventHandler onEvent;
        std::optional<ipc::Envelope> request; // while it may have gone to a process that was dead already
        std::chrono::steady_clock::time_point sent;
    };

    void start();
    void write(const ipc::Envelope &envelope);
    void readOutput();
    void readErrors();
    void handleFrames();
    void handle(const ipc::Envelope &envelope);
    void handleHello(const ipc::Envelope &envelope);
    void handleFinished();
    bool askAnew();
    void fail(Error error);
    void dropProcess();
    void setState(State state);

    const ProcessProgram m_program;
    State m_state = State::Stopped;
    std::unique_ptr<QProcess> m_process;
    ipc::FrameDecoder m_decoder;
    Json m_capabilities = Json::object();
    std::uint64_t m_lastId = 0;
    std::map<RequestId, Pending> m_pending;
    std::vector<ipc::Envelope> m_unsent; // requests made before the hello came
    QByteArray m_errorTail; // the last of what the process wrote to stderr
    QTimer m_patience; // for the hello, and for the end after stop()
};

} // namespace dice::services
