// dice bench DIR|FILE.jsonl: the share of a benchmark's tasks that a model, or given kernels, get right.
#pragma once

#include "app/cli/command.h"
#include "app/cli/decodingarguments.h"
#include "app/services/benchmarkrun.h"

#include <filesystem>
#include <memory>

namespace dice::cli {

class BenchCommand : public Command
{
    Q_OBJECT

public:
    void addTo(CLI::App &parent) override;
    void start() override;
    void interrupt() override;

private:
    Result<std::vector<services::BenchmarkTask>> readTasks() const;
    Result<services::BenchmarkSettings> makeSettings() const;
    void showTask(const services::BenchmarkResult &result);
    void printScores(const std::string &ending);
    void end(ExitStatus status);

    std::string m_tasks;
    std::string m_model;
    std::string m_device = "auto";
    std::string m_protocol = "strict";
    std::string m_kernels;
    std::string m_kernelsField;
    std::string m_run;
    int m_numTrials = 5;
    services::TaskSample m_sample;
    DecodingArguments m_decoding;

    std::filesystem::path m_runFolder;
    std::unique_ptr<services::Studio> m_studio;
    std::unique_ptr<services::VerifyQueue> m_queue;
    std::unique_ptr<services::BenchmarkRun> m_benchmark;
    int m_numEndings = 0;
};

} // namespace dice::cli
