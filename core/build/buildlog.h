// Reads what compilers printed: messages on the candidate's own lines, without the headers' noise.
#pragma once

#include "core/build/buildrequest.h"
#include "core/data/buildreport.h"

#include <string>
#include <vector>

namespace dice::build {

struct LogMessage
{
    Severity severity = Severity::Error;
    std::string source; // "cuda_source_0.cu"; empty when the message is about none of the candidate's sources
    int line = 0; // 1-based line within that source's text
    std::string text;
};

// Understands g++'s, ld's and NVRTC's forms. Errors first, at most 50; invalid UTF-8 is replaced.
std::vector<LogMessage> parseBuildLog(const std::string &log, const BuildRequest &request);

// Whether a failed rung with the shim settles the matter: every error is one that Torch's real headers would not mend
// (syntax, names that are no library's). Saves the minute that the last rung would take to say the same.
bool isConclusiveFailure(const std::vector<LogMessage> &messages, const BuildRequest &request);

// The log as the user sees it: without the notes that repeat headers, cut to maxBytes at a line's end.
std::string shortenLog(const std::string &log, std::size_t maxBytes);

} // namespace dice::build
