#include "app/worker/auditlog.h"

#include <Python.h>
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <string_view>

namespace dice::worker {

namespace {

constexpr std::size_t maxAttempts = 50;

// Events that are an attempt by their name alone.
constexpr std::array<std::string_view, 17> refusedEvents{"os.system",
                                                         "os.exec",
                                                         "os.fork",
                                                         "os.forkpty",
                                                         "os.posix_spawn",
                                                         "os.spawn",
                                                         "subprocess.Popen",
                                                         "socket.connect",
                                                         "socket.bind",
                                                         "socket.sendto",
                                                         "socket.sendmsg",
                                                         "socket.getaddrinfo",
                                                         "socket.gethostbyname",
                                                         "pty.spawn",
                                                         "ftplib.connect",
                                                         "urllib.Request",
                                                         "os.kill"};

// Events whose first argument is a path that they change.
constexpr std::array<std::string_view, 10> changingEvents{"os.remove",   "os.rename",  "os.rmdir", "os.mkdir",
                                                          "os.link",     "os.symlink", "os.chmod", "os.chown",
                                                          "os.truncate", "os.utime"};

std::atomic<bool> isArmed{false};
std::mutex attemptsMutex;
std::vector<std::string> attempts;

void note(std::string sentence)
{
    const std::lock_guard lock(attemptsMutex);
    if (attempts.size() < maxAttempts && std::find(attempts.begin(), attempts.end(), sentence) == attempts.end())
        attempts.push_back(std::move(sentence));
}

// The path as text; empty for a descriptor or what cannot be read.
std::string pathOf(PyObject *object)
{
    if (object == nullptr)
        return {};
    if (PyBytes_Check(object))
        return PyBytes_AsString(object);
    if (!PyUnicode_Check(object))
        return {};
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == nullptr) {
        PyErr_Clear();
        return {};
    }
    return std::string(text, static_cast<std::size_t>(size)).substr(0, 300);
}

bool isOwnFolder(const std::string &path)
{
    return path.empty() || path.front() != '/' || path.starts_with("/tmp/") || path == "/tmp"
        || path.starts_with("/dev/") || path.starts_with("/proc/self/");
}

bool isForWriting(PyObject *arguments)
{
    if (PyTuple_Size(arguments) < 3)
        return false;
    PyObject *flags = PyTuple_GetItem(arguments, 2);
    const long value = PyLong_Check(flags) ? PyLong_AsLong(flags) : 0;
    return (value & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)) != 0;
}

int onEvent(const char *event, PyObject *arguments, void *)
{
    if (!isArmed.load(std::memory_order_relaxed))
        return 0;
    const std::string_view name(event);
    if (std::find(refusedEvents.begin(), refusedEvents.end(), name) != refusedEvents.end()) {
        note("it called " + std::string(name));
        return 0;
    }
    const bool isOpen = name == "open";
    const bool isChange = std::find(changingEvents.begin(), changingEvents.end(), name) != changingEvents.end();
    if ((!isOpen && !isChange) || !PyTuple_Check(arguments) || PyTuple_Size(arguments) < 1)
        return 0;
    const std::string path = pathOf(PyTuple_GetItem(arguments, 0));
    if (!isOwnFolder(path) && (isChange || isForWriting(arguments)))
        note("it tried to change " + path);
    return 0;
}

} // namespace

void installAuditHook()
{
    PySys_AddAuditHook(onEvent, nullptr);
}

void armAuditLog()
{
    isArmed = true;
}

std::vector<std::string> auditedAttempts()
{
    const std::lock_guard lock(attemptsMutex);
    return attempts;
}

} // namespace dice::worker
