#include "app/worker/serve.h"

#include "app/worker/buildrole.h"
#include "app/worker/pythonroles.h"
#include "app/worker/requestloop.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

namespace dice::worker {

namespace {

void serveBuild(Arenas &arenas, FrameChannel &channel)
{
    BuildRole role(arenas);
    channel.send(ipc::makeHello("dice-worker", {{"role", "build"}}));
    answerRequests(
        channel, [&channel] { return channel.receive(); },
        [&role](const ipc::Envelope &request) { return role.answer(request.name, request.payload); });
}

Status servePythonRole(const WorkerOptions &options, Arenas &arenas, FrameChannel &channel)
{
    const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe").parent_path() / pythonRolesFile;
    // Global: Python's extension modules and candidates' libraries look up Python's and LibTorch's symbols.
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void *entry = library != nullptr ? dlsym(library, pythonRolesEntry) : nullptr;
    if (entry == nullptr)
        return failure(ErrorCode::NotFound, file.string() + " cannot be loaded; build the program again", dlerror());
    Status end;
    reinterpret_cast<ServePythonRole>(entry)(options, arenas, channel, end);
    return end;
}

Status serveRole(const WorkerOptions &options, FrameChannel &channel)
{
    Result<Arenas> arenas = Arenas::map();
    if (!arenas)
        return tl::unexpected(arenas.error());
    if (options.role != "build")
        return servePythonRole(options, *arenas, channel);
    serveBuild(*arenas, channel);
    return {};
}

} // namespace

int serve(const WorkerOptions &options, FrameChannel &channel)
{
    int status = 0;
    try {
        if (Status served = serveRole(options, channel); !served) {
            std::fprintf(stderr, "%s: %s\n", served.error().message.c_str(), served.error().detail.c_str());
            status = 1;
        }
    } catch (const std::exception &fault) {
        std::fprintf(stderr, "dice-worker: %s\n", fault.what());
        status = 1;
    }
    // Without destructors: nothing that a candidate left behind runs now.
    std::fflush(nullptr);
    ::_exit(status);
}

} // namespace dice::worker
