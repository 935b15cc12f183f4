#include "machinefindings.h"

#include "app/services/installation.h"
#include "app/services/modelcatalog.h"

#include <QDir>
#include <QFileInfo>
#include <QLibrary>
#include <QStandardPaths>

namespace dice::cli {

namespace {

Finding program(const std::string &name, const QString &file, Need need, const std::string &repair)
{
    const QString found = QStandardPaths::findExecutable(file);
    return {name, !found.isEmpty(), need, found.toStdString(), found.isEmpty() ? repair : ""};
}

Finding sibling(const services::ProcessProgram &program)
{
    const bool works = QFileInfo(program.file).isExecutable();
    return {program.title.toStdString(), works, Need::Required, program.file.toStdString(),
            works ? "" : "build it again: packaging/run.sh"};
}

Finding gpu()
{
    const bool works = QFileInfo::exists("/dev/nvidia0");
    return {"NVIDIA GPU", works, Need::Optional, works ? "/dev/nvidia0" : "none; kernels run on the CPU device",
            works ? "" : "with a GPU in this machine: install NVIDIA's driver"};
}

Finding library(const std::string &name, const QString &file, const std::string &repair)
{
    QLibrary library(file);
    const bool works = library.load();
    return {name, works, Need::Optional, works ? file.toStdString() : library.errorString().toStdString(),
            works ? "" : repair};
}

// Of the wheel that this program was built with.
Finding wheelLibrary(const std::string &name, const QString &root, const QString &pattern, Need need)
{
    const QDir folder(root + QStringLiteral("/lib"));
    const QStringList found = root.isEmpty() ? QStringList() : folder.entryList({pattern}, QDir::Files);
    const bool works = !found.isEmpty();
    return {name, works, need, works ? folder.filePath(found.front()).toStdString() : "not found",
            works ? "" : "make the Python environment again: packaging/setup.sh"};
}

Finding boxModel()
{
    const Result<services::ModelEntry> model = services::ModelCatalog::ofInstallation().defaultModel();
    return {"model", model.has_value(), Need::Required, model ? model->folder.toStdString() : model.error().message,
            model ? "" : "put a model folder into " + services::userModelFolder().toStdString()};
}

} // namespace

std::vector<Finding> findMachine()
{
    const QString nvidia = QStringLiteral(DICE_NVIDIA_ROOT);
    return {
        sibling(services::engineProgram()),
        sibling(services::evaluatorProgram()),
        boxModel(),
        program("C++ compiler", "g++", Need::Required, "install it: apt-get install g++"),
        wheelLibrary("LibTorch", QStringLiteral(DICE_TORCH_ROOT), "libtorch_cpu.so*", Need::Required),
        wheelLibrary("NVRTC", nvidia, "libnvrtc.so*", Need::Required),
        wheelLibrary("CUPTI", nvidia, "libcupti.so*", Need::Optional),
        gpu(),
        library("CUDA driver", "libcuda.so.1", "needed for a GPU only: install NVIDIA's driver"),
        program("nvcc", "nvcc", Need::Optional, "needed for CUDA code that NVRTC refuses: install a CUDA toolkit"),
        program("bubblewrap", "bwrap", Need::Required, "install it: apt-get install bubblewrap"),
    };
}

} // namespace dice::cli
