#include "app/worker/interpreter.h"

#include "app/worker/auditlog.h"

#include <pybind11/embed.h>

namespace py = pybind11;

namespace dice::worker {

namespace {

// Nothing that the import makes is garbage: looking for some would cost a tenth of its time, now and in every later
// collection.
void importTorch()
{
    const py::module_ gc = py::module_::import("gc");
    gc.attr("disable")();
    py::module_::import("torch").attr("set_num_threads")(1);
    gc.attr("freeze")();
    gc.attr("enable")();
}

} // namespace

Status startInterpreter(const InterpreterPaths &paths)
{
    installAuditHook();
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.write_bytecode = 0;
    config.site_import = 1;
    PyStatus status = PyConfig_SetBytesString(&config, &config.executable, paths.python.c_str());
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(&config, &config.program_name, paths.python.c_str());
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        return failure(ErrorCode::Internal, "Python cannot be started", status.err_msg ? status.err_msg : "");
    try {
        py::module_::import("sys").attr("path").attr("insert")(0, paths.packages);
        importTorch();
    } catch (const py::error_already_set &fault) {
        return failure(ErrorCode::Internal, "torch cannot be imported by the worker", fault.what());
    }
    return {};
}

} // namespace dice::worker
