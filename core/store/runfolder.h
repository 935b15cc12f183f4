// The folder that holds all that is known about one run: config.json as run, metrics.jsonl, checkpoints/step-N/.
// The only truth about a run: window and command line read it, so either can close and come back. It knows no trainer.
#pragma once

#include "core/data/json.h"

#include <filesystem>
#include <vector>

namespace dice::store {

struct CheckpointEntry
{
    int step = 0;
    std::filesystem::path folder;

    bool operator==(const CheckpointEntry &) const = default;
};

class RunFolder
{
public:
    // Makes the folder and writes config.json. InvalidArgument when there is a run in it already.
    static Result<RunFolder> create(const std::filesystem::path &folder, const Json &config);
    // NotFound when there is no run in it.
    static Result<RunFolder> open(const std::filesystem::path &folder);
    static bool isRun(const std::filesystem::path &folder);

    const std::filesystem::path &folder() const { return m_folder; }
    const Json &config() const { return m_config; }
    std::filesystem::path metricsFile() const { return m_folder / "metrics.jsonl"; }
    std::filesystem::path checkpointFolder(int step) const;

    // Finished checkpoints, earliest first. A checkpoint is written as step-N.partial and renamed when it is whole,
    // so what a killed run left half-written is not among them.
    std::vector<CheckpointEntry> checkpoints() const;

private:
    RunFolder(std::filesystem::path folder, Json config)
        : m_folder(std::move(folder))
        , m_config(std::move(config))
    {
    }

    std::filesystem::path m_folder;
    Json m_config;
};

// runs/<date>-<time>-<kind> below `root`, with a number behind when that is taken.
std::filesystem::path newRunFolder(const std::filesystem::path &root, const std::string &kind);

} // namespace dice::store
