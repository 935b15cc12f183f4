// One started worker process in its box: pipes, shared memory, its end. Single use.
// The box dies with the thread that started it: start boxes on threads that live as long as the process.
// Must not know the protocol that runs over the pipes.
#pragma once

#include "core/evaluate/arena.h"
#include "core/evaluate/controlgroup.h"
#include "core/evaluate/filedescriptor.h"
#include "core/evaluate/sandbox.h"

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dice::evaluate {

// Descriptors of a worker.
inline constexpr int workerInputArenaDescriptor = 3;
inline constexpr int workerOutputArenaDescriptor = 4;
inline constexpr int workerSeccompDescriptor = 5; // read and closed before the worker runs

struct BoxOptions
{
    WorkerRole role = WorkerRole::Candidate;
    std::string artefactFolder; // of the host; empty: none
    std::size_t arenaBytes = std::size_t{256} << 20; // address space; memory is taken when touched
};

enum class ReadOutcome { Bytes, Nothing, Closed };

class Box
{
public:
    static Result<std::unique_ptr<Box>> start(const Sandbox &sandbox, const BoxOptions &options);
    // The same around another program: for tests of what follows when a worker misbehaves.
    static Result<std::unique_ptr<Box>> startProgram(const std::vector<std::string> &arguments,
                                                     const std::string &seccompProgram,
                                                     const ControlGroupPlaces &places, const BoxOptions &options);

    Box(const Box &) = delete;
    Box &operator=(const Box &) = delete;
    ~Box(); // kills

    WorkerRole role() const { return m_options.role; }
    const std::string &artefactFolder() const { return m_options.artefactFolder; }
    Arena &inputArena() { return m_inputArena; }
    const Arena &outputArena() const { return m_outputArena; }

    // Waits until there is something to read, room to write (when asked), or the time is over.
    enum class WaitFor { Reading, ReadingOrWriting };
    void wait(WaitFor what, int milliseconds);
    ReadOutcome readReplies(std::string &bytes); // appends what is there, at most 64 KiB
    // Number of bytes taken by the pipe; -1 when the worker no longer reads.
    std::ptrdiff_t writeRequests(std::string_view bytes);

    // Processor time that the living processes of the box have used.
    double processorSeconds() const;

    // Ends everything in the box and waits until it is gone.
    void kill();
    // How it ended, as a sentence about "it"; after the replies were closed or kill().
    std::string describeEnd();
    bool ranIntoMemoryCap() const { return m_numMemoryKills > 0; }
    std::int64_t numForkDenials() const { return m_numForkDenials; }
    const std::string &errorOutput() const { return m_errorOutput; } // the last 64 KiB of stderr

private:
    explicit Box(BoxOptions options)
        : m_options(std::move(options))
    {
    }
    Status prepare(const std::string &seccompProgram, const ControlGroupPlaces &places);
    Status launch(const std::vector<std::string> &arguments, const std::string &seccompProgram, bool hasOwnFilter);
    bool drainErrorOutput(); // reads a chunk; false when there is none now, or no more
    void reap();

    BoxOptions m_options;
    Arena m_inputArena;
    Arena m_outputArena;
    FileDescriptor m_requests;
    FileDescriptor m_replies;
    FileDescriptor m_errors;
    FileDescriptor m_childRequests;
    FileDescriptor m_childReplies;
    FileDescriptor m_childErrors;
    FileDescriptor m_seccompFile;
    std::optional<ControlGroup> m_group;
    pid_t m_process = -1;
    std::optional<int> m_waitStatus;
    bool m_wasKilledByUs = false;
    std::int64_t m_numMemoryKills = 0;
    std::int64_t m_numForkDenials = 0;
    std::string m_errorOutput;
};

} // namespace dice::evaluate
