#include "core/evaluate/installation.h"

#include <filesystem>
#include <fstream>

namespace dice::evaluate {

namespace fs = std::filesystem;

namespace {

// "home = /usr/bin" and "version = 3.11.2" of pyvenv.cfg.
std::string configValue(const fs::path &file, const std::string &key)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(key + " = "))
            return line.substr(key.size() + 3);
    return {};
}

std::string firstMatch(const fs::path &folder, const std::string &prefix)
{
    std::error_code ignored;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with(prefix))
            return entry.path().string();
    return {};
}

std::string firstExisting(const std::vector<fs::path> &candidates)
{
    for (const fs::path &path : candidates)
        if (fs::exists(path))
            return fs::weakly_canonical(path).string();
    return {};
}

} // namespace

Result<Installation> findInstallation(const std::string &programFolder, const std::string &python,
                                      const std::string &cacheFolder)
{
    const fs::path bin(programFolder);
    Installation found;
    found.python = python;
    found.cacheFolder = cacheFolder;
    found.workerProgram = firstExisting({bin / "dice-worker"});
    found.pythonRoles = firstExisting({bin / "dice-worker-python.so"});
    found.pythonPackages = firstExisting({bin / "../share/dice-studio/python"});
    found.shimInclude = firstExisting({bin / "../share/dice-studio/include"});
    found.precompiledHeaders = firstExisting({bin / "../share/dice-studio/precompiled"});
    if (found.workerProgram.empty())
        return failure(ErrorCode::NotFound,
                       "dice-worker is not beside dice-evaluator in " + programFolder
                           + "; build the target dice-worker (presets with Torch have it)");
    const fs::path environment = fs::path(python).parent_path().parent_path();
    if (python.empty() || !fs::exists(python))
        return failure(ErrorCode::NotFound,
                       "the Python environment with torch is not at '" + python
                           + "'; run packaging/run.sh, or set DICE_PYTHON to the python of one that has torch 2.11");
    found.environment = environment.string();
    const std::string home = configValue(environment / "pyvenv.cfg", "home");
    found.basePython = home.empty() ? found.environment : fs::path(home).parent_path().string();
    const std::string library = firstMatch(environment / "lib", "python3");
    found.sitePackages = library + "/site-packages";
    found.pythonInclude = firstExisting({fs::path(found.basePython) / "include" / fs::path(library).filename()});
    return found;
}

} // namespace dice::evaluate
