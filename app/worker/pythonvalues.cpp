#include "app/worker/pythonvalues.h"

#include "app/worker/pythonjson.h"

#include <span>

namespace py = pybind11;

namespace dice::worker {

PythonValues::PythonValues(Arenas &arenas)
    : m_values(py::module_::import("dice_worker.values"))
{
    m_write = py::cpp_function([&arenas](const py::buffer &buffer) {
        const py::buffer_info info = buffer.request();
        const auto sizeBytes = static_cast<std::size_t>(info.size * info.itemsize);
        const Result<std::size_t> offset = arenas.store({static_cast<const std::byte *>(info.ptr), sizeBytes});
        if (!offset)
            throw py::value_error(offset.error().message);
        return *offset;
    });
    m_read = py::cpp_function([&arenas](std::size_t offset, std::size_t sizeBytes) {
        const Result<std::span<const std::byte>> bytes = arenas.inputAt(offset, sizeBytes);
        if (!bytes)
            throw py::value_error(bytes.error().message);
        return py::memoryview::from_memory(bytes->data(), static_cast<py::ssize_t>(bytes->size()));
    });
}

Json PythonValues::pack(py::handle value)
{
    return toJson(m_values.attr("pack")(value, m_write));
}

Json PythonValues::packOutput(py::handle value, Json *observations)
{
    const py::tuple packed = m_values.attr("packOutput")(value, m_write);
    if (observations != nullptr)
        *observations = toJson(packed[1]);
    return toJson(packed[0]);
}

py::object PythonValues::unpack(const Json &tree)
{
    return m_values.attr("unpack")(toPython(tree), m_read);
}

bool PythonValues::refill(py::handle value, const Json &tree)
{
    return m_values.attr("refill")(value, toPython(tree), m_read).cast<bool>();
}

Json describeError(const py::error_already_set &error)
{
    const py::object value = error.value();
    if (py::hasattr(value, "asDict"))
        return toJson(value.attr("asDict")());
    return {{"code", "other"}, {"message", std::string(error.what()).substr(0, 2000)}, {"detail", ""}, {"line", 0}};
}

} // namespace dice::worker
