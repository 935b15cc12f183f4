#include "artefactkey.h"

#include "rungs.h"
#include "sha256.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace dice::build {

namespace {

// Every part with its length, so that no two different requests run together to the same bytes.
void addPart(Sha256 &digest, std::string_view part)
{
    digest.add(std::to_string(part.size()) + ":");
    digest.add(part);
}

void addParts(Sha256 &digest, const std::vector<std::string> &parts)
{
    digest.add(std::to_string(parts.size()) + ";");
    for (const std::string &part : parts)
        addPart(digest, part);
}

// Without carriage returns and blanks at line ends; lines keep their numbers.
std::string normalised(const std::string &text)
{
    std::string result;
    for (char c : text) {
        if (c == '\n') {
            while (!result.empty() && (result.back() == ' ' || result.back() == '\t'))
                result.pop_back();
        }
        if (c != '\r')
            result += c;
    }
    return result;
}

void addSources(Sha256 &digest, const std::vector<SourceText> &sources)
{
    digest.add(std::to_string(sources.size()) + ";");
    for (const SourceText &source : sources) {
        addPart(digest, source.name);
        addPart(digest, normalised(source.text));
    }
}

} // namespace

std::string sha256Hex(std::string_view bytes)
{
    Sha256 digest;
    digest.add(bytes);
    return digest.hex();
}

std::string artefactKey(const BuildRequest &request, const Toolchain &toolchain)
{
    Sha256 digest;
    addPart(digest, "artefact 1");
    addPart(digest, toolchain.version);
    addPart(digest, toolchain.compiler);
    addPart(digest, toolchain.processor);
    addPart(digest, toolchain.torchRoot);
    addPart(digest, request.name);
    digest.add(request.isInline ? "i" : "f");
    addPart(digest, toString(request.headers));
    addSources(digest, request.cppSources);
    addSources(digest, request.cudaSources);
    addParts(digest, request.functions);
    addParts(digest, request.extraCflags);
    addParts(digest, request.extraCudaCflags);
    // How it is compiled: flags of ours that change make other artefacts.
    const Rung rung = planShimRung(request, toolchain);
    for (const CompileCommand &command : rung.commands) {
        if (command.parallelGroup == 0) // the rest links, and names files after the very bytes of the text
            addParts(digest, command.argv);
    }
    return digest.hex();
}

std::string folderDigest(const std::string &folder)
{
    namespace fs = std::filesystem;
    std::map<std::string, fs::path> files; // by name: the order of a folder is no property of its content
    std::error_code ignored;
    for (auto it = fs::recursive_directory_iterator(folder, ignored); it != fs::recursive_directory_iterator();
         it.increment(ignored)) {
        if (it->is_regular_file(ignored))
            files[fs::relative(it->path(), folder, ignored).string()] = it->path();
    }
    Sha256 digest;
    for (const auto &[name, path] : files) {
        std::ifstream file(path, std::ios::binary);
        addPart(digest, name);
        addPart(digest, std::string(std::istreambuf_iterator<char>(file), {}));
    }
    return digest.hex();
}

} // namespace dice::build
