#include "buildlog.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace dice::build {

namespace {

constexpr std::size_t maxMessages = 50;
constexpr std::size_t maxLineLength = 2000; // regular expressions recurse; a candidate chooses its lines' lengths
constexpr std::size_t maxTextLength = 500;

// Bytes that are no UTF-8 become '?': the compiler prints the candidate's own bytes.
std::string validUtf8(const std::string &text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1
            : lead >= 0xC2 && lead < 0xE0      ? 2
            : (lead & 0xF0) == 0xE0            ? 3
            : lead >= 0xF0 && lead < 0xF5      ? 4
                                               : 0;
        bool isValid = length != 0 && i + length <= text.size();
        for (std::size_t j = 1; isValid && j < length; ++j)
            isValid = (static_cast<unsigned char>(text[i + j]) & 0xC0) == 0x80;
        result += isValid ? text.substr(i, length) : "?";
        i += isValid ? length : 1;
    }
    return result;
}

Severity severityOf(const std::string &word)
{
    if (word == "warning")
        return Severity::Warning;
    return word == "note" ? Severity::Note : Severity::Error;
}

std::string ownSource(const std::string &file, const BuildRequest &request)
{
    const std::string name = file.substr(file.rfind('/') + 1);
    for (const auto *sources : {&request.cppSources, &request.cudaSources}) {
        for (const SourceText &source : *sources) {
            if (source.name == name)
                return name;
        }
    }
    return {};
}

// Names that the rewriting gave are shown as the candidate wrote them.
std::string withOwnNames(std::string text)
{
    for (const char *prefix : {"dice_shared_", "dice_at_"}) {
        for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
            text.erase(at, std::string(prefix).size());
    }
    return text.substr(0, maxTextLength);
}

bool parseLine(const std::string &line, const BuildRequest &request, LogMessage &message)
{
    // g++: file:line:column: error: text    NVRTC: file(line): error: text
    static const std::regex gnu(R"(^([^:\s][^:]*):(\d+)(?::\d+)?: (?:fatal )?(error|warning|note): (.*)$)");
    static const std::regex nvidia(R"(^(\S+)\((\d+)\): (?:catastrophic )?(error|warning)(?: #\S+)?: (.*)$)");
    std::smatch match;
    if (!std::regex_match(line, match, gnu) && !std::regex_match(line, match, nvidia))
        return false;
    message.severity = severityOf(match[3]);
    message.source = ownSource(match[1], request);
    message.line = message.source.empty() ? 0 : int(std::min(std::stoll("0" + match[2].str().substr(0, 9)), 1000000LL));
    message.text = withOwnNames(match[4]);
    if (match[1] == "functions")
        message.text += " (named in functions=)";
    return true;
}

bool parseLinkerLine(const std::string &line, LogMessage &message)
{
    static const std::regex undefined(
        R"(^.*(undefined reference to .*|multiple definition of .*|undefined symbol: .*)$)");
    std::smatch match;
    if (!std::regex_match(line, match, undefined))
        return false;
    message = {Severity::Error, {}, 0, withOwnNames(match[1])};
    return true;
}

} // namespace

std::vector<LogMessage> parseBuildLog(const std::string &log, const BuildRequest &request)
{
    std::vector<LogMessage> messages;
    std::istringstream lines(validUtf8(log));
    for (std::string line; std::getline(lines, line) && messages.size() < 20 * maxMessages;) {
        if (line.size() > maxLineLength)
            line.resize(maxLineLength);
        LogMessage message;
        const bool isMessage = parseLine(line, request, message) || parseLinkerLine(line, message);
        // A message about a header without a place in the candidate is noise, unless it is an error.
        if (!isMessage || (message.source.empty() && message.severity != Severity::Error))
            continue;
        const bool isKnown = std::any_of(messages.begin(), messages.end(), [&](const LogMessage &known) {
            return known.line == message.line && known.source == message.source && known.text == message.text;
        });
        if (!isKnown)
            messages.push_back(std::move(message));
    }
    std::stable_sort(messages.begin(), messages.end(), [](const LogMessage &a, const LogMessage &b) {
        const auto rank = [](const LogMessage &m) {
            return (m.severity == Severity::Error         ? 0
                        : m.severity == Severity::Warning ? 2
                                                          : 4)
                + (m.line == 0 ? 1 : 0);
        };
        return rank(a) < rank(b);
    });
    if (messages.size() > maxMessages)
        messages.resize(maxMessages);
    return messages;
}

namespace {

// Of "'name' was not declared": a name in capitals may be a macro of Torch.
bool isPlainName(const std::string &text)
{
    const std::size_t open = text.find_first_of("'\xe2`");
    const std::size_t begin = text.find_first_not_of("'`\xe2\x80\x98", open);
    if (open == std::string::npos || begin == std::string::npos)
        return false;
    const std::size_t end = text.find_first_of("'\xe2", begin);
    const std::string name = text.substr(begin, end == std::string::npos ? end : end - begin);
    const bool hasSmall = std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    return hasSmall && name.find("::") == std::string::npos;
}

bool usesLibraryNames(const BuildRequest &request)
{
    for (const auto *sources : {&request.cppSources, &request.cudaSources}) {
        for (const SourceText &source : *sources) {
            if (source.text.find("using namespace") != std::string::npos)
                return true;
        }
    }
    return false;
}

bool isOwnMistake(const std::string &text, bool mayNameLibrary)
{
    for (const char *sign : {"expected ", "stray ", "missing terminating", "unterminated", "redefinition of",
                             "redeclaration of", "at end of input", "return-statement with", "lvalue required"}) {
        if (text.starts_with(sign))
            return true;
    }
    const bool isUndeclared = text.find("was not declared in this scope") != std::string::npos;
    return isUndeclared && !mayNameLibrary && isPlainName(text);
}

} // namespace

bool isConclusiveFailure(const std::vector<LogMessage> &messages, const BuildRequest &request)
{
    const bool mayNameLibrary = usesLibraryNames(request);
    int errors = 0;
    for (const LogMessage &message : messages) {
        if (message.severity != Severity::Error)
            continue;
        ++errors;
        const bool isPlaced = !message.source.empty() || message.text.ends_with("(named in functions=)");
        if (!isPlaced || !isOwnMistake(message.text, mayNameLibrary))
            return false;
    }
    return errors != 0;
}

std::string shortenLog(const std::string &log, std::size_t maxBytes)
{
    std::istringstream lines(validUtf8(log));
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        const bool isNoise = line.starts_with("In file included from") || line.starts_with("                 from");
        if (isNoise)
            continue;
        if (result.size() + line.size() + 1 > maxBytes)
            break;
        result += line + "\n";
    }
    return result;
}

} // namespace dice::build
