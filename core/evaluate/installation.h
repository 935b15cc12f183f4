// Where the parts that a worker needs lie on this machine. Found by the program, given to the library.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace dice::evaluate {

struct Installation
{
    std::string workerProgram; // dice-worker
    std::string pythonRoles; // dice-worker-python.so, which it loads
    std::string pythonPackages; // folder that holds dice_worker
    std::string shimInclude; // headers that candidates are compiled against
    std::string precompiledHeaders; // of them: see precompileHeaders; empty when that was never run
    std::string environment; // root of the virtual environment with torch
    std::string python; // its interpreter
    std::string basePython; // folder tree of the interpreter it was made from, "/usr" for the system's
    std::string sitePackages; // of the environment
    std::string pythonInclude; // folder of Python.h
    std::string cacheFolder; // holds the built artefacts
};

// Completes an installation from the environment's interpreter: reads pyvenv.cfg, starts nothing.
// NotFound with the next step when the environment or the worker is not there.
Result<Installation> findInstallation(const std::string &programFolder, const std::string &python,
                                      const std::string &cacheFolder);

} // namespace dice::evaluate
