// What dice-evaluator tells a worker on its command line.
#pragma once

#include <string>

namespace dice::worker {

struct InterpreterPaths
{
    std::string python; // of the virtual environment: what its site-packages are found from
    std::string packages; // folder that holds the package dice_worker
};

struct WorkerOptions
{
    std::string role;
    InterpreterPaths interpreter; // not used by "build"
};

} // namespace dice::worker
