// dice-engine: one model in memory, asked over stdin and stdout (docs/protocols.md).
#include "app/engine/session.h"
#include "core/base/log.h"

#include <CLI/CLI.hpp>

#include <sys/resource.h>

#include <thread>

namespace {

constexpr unsigned fewCores = 4;
constexpr int politeNice = 5; // the window on the same cores stays smooth

void yieldToTheWindow()
{
    if (std::thread::hardware_concurrency() <= fewCores)
        ::setpriority(PRIO_PROCESS, 0, politeNice);
}

} // namespace

int main(int argc, char *argv[])
{
    using namespace dice::engine;
    FrameStream stream = FrameStream::takeStandardStreams();
    dice::setUpLog("dice-engine");
    int numThreads = 0;
    CLI::App app{"dice-engine: started by dice-studio and dice"};
    app.add_option("--threads", numThreads, "threads of a forward on the CPU; 0 = one a core")
        ->check(CLI::Range(0, 1024));
    CLI11_PARSE(app, argc, argv);
    yieldToTheWindow();
    setNumThreads(numThreads);
    EngineState state;
    HandlerTable handlers;
    addModelHandlers(handlers, state);
    addTrainingHandlers(handlers);
    return Session(stream, std::move(handlers)).run();
}
