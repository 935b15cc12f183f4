#include "verifyrequest.h"

#include <array>
#include <utility>

namespace dice {

namespace {
constexpr std::array<std::pair<Protocol, const char *>, 3> protocolNames{{
    {Protocol::Strict, "strict"},
    {Protocol::KernelBench, "kernelbench"},
    {Protocol::KernelBenchV0, "kernelbench-v0"},
}};
} // namespace

const char *toString(Protocol protocol)
{
    for (const auto &[known, name] : protocolNames) {
        if (known == protocol)
            return name;
    }
    return "strict";
}

Result<Protocol> protocolFromString(const std::string &name)
{
    for (const auto &[protocol, known] : protocolNames) {
        if (name == known)
            return protocol;
    }
    return failure(ErrorCode::InvalidArgument,
                   "unknown protocol \"" + name + "\"; use strict, kernelbench or kernelbench-v0");
}

const char *toString(BuildHeaders headers)
{
    return headers == BuildHeaders::Torch ? "torch" : "fastest";
}

Result<BuildHeaders> buildHeadersFromString(const std::string &name)
{
    for (const BuildHeaders headers : {BuildHeaders::Fastest, BuildHeaders::Torch}) {
        if (name == toString(headers))
            return headers;
    }
    return failure(ErrorCode::InvalidArgument, "unknown headers \"" + name + "\"; use fastest or torch");
}

double tolerance(Protocol protocol)
{
    return protocol == Protocol::KernelBenchV0 ? 1e-2 : 1e-4;
}

Json toJson(const VerifyRequest &request)
{
    return {{"candidate", toJson(request.candidate)},
            {"reference", toJson(request.reference)},
            {"device", request.device},
            {"protocol", toString(request.protocol)},
            {"num_trials", request.numTrials},
            {"headers", toString(request.headers)}};
}

Result<VerifyRequest> verifyRequestFromJson(const Json &json)
{
    return decodeJson<VerifyRequest>(json, "verify request", [](const Json &from) -> Result<VerifyRequest> {
        Result<ModuleSource> candidate = moduleSourceFromJson(from.at("candidate"));
        if (!candidate)
            return tl::unexpected(candidate.error());
        Result<ModuleSource> reference = moduleSourceFromJson(from.at("reference"));
        if (!reference)
            return tl::unexpected(reference.error());
        Result<Protocol> protocol = protocolFromString(from.at("protocol").get<std::string>());
        if (!protocol)
            return tl::unexpected(protocol.error());
        Result<BuildHeaders> headers = buildHeadersFromString(from.at("headers").get<std::string>());
        if (!headers)
            return tl::unexpected(headers.error());
        return VerifyRequest{
            *candidate, *reference, from.at("device").get<std::string>(), *protocol, from.at("num_trials").get<int>(),
            *headers};
    });
}

} // namespace dice
