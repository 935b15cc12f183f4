// dice-worker: runs one untrusted text in one role, inside the box that dice-evaluator put it in.
#include "app/worker/serve.h"

#include <CLI/CLI.hpp>

int main(int argc, char *argv[])
{
    using namespace dice::worker;
    FrameChannel channel = FrameChannel::takeStandardStreams();
    WorkerOptions options;
    CLI::App app{"dice-worker: started by dice-evaluator"};
    app.add_option("--role", options.role)->required()->check(CLI::IsMember({"build", "reference", "candidate"}));
    app.add_option("--python", options.interpreter.python);
    app.add_option("--packages", options.interpreter.packages);
    CLI11_PARSE(app, argc, argv);
    return serve(options, channel);
}
