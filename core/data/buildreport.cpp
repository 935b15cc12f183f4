#include "buildreport.h"

#include <stdexcept>

namespace dice {

namespace {

const char *toString(Severity severity)
{
    switch (severity) {
    case Severity::Note:
        return "note";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        break;
    }
    return "error";
}

Severity severityFromString(const std::string &name)
{
    if (name == "note")
        return Severity::Note;
    if (name == "warning")
        return Severity::Warning;
    if (name == "error")
        return Severity::Error;
    throw std::invalid_argument("severity " + name);
}

} // namespace

Json toJson(const BuildReport &report)
{
    Json messages = Json::array();
    for (const BuildMessage &message : report.messages)
        messages.push_back({{"severity", toString(message.severity)}, {"line", message.line}, {"text", message.text}});
    return {{"built", report.isBuilt}, {"rung", report.rung},
            {"duration_ns", report.durationNs}, {"gpu_architecture", report.gpuArchitecture},
            {"gpu_proven", report.isGpuProven}, {"messages", std::move(messages)},
            {"log", report.log}};
}

Result<BuildReport> buildReportFromJson(const Json &json)
{
    return decodeJson<BuildReport>(json, "build report", [](const Json &from) -> Result<BuildReport> {
        BuildReport report;
        from.at("built").get_to(report.isBuilt);
        from.at("rung").get_to(report.rung);
        from.at("duration_ns").get_to(report.durationNs);
        from.at("gpu_architecture").get_to(report.gpuArchitecture);
        from.at("gpu_proven").get_to(report.isGpuProven);
        from.at("log").get_to(report.log);
        for (const Json &message : arrayAt(from, "messages"))
            report.messages.push_back({severityFromString(message.at("severity").get<std::string>()),
                                       message.at("line").get<int>(), message.at("text").get<std::string>()});
        return report;
    });
}

} // namespace dice
