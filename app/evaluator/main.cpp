// dice-evaluator: the judge. Requests on stdin, replies on stdout, until stdin closes.
#include "app/evaluator/server.h"
#include "core/base/log.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>

int main(int argc, char *argv[])
{
    dice::setUpLog("dice-evaluator");
    dice::evaluator::ServerOptions options;
    const char *python = std::getenv("DICE_PYTHON");
    const char *cache = std::getenv("XDG_CACHE_HOME");
    const char *home = std::getenv("HOME");
    options.programFolder = std::filesystem::canonical("/proc/self/exe").parent_path().string();
    options.python = python != nullptr ? python : DICE_DEFAULT_PYTHON;
    options.cacheFolder
        = (cache != nullptr ? std::string(cache) : std::string(home ? home : "") + "/.cache") + "/dice-studio";
    CLI::App app{"dice-evaluator: started by dice and dice-studio"};
    app.add_option("--python", options.python, "python of the environment with torch");
    app.add_option("--cache", options.cacheFolder, "folder of built artefacts");
    std::string precompiled;
    app.add_option("--precompile", precompiled, "compile the headers for kernels in advance into this folder, and end");
    CLI11_PARSE(app, argc, argv);
    return precompiled.empty() ? dice::evaluator::serve(options) : dice::evaluator::precompile(options, precompiled);
}
