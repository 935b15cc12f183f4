#include "builtkernel.h"

#include "core/build/buildplan.h"
#include "core/build/cpudevice/memorymap.h"

#include <QProcess>

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace dice::build;
using dice::cpudevice::CallOptions;
using dice::cpudevice::CallReport;
using dice::cpudevice::Device;

namespace {

const DiceHostApi *deviceApi()
{
    static const DiceHostApi api = [] {
        DiceHostApi result{};
        Device::fillApi(result);
        return result;
    }();
    return &api;
}

} // namespace

CommandRun runCommand(const std::vector<std::string> &command, const QString &folder)
{
    QStringList arguments;
    for (std::size_t i = 1; i < command.size(); ++i)
        arguments << QString::fromStdString(command[i]);
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(QString::fromStdString(command.front()), arguments);
    const bool isGood = process.waitForFinished(120000) && process.exitCode() == 0;
    return {isGood, process.readAllStandardError()};
}

BuiltKernel::BuiltKernel(const std::string &cuda, const std::vector<std::string> &functions,
                         const std::string &declarations)
{
    BuildRequest request = makeInlineRequest("test_kernels", {declarations}, {cuda});
    request.functions = functions;
    Toolchain toolchain;
    toolchain.shimInclude = DICE_SOURCE_DIR "/core/build/include";
    const dice::Result<BuildPlan> plan = planBuild(request, toolchain);
    if (!plan || plan->rungs.empty()) {
        m_problem = QStringLiteral("no plan");
        return;
    }
    const Rung &rung = plan->rungs.front();
    for (const auto &[name, text] : rung.files)
        std::ofstream((m_folder.path() + "/" + name.c_str()).toStdString()) << text;
    std::vector<std::vector<std::string>> commands;
    for (const CompileCommand &command : rung.commands)
        commands.push_back(command.argv);
    if (runCommands(commands))
        load((m_folder.path() + "/" + rung.outputs.front().c_str()).toStdString());
}

bool BuiltKernel::runCommands(const std::vector<std::vector<std::string>> &commands)
{
    for (const std::vector<std::string> &command : commands) {
        const CommandRun run = runCommand(command, m_folder.path());
        if (!run.isGood) {
            m_problem = QString::fromUtf8(run.errorOutput);
            return false;
        }
    }
    return true;
}

void BuiltKernel::load(const std::string &artefact)
{
    void *library = dlopen(artefact.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        m_problem = QString::fromUtf8(dlerror());
        return;
    }
    reinterpret_cast<DiceAttach>(dlsym(library, DICE_ATTACH_SYMBOL))(deviceApi());
    Device::instance().addArtefact(artefact);
    m_module = reinterpret_cast<DiceModuleOf>(dlsym(library, DICE_MODULE_SYMBOL))();
}

CallReport BuiltKernel::call(const std::string &function, const std::vector<std::int64_t> &arguments,
                             const CallOptions &options)
{
    std::vector<DiceValue> values(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        values[i].kind = DICE_INT;
        values[i].integer = arguments[i];
    }
    Device &device = Device::instance();
    device.beginCall(options);
    std::string thrown = "no function " + function;
    for (int i = 0; m_module != nullptr && i < m_module->functionCount; ++i) {
        if (m_module->functions[i].name != function)
            continue;
        DiceValue result{};
        const bool isGood = m_module->functions[i].invoke(&m_module->functions[i], values.data(), &result) == 0;
        thrown = isGood ? std::string() : m_module->errorText();
    }
    CallReport report = device.endCall();
    if (!thrown.empty())
        report.faults.push_back({"call", thrown, {}, 0});
    return report;
}

DeviceArray::DeviceArray(std::vector<float> values)
    : m_data(static_cast<float *>(
        Device::instance().memory().allocate(values.size() * sizeof(float), dice::cpudevice::MemoryKind::Runtime)))
{
    std::copy(values.begin(), values.end(), m_data);
}

DeviceArray::~DeviceArray()
{
    Device::instance().memory().release(m_data);
}
