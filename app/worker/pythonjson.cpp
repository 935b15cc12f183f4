#include "app/worker/pythonjson.h"

namespace py = pybind11;

namespace dice::worker {

namespace {

std::string utf8(py::handle text)
{
    const auto bytes = py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    if (!bytes)
        throw py::error_already_set();
    return bytes.cast<std::string>();
}

Json integer(py::handle value)
{
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0)
        return utf8(py::str(value));
    return number;
}

} // namespace

Json toJson(py::handle value)
{
    if (value.is_none())
        return nullptr;
    if (py::isinstance<py::bool_>(value))
        return value.cast<bool>();
    if (py::isinstance<py::int_>(value))
        return integer(value);
    if (py::isinstance<py::float_>(value))
        return value.cast<double>();
    if (py::isinstance<py::str>(value))
        return utf8(value);
    if (py::isinstance<py::dict>(value)) {
        Json object = Json::object();
        for (const auto &[key, item] : py::reinterpret_borrow<py::dict>(value))
            object[utf8(py::str(key))] = toJson(item);
        return object;
    }
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
        Json array = Json::array();
        for (const py::handle item : py::reinterpret_borrow<py::sequence>(value))
            array.push_back(toJson(item));
        return array;
    }
    return utf8(py::str(value));
}

py::object toPython(const Json &json)
{
    switch (json.type()) {
    case Json::value_t::boolean:
        return py::bool_(json.get<bool>());
    case Json::value_t::number_integer:
        return py::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
        return py::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float:
        return py::float_(json.get<double>());
    case Json::value_t::string:
        return py::str(json.get_ref<const std::string &>());
    case Json::value_t::array: {
        py::list list;
        for (const Json &item : json)
            list.append(toPython(item));
        return list;
    }
    case Json::value_t::object: {
        py::dict dict;
        for (const auto &[key, item] : json.items())
            dict[py::str(key)] = toPython(item);
        return dict;
    }
    default:
        return py::none();
    }
}

} // namespace dice::worker
