// The evaluator's loop: requests prepare, verify and sandbox; several at once, each cancellable.
#pragma once

#include <string>

namespace dice::evaluator {

struct ServerOptions
{
    std::string programFolder;
    std::string python;
    std::string cacheFolder;
};

// Until stdin closes; then every box is gone. The exit status.
int serve(const ServerOptions &options);

// No loop: fills a folder with precompiled headers (core/evaluate/toolchain.h). The exit status.
int precompile(const ServerOptions &options, const std::string &folder);

} // namespace dice::evaluator
