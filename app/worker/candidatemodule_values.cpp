#include "candidatemodule_values.h"

#include <Python.h>

#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/autograd/python_variable.h>

#include <cstdlib>
#include <cstring>

namespace dice::worker {

namespace {

bool isFailed()
{
    const bool failed = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    return failed;
}

bool readInteger(PyObject *object, DiceValue &value)
{
    if (PyFloat_Check(object))
        return false;
    PyObject *number = PyNumber_Index(object);
    if (number == nullptr)
        return !isFailed();
    value.kind = DICE_INT;
    value.integer = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return !isFailed();
}

bool readReal(PyObject *object, DiceValue &value)
{
    PyObject *number = PyNumber_Float(object);
    if (PyUnicode_Check(object) || PyBytes_Check(object) || number == nullptr) {
        Py_XDECREF(number);
        PyErr_Clear();
        return false;
    }
    value.kind = DICE_DOUBLE;
    value.real = PyFloat_AsDouble(number);
    Py_DECREF(number);
    return !isFailed();
}

bool readBool(PyObject *object, DiceValue &value)
{
    const bool isOther = !PyBool_Check(object) && object != Py_None
        && std::strcmp(Py_TYPE(object)->tp_name, "numpy.bool") != 0
        && std::strcmp(Py_TYPE(object)->tp_name, "numpy.bool_") != 0;
    if (isOther)
        return false;
    value.kind = DICE_BOOL;
    value.integer = PyObject_IsTrue(object) == 1;
    return !isFailed();
}

bool readText(PyObject *object, DiceValue &value)
{
    Py_ssize_t size = 0;
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr;
    if (text == nullptr) {
        PyErr_Clear();
        return false;
    }
    value.kind = DICE_STRING;
    value.count = size;
    value.text = static_cast<char *>(std::malloc(size_t(size) + 1));
    std::memcpy(value.text, text, size_t(size) + 1);
    return true;
}

bool readTensor(PyObject *object, DiceValue &value)
{
    if (!THPVariable_Check(object))
        return false;
    c10::TensorImpl *impl = THPVariable_Unpack(object).unsafeGetTensorImpl();
    c10::raw::intrusive_ptr::incref(impl);
    value.kind = DICE_TENSOR;
    value.tensor = reinterpret_cast<DiceTensor>(impl);
    return true;
}

bool readList(PyObject *object, const std::string &element, DiceValue &value)
{
    if (!PySequence_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) || THPVariable_Check(object))
        return false;
    PyObject *items = PySequence_Fast(object, "");
    if (items == nullptr) {
        PyErr_Clear();
        return false;
    }
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items);
    value.kind = DICE_LIST;
    value.items = static_cast<DiceValue *>(std::calloc(size_t(count) + 1, sizeof(DiceValue)));
    bool fits = true;
    for (Py_ssize_t i = 0; i < count && fits; ++i) {
        fits = fromPython(PySequence_Fast_GET_ITEM(items, i), element, value.items[i]);
        value.count = i + 1;
    }
    Py_DECREF(items);
    if (!fits)
        freeDiceValue(value);
    return fits;
}

bool readDtype(PyObject *object, DiceValue &value)
{
    if (!THPDtype_Check(object))
        return false;
    value.kind = DICE_DTYPE;
    value.integer = int64_t(reinterpret_cast<THPDtype *>(object)->scalar_type);
    return true;
}

PyObject *sequenceOf(const DiceValue &value)
{
    PyObject *result = value.kind == DICE_TUPLE ? PyTuple_New(value.count) : PyList_New(value.count);
    for (int64_t i = 0; result != nullptr && i < value.count; ++i) {
        PyObject *item = toPython(value.items[i]);
        if (item == nullptr) {
            Py_DECREF(result);
            return nullptr;
        }
        if (value.kind == DICE_TUPLE)
            PyTuple_SET_ITEM(result, i, item);
        else
            PyList_SET_ITEM(result, i, item);
    }
    return result;
}

} // namespace

bool fromPython(PyObject *object, const std::string &type, DiceValue &value)
{
    value = DiceValue{};
    if (type.ends_with("?"))
        return object == Py_None || fromPython(object, type.substr(0, type.size() - 1), value);
    if (type.ends_with("[]"))
        return readList(object, type.substr(0, type.size() - 2), value);
    if (type == "tensor")
        return readTensor(object, value);
    if (type == "int")
        return readInteger(object, value);
    if (type == "float")
        return readReal(object, value);
    if (type == "bool")
        return readBool(object, value);
    if (type == "str")
        return readText(object, value);
    if (type == "dtype")
        return readDtype(object, value);
    if (type == "number")
        return PyFloat_Check(object) ? readReal(object, value) : readInteger(object, value);
    value.kind = DICE_DEVICE;
    return type == "device";
}

PyObject *toPython(const DiceValue &value)
{
    switch (value.kind) {
    case DICE_TENSOR:
        return THPVariable_Wrap(at::Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim_copy(
            reinterpret_cast<c10::TensorImpl *>(value.tensor))));
    case DICE_INT:
        return PyLong_FromLongLong(value.integer);
    case DICE_DOUBLE:
        return PyFloat_FromDouble(value.real);
    case DICE_BOOL:
        return PyBool_FromLong(value.integer != 0);
    case DICE_STRING:
        return PyUnicode_DecodeUTF8(value.text, value.count, "replace");
    case DICE_LIST:
    case DICE_TUPLE:
        return sequenceOf(value);
    case DICE_DTYPE: {
        PyObject *dtype = reinterpret_cast<PyObject *>(torch::getTHPDtype(at::ScalarType(value.integer)));
        Py_XINCREF(dtype);
        return dtype;
    }
    default:
        Py_RETURN_NONE;
    }
}

} // namespace dice::worker
