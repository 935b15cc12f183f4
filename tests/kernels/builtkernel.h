// Builds a CUDA text for the CPU device as the evaluator would, and calls its functions with plain numbers.
#pragma once

#include "core/build/cpudevice/device.h"
#include "core/build/include/dice/hostapi.h"

#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

struct CommandRun
{
    bool isGood = false; // ended in time, with status 0
    QByteArray errorOutput;
};

CommandRun runCommand(const std::vector<std::string> &command, const QString &folder);

class BuiltKernel
{
public:
    // functions take int64_t arguments: addresses and counts.
    BuiltKernel(const std::string &cuda, const std::vector<std::string> &functions, const std::string &declarations);

    const QString &problem() const { return m_problem; }
    // What the call recorded. Fails the report with fault kind "call" when the function threw.
    dice::cpudevice::CallReport call(const std::string &function, const std::vector<std::int64_t> &arguments,
                                     const dice::cpudevice::CallOptions &options = {});

private:
    bool runCommands(const std::vector<std::vector<std::string>> &commands);
    void load(const std::string &artefact);

    QTemporaryDir m_folder;
    QString m_problem;
    const DiceModule *m_module = nullptr;
};

// Memory of the device, registered and guarded.
class DeviceArray
{
public:
    explicit DeviceArray(std::vector<float> values);
    ~DeviceArray();
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;

    std::int64_t address() const { return reinterpret_cast<std::int64_t>(m_data); }
    float operator[](std::size_t i) const { return m_data[i]; }

private:
    float *m_data;
};
