#include "candidatemodule.h"

#include "candidatemodule_tensors.h"
#include "candidatemodule_values.h"

#include <Python.h>

#include <dlfcn.h>

#include <memory>
#include <vector>

namespace dice::worker {

namespace {

using cpudevice::Device;

constexpr std::size_t maxMessage = 300; // pybind11 prints whole tensors; nobody reads them

const DiceHostApi *hostApi()
{
    static const DiceHostApi api = [] {
        DiceHostApi result{};
        Device::fillApi(result);
        fillTensorApi(result);
        return result;
    }();
    return &api;
}

struct Values
{
    std::vector<DiceValue> items;
    std::vector<bool> isOwned;

    explicit Values(std::size_t count)
        : items(count)
        , isOwned(count, false)
    {
    }
    Values(const Values &) = delete;
    Values &operator=(const Values &) = delete;
    ~Values()
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (isOwned[i])
                freeDiceValue(items[i]);
        }
    }
};

// All overloads of one name.
struct BoundName
{
    const DiceModule *module = nullptr;
    std::vector<const DiceFunction *> overloads;
    PyMethodDef definition{};
};

PyObject *argumentFor(const DiceFunction &function, int index, PyObject *positional, PyObject *named)
{
    if (index < PyTuple_GET_SIZE(positional))
        return PyTuple_GET_ITEM(positional, index);
    const char *name = function.argumentNames[index];
    return named != nullptr && name != nullptr ? PyDict_GetItemString(named, name) : nullptr;
}

bool bindArguments(const DiceFunction &function, PyObject *positional, PyObject *named, Values &values)
{
    const Py_ssize_t given = PyTuple_GET_SIZE(positional) + (named != nullptr ? PyDict_GET_SIZE(named) : 0);
    if (given > function.argumentCount)
        return false;
    Py_ssize_t used = 0;
    for (int i = 0; i < function.argumentCount; ++i) {
        if (PyObject *object = argumentFor(function, i, positional, named)) {
            ++used;
            if (!fromPython(object, function.argumentTypes[i], values.items[std::size_t(i)]))
                return false;
            values.isOwned[std::size_t(i)] = true;
        } else if (function.defaults[i] != nullptr) {
            values.items[std::size_t(i)] = *function.defaults[i];
        } else {
            return false;
        }
    }
    return used == given;
}

std::string signatureOf(const DiceFunction &function)
{
    std::string text = "(";
    for (int i = 0; i < function.argumentCount; ++i) {
        const char *name = function.argumentNames[i];
        text += (i == 0 ? "" : ", ") + (name != nullptr ? std::string(name) : "arg" + std::to_string(i)) + ": "
            + function.argumentTypes[i];
    }
    return text + ")";
}

PyObject *raiseWrongArguments(const BoundName &bound, PyObject *positional)
{
    std::string message = std::string(bound.overloads[0]->name)
        + "(): incompatible function arguments. The following argument types are supported: ";
    for (const DiceFunction *function : bound.overloads)
        message += signatureOf(*function) + " ";
    message += "Invoked with:";
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(positional); ++i)
        message += std::string(i == 0 ? " " : ", ") + Py_TYPE(PyTuple_GET_ITEM(positional, i))->tp_name;
    PyErr_SetString(PyExc_TypeError, message.substr(0, maxMessage).c_str());
    return nullptr;
}

PyObject *raise(PyObject *type, const std::string &message)
{
    PyObject *text = PyUnicode_DecodeUTF8(message.data(), Py_ssize_t(message.size()), "replace");
    if (text != nullptr)
        PyErr_SetObject(type, text);
    Py_XDECREF(text);
    return nullptr;
}

PyObject *invoke(const BoundName &bound, const DiceFunction &function, const Values &values)
{
    DiceValue result{};
    int32_t status = 0;
    std::string error;
    Py_BEGIN_ALLOW_THREADS status = function.invoke(&function, values.items.data(), &result);
    if (status != 0)
        error = bound.module->errorText();
    Py_END_ALLOW_THREADS if (status != 0) return raise(status == 2 ? PyExc_TypeError : PyExc_RuntimeError, error);
    // On a GPU the error of a kernel surfaces at the next synchronisation; here it is known at once.
    const std::string fault = Device::instance().pendingError();
    PyObject *object = fault.empty() ? toPython(result) : raise(PyExc_RuntimeError, "CUDA error: " + fault);
    freeDiceValue(result);
    return object;
}

PyObject *callBound(PyObject *capsule, PyObject *positional, PyObject *named)
{
    const BoundName &bound = *static_cast<BoundName *>(PyCapsule_GetPointer(capsule, nullptr));
    for (const DiceFunction *function : bound.overloads) {
        Values values(std::size_t(function->argumentCount));
        if (bindArguments(*function, positional, named, values))
            return invoke(bound, *function, values);
    }
    return raiseWrongArguments(bound, positional);
}

// Functions live as long as the process: an artefact is never unloaded.
PyObject *makeFunction(std::unique_ptr<BoundName> bound)
{
    BoundName *name = bound.release();
    name->definition
        = {name->overloads[0]->name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&callBound)),
           METH_VARARGS | METH_KEYWORDS, name->overloads[0]->doc};
    PyObject *capsule = PyCapsule_New(name, nullptr, nullptr);
    PyObject *function = capsule != nullptr ? PyCFunction_New(&name->definition, capsule) : nullptr;
    Py_XDECREF(capsule);
    return function;
}

tl::unexpected<Error> loadFailure(const std::string &what)
{
    PyErr_Clear();
    return failure(ErrorCode::InvalidData, "the built extension does not load: " + what);
}

Result<PyObject *> makeModule(const DiceModule &module, const std::string &name)
{
    PyObject *object = PyModule_New(name.c_str());
    for (int i = 0; object != nullptr && i < module.functionCount; ++i) {
        const char *functionName = module.functions[i].name;
        if (PyObject_HasAttrString(object, functionName))
            continue; // an overload, taken along by the first
        auto bound = std::make_unique<BoundName>();
        bound->module = &module;
        for (int j = i; j < module.functionCount; ++j) {
            if (std::string(module.functions[j].name) == functionName)
                bound->overloads.push_back(&module.functions[j]);
        }
        PyObject *function = makeFunction(std::move(bound));
        if (function == nullptr || PyObject_SetAttrString(object, functionName, function) != 0)
            return loadFailure("Python has no memory left");
        Py_DECREF(function);
    }
    if (object == nullptr)
        return loadFailure("Python has no memory left");
    return object;
}

// The text of Python's pending error, which is cleared.
std::string takePythonError()
{
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *text = value != nullptr ? PyObject_Str(value) : nullptr;
    const char *message = text != nullptr ? PyUnicode_AsUTF8(text) : nullptr;
    const std::string reason = message != nullptr ? message : "unknown error";
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    PyErr_Clear();
    return reason;
}

// Built with Torch's real headers: an ordinary extension module of pybind11, which is filled when it is executed.
Result<PyObject *> importModule(const std::string &path, const std::string &name)
{
    PyObject *machinery = PyImport_ImportModule("importlib.util");
    PyObject *spec = machinery != nullptr
        ? PyObject_CallMethod(machinery, "spec_from_file_location", "ss", name.c_str(), path.c_str())
        : nullptr;
    PyObject *module = spec != nullptr ? PyObject_CallMethod(machinery, "module_from_spec", "O", spec) : nullptr;
    PyObject *loader = module != nullptr ? PyObject_GetAttrString(spec, "loader") : nullptr;
    PyObject *executed = loader != nullptr ? PyObject_CallMethod(loader, "exec_module", "O", module) : nullptr;
    if (executed == nullptr)
        Py_CLEAR(module);
    Py_XDECREF(executed);
    Py_XDECREF(loader);
    Py_XDECREF(spec);
    Py_XDECREF(machinery);
    if (module == nullptr)
        return loadFailure(takePythonError());
    return module;
}

std::string moduleNameOf(const std::string &extensionName)
{
    std::string result;
    for (char c : extensionName)
        result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return result.empty() || std::isdigit(static_cast<unsigned char>(result[0])) ? "_" + result : result;
}

} // namespace

void installTensorHost()
{
    installGuardedAllocator();
}

Result<PyObject *> loadCandidateModule(const std::string &artefactPath, const std::string &extensionName)
{
    void *library = dlopen(artefactPath.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return loadFailure(dlerror());
    const auto attach = reinterpret_cast<DiceAttach>(dlsym(library, DICE_ATTACH_SYMBOL));
    if (attach == nullptr || attach(hostApi()) != 0)
        return loadFailure("it was built by another version of this program");
    Device::instance().addArtefact(artefactPath);
    const auto moduleOf = reinterpret_cast<DiceModuleOf>(dlsym(library, DICE_MODULE_SYMBOL));
    if (moduleOf == nullptr)
        return importModule(artefactPath, moduleNameOf(extensionName));
    const DiceModule *module = moduleOf();
    if (module == nullptr)
        return loadFailure("its bindings could not be made");
    return makeModule(*module, extensionName);
}

} // namespace dice::worker
