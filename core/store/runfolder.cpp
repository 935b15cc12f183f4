#include "runfolder.h"

#include "core/store/atomicfile.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>

namespace dice::store {

namespace {

constexpr std::uint64_t maxConfigBytes = 4u << 20;
constexpr std::string_view checkpointPrefix = "step-";

std::filesystem::path configFile(const std::filesystem::path &folder)
{
    return folder / "config.json";
}

std::optional<int> stepOf(const std::string &folderName)
{
    if (!folderName.starts_with(checkpointPrefix))
        return std::nullopt;
    const char *first = folderName.data() + checkpointPrefix.size();
    const char *last = folderName.data() + folderName.size();
    int step = 0;
    const auto [end, error] = std::from_chars(first, last, step);
    return error == std::errc{} && end == last ? std::optional(step) : std::nullopt;
}

} // namespace

Result<RunFolder> RunFolder::create(const std::filesystem::path &folder, const Json &config)
{
    if (isRun(folder))
        return failure(ErrorCode::InvalidArgument,
                       "there is a run in " + folder.string() + " already; resume it or give another folder");
    std::error_code error;
    std::filesystem::create_directories(folder / "checkpoints", error);
    if (error)
        return failure(ErrorCode::Io,
                       "the run folder " + folder.string() + " could not be made: " + describeErrno(error.value()));
    if (const Status written = writeFile(configFile(folder), config.dump(2) + "\n"); !written)
        return tl::unexpected(written.error());
    return RunFolder(folder, config);
}

Result<RunFolder> RunFolder::open(const std::filesystem::path &folder)
{
    const Result<std::string> text = readFile(configFile(folder), maxConfigBytes);
    if (!text)
        return failure(ErrorCode::NotFound, "there is no run in " + folder.string() + "; check the path",
                       text.error().message);
    Json config = Json::parse(*text, nullptr, false);
    if (!config.is_object())
        return failure(ErrorCode::InvalidData,
                       configFile(folder).string() + " holds no JSON object; start the run again elsewhere");
    return RunFolder(folder, std::move(config));
}

bool RunFolder::isRun(const std::filesystem::path &folder)
{
    std::error_code error;
    return std::filesystem::exists(configFile(folder), error);
}

std::filesystem::path RunFolder::checkpointFolder(int step) const
{
    return m_folder / "checkpoints" / (std::string(checkpointPrefix) + std::to_string(step));
}

std::vector<CheckpointEntry> RunFolder::checkpoints() const
{
    std::vector<CheckpointEntry> entries;
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(m_folder / "checkpoints", error)) {
        const std::optional<int> step = stepOf(entry.path().filename().string());
        if (step && entry.is_directory(error))
            entries.push_back({*step, entry.path()});
    }
    std::ranges::sort(entries, {}, &CheckpointEntry::step);
    return entries;
}

std::filesystem::path newRunFolder(const std::filesystem::path &root, const std::string &kind)
{
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
    const std::string name = std::string(stamp) + "-" + kind;
    std::filesystem::path folder = root / name;
    for (int number = 2; std::filesystem::exists(folder); ++number)
        folder = root / (name + "-" + std::to_string(number));
    return folder;
}

} // namespace dice::store
