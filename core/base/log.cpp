#include "log.h"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <cstdlib>
#include <memory>

namespace dice {

void setUpLog(const std::string &processName)
{
    auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    auto logger = std::make_shared<spdlog::logger>(processName, std::move(sink));
    logger->set_pattern("%H:%M:%S.%e %n %l: %v");
    const char *level = std::getenv("DICE_LOG");
    logger->set_level(level ? spdlog::level::from_str(level) : spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

} // namespace dice
