#include "app/worker/buildrole.h"

#include "app/worker/compilerprocess.h"
#include "core/build/gpuproof.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace dice::worker {

namespace fs = std::filesystem;

namespace {

// A file name of a message: relative, without a way up.
Result<fs::path> insideFolder(const fs::path &folder, const std::string &name)
{
    const fs::path path = (folder / name).lexically_normal();
    if (fs::path(name).is_absolute() || path.string().rfind(folder.string() + "/", 0) != 0)
        return failure(ErrorCode::InvalidArgument, "the file name '" + name + "' leads out of the build folder");
    return path;
}

Status writeFiles(const fs::path &folder, const Json &files)
{
    for (const auto &[name, text] : files.items()) {
        const Result<fs::path> path = insideFolder(folder, name);
        if (!path)
            return tl::unexpected(path.error());
        fs::create_directories(path->parent_path());
        std::ofstream file(*path, std::ios::binary);
        file << text.get_ref<const std::string &>();
        file.flush();
        if (!file.good())
            return failure(ErrorCode::Io, "the build folder is full");
    }
    return {};
}

using Group = std::vector<std::vector<std::string>>;

// Commands in order; neighbours with the same group number may run at once.
std::vector<Group> groupsOf(const Json &commands)
{
    std::vector<Group> groups;
    int last = -1;
    for (const Json &command : commands) {
        const int number = command.at("parallel_group").get<int>();
        if (groups.empty() || number != last)
            groups.emplace_back();
        groups.back().push_back(command.at("argv").get<std::vector<std::string>>());
        last = number;
    }
    return groups;
}

} // namespace

Result<Json> BuildRole::answer(const std::string &name, const Json &payload)
{
    if (name == "compile")
        return compile(payload);
    if (name == "nvrtc")
        return nvrtc(payload);
    return failure(ErrorCode::InvalidArgument, "the role build has no request '" + name + "'");
}

Result<Json> BuildRole::compile(const Json &payload)
{
    m_arenas.restart();
    const fs::path folder = fs::temp_directory_path() / "build";
    fs::remove_all(folder);
    fs::create_directories(folder);
    if (Status written = writeFiles(folder, payload.at("files")); !written)
        return tl::unexpected(written.error());
    Json reply{{"exit_codes", Json::array()}, {"log", ""}, {"outputs", Json::array()}};
    std::string log;
    for (const Group &group : groupsOf(payload.at("commands"))) {
        const Result<CommandOutcome> outcome = runCommands(group, folder.string());
        if (!outcome)
            return tl::unexpected(outcome.error());
        log += outcome->log;
        bool isGood = true;
        for (const int code : outcome->exitCodes) {
            reply["exit_codes"].push_back(code);
            isGood = isGood && code == 0;
        }
        reply["log"] = log;
        if (!isGood)
            return reply;
    }
    for (const Json &output : payload.at("outputs")) {
        const std::string name = output.get<std::string>();
        std::ifstream file(folder / name, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        const Result<std::size_t> offset = m_arenas.store(std::as_bytes(std::span(bytes)));
        if (!file.good() && !file.eof())
            return failure(ErrorCode::NotFound, "the compiler left no file " + name);
        if (!offset)
            return tl::unexpected(offset.error());
        reply["outputs"].push_back({{"name", name}, {"offset", *offset}, {"size", bytes.size()}});
    }
    return reply;
}

Result<Json> BuildRole::nvrtc(const Json &payload)
{
    build::GpuSource source;
    source.text = payload.at("source").get<std::string>();
    source.nameExpressions = payload.at("name_expressions").get<std::vector<std::string>>();
    source.options = payload.at("options").get<std::vector<std::string>>();
    const Result<build::GpuCompileResult> result = build::compileForGpu(
        source, payload.at("architecture").get<std::string>(), payload.at("library").get<std::string>());
    if (!result)
        return tl::unexpected(result.error());
    return Json{{"ok", result->isBuilt}, {"log", result->log}, {"size_bytes", result->cubin.size()}};
}

} // namespace dice::worker
