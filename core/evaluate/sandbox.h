// The policy of a box: what it sees, may do and may use, as the command line and limits that start it.
// Three layers: bubblewrap (name spaces, private file system), a system-call filter, control group with limits.
// Each is probed once; what is missing here is said in words and never silently left out.
#pragma once

#include "core/base/result.h"
#include "core/evaluate/controlgroup.h"
#include "core/evaluate/installation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dice::evaluate {

enum class WorkerRole { Build, Reference, Candidate };

const char *toString(WorkerRole role);

struct SandboxLayer
{
    std::string name;
    bool works = false;
    std::string detail; // what it gives, or why it does not work
    std::string repair; // next step for the user; empty when it works
};

struct BoxLimits
{
    std::int64_t memoryBytes = std::int64_t{3} << 30;
    std::int64_t numProcesses = 64;
    std::int64_t fileBytes = std::int64_t{256} << 20;
    std::int64_t temporaryBytes = std::int64_t{256} << 20; // of /tmp
    std::int64_t cpuSeconds = 900;
};

BoxLimits defaultLimits(WorkerRole role);

class Sandbox
{
public:
    // Finds out what works here; starts two or three short processes.
    static Sandbox probe(const Installation &installation);

    std::vector<SandboxLayer> layers() const;
    std::string level() const; // "full", "partial", "none"
    std::vector<std::string> warnings() const; // one sentence a missing layer

    bool hasBubblewrap() const { return m_hasBubblewrap; }
    const ControlGroupPlaces &controlGroupPlaces() const { return m_places; }
    // The filter of a role; empty when there is none.
    const std::string &seccompProgram(WorkerRole role) const;

    // argv of a worker. artefactFolder is seen read-only in the box as artefactFolderInBox().
    // seccompDescriptor is a descriptor number in the started process, or -1.
    std::vector<std::string> commandLine(WorkerRole role, const std::string &artefactFolder,
                                         int seccompDescriptor) const;
    // The same box around another program: what the tests try to get out of.
    std::vector<std::string> boxed(WorkerRole role, const std::string &artefactFolder, int seccompDescriptor,
                                   const std::vector<std::string> &command) const;
    std::string artefactFolderInBox(const std::string &artefactFolder) const;

private:
    explicit Sandbox(Installation installation)
        : m_installation(std::move(installation))
    {
    }
    void probeBubblewrap();
    std::vector<std::string> bubblewrapArguments(WorkerRole role, int seccompDescriptor) const;
    void appendFileSystem(WorkerRole role, std::vector<std::string> &arguments) const;
    std::vector<std::string> workerCommand(WorkerRole role) const;

    Installation m_installation;
    std::string m_bubblewrap;
    bool m_hasBubblewrap = false;
    bool m_hasUserNamespace = false;
    std::string m_bubblewrapFault;
    std::string m_buildFilter;
    std::string m_pythonFilter;
    std::string m_filterFault;
    ControlGroupPlaces m_places;
};

} // namespace dice::evaluate
