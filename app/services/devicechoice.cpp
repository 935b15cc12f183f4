#include "devicechoice.h"

#include <filesystem>

namespace dice::services {

bool hasNvidiaGpu()
{
    std::error_code error;
    return std::filesystem::exists("/dev/nvidia0", error);
}

std::string judgeDevice(const std::string &device)
{
    if (device != "auto")
        return device;
    return hasNvidiaGpu() ? "cuda:0" : "cpu";
}

} // namespace dice::services
