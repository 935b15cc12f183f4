#include "safetensors.h"

#include "safetensorsheader.h"
#include "textfile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

namespace dice::formats {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian and mapped as they are");

namespace {

struct DTypeFact
{
    DType type;
    const char *name;
    std::size_t size;
};

constexpr std::array<DTypeFact, 15> dtypeFacts{{
    {DType::Bool, "BOOL", 1},
    {DType::U8, "U8", 1},
    {DType::I8, "I8", 1},
    {DType::F8E4M3, "F8_E4M3", 1},
    {DType::F8E5M2, "F8_E5M2", 1},
    {DType::U16, "U16", 2},
    {DType::I16, "I16", 2},
    {DType::F16, "F16", 2},
    {DType::BF16, "BF16", 2},
    {DType::U32, "U32", 4},
    {DType::I32, "I32", 4},
    {DType::F32, "F32", 4},
    {DType::U64, "U64", 8},
    {DType::I64, "I64", 8},
    {DType::F64, "F64", 8},
}};

const DTypeFact &factOf(DType type)
{
    return *std::find_if(dtypeFacts.begin(), dtypeFacts.end(), [&](const DTypeFact &f) { return f.type == type; });
}

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "[";
    for (const std::int64_t size : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

bool isBefore(const TensorView &a, const TensorView &b)
{
    return a.name < b.name;
}

} // namespace

std::size_t itemSize(DType type)
{
    return factOf(type).size;
}
const char *toString(DType type)
{
    return factOf(type).name;
}

Result<DType> dtypeFromString(std::string_view name)
{
    for (const DTypeFact &fact : dtypeFacts) {
        if (name == fact.name)
            return fact.type;
    }
    return failure(ErrorCode::Unsupported, "unknown element type " + std::string(name));
}

std::int64_t TensorView::elementCount() const
{
    return static_cast<std::int64_t>(bytes.size() / itemSize(dtype));
}

// One mapped file. The pages belong to the file: who truncates it while the program runs ends the program, as with any
// mapped library; downloads therefore replace files, never rewrite them.
class Weights::Map
{
public:
    Map(void *data, std::size_t size)
        : m_data(data)
        , m_size(size)
    {
    }
    ~Map() { ::munmap(m_data, m_size); }
    Map(const Map &) = delete;
    Map &operator=(const Map &) = delete;

    std::span<const std::byte> bytes() const { return {static_cast<const std::byte *>(m_data), m_size}; }

private:
    void *m_data;
    std::size_t m_size;
};

struct WeightsReader
{
    static Result<std::shared_ptr<const Weights::Map>> map(const std::filesystem::path &file)
    {
        const auto refused = [&](ErrorCode code, const std::string &why) {
            return failure(code, "weights file " + file.string() + ": " + why + "; check its path and permissions");
        };
        const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0)
            return refused(errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Io, std::strerror(errno));
        struct stat status = {};
        const bool isFile = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
        void *data = MAP_FAILED;
        const auto size = static_cast<std::size_t>(isFile ? status.st_size : 0);
        if (size > 0)
            data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
        const int mapError = errno;
        ::close(fd);
        if (!isFile)
            return refused(ErrorCode::InvalidArgument, "it is not a regular file");
        if (size == 0)
            return failure(ErrorCode::InvalidData, "weights file " + file.string() + " is empty; download it again");
        if (data == MAP_FAILED)
            return refused(ErrorCode::Io, std::strerror(mapError));
        return std::make_shared<const Weights::Map>(data, size);
    }

    static Result<Weights> shards(const std::filesystem::path &folder, const nlohmann::json &index);
};

Result<Weights> Weights::openFile(const std::filesystem::path &file)
{
    auto map = WeightsReader::map(file);
    if (!map)
        return tl::unexpected(map.error());
    auto header = parseSafetensorsHeader((*map)->bytes(), file.string());
    if (!header)
        return tl::unexpected(header.error());
    Weights weights;
    weights.m_tensors = std::move(header->tensors);
    weights.m_metadata = std::move(header->metadata);
    weights.m_maps.push_back(std::move(*map));
    std::sort(weights.m_tensors.begin(), weights.m_tensors.end(), isBefore);
    return weights;
}

Result<Weights> Weights::openFolder(const std::filesystem::path &folder)
{
    const std::filesystem::path single = folder / "model.safetensors";
    const std::filesystem::path index = folder / "model.safetensors.index.json";
    std::error_code ignored;
    if (std::filesystem::exists(single, ignored))
        return openFile(single);
    if (!std::filesystem::exists(index, ignored)) {
        return failure(
            ErrorCode::NotFound,
            "model folder " + folder.string()
                + " has neither model.safetensors nor model.safetensors.index.json; choose a folder that holds "
                  "a model in safetensors form");
    }
    const auto content = readJsonFile(index, "weights index");
    if (!content)
        return tl::unexpected(content.error());
    return WeightsReader::shards(folder, *content);
}

Result<Weights> WeightsReader::shards(const std::filesystem::path &folder, const nlohmann::json &index)
{
    const auto wrong = [&](const std::string &why) {
        return failure(ErrorCode::InvalidData,
                       "weights index of " + folder.string() + ": " + why + "; download the folder again");
    };
    const auto map = index.is_object() ? index.find("weight_map") : index.end();
    if (map == index.end() || !map->is_object())
        return wrong("it has no weight_map");
    std::map<std::string, std::set<std::string>> namesOfShard;
    for (const auto &[name, shard] : map->items()) {
        const std::string file = shard.is_string() ? shard.get<std::string>() : std::string();
        // Only files of this folder: a name with a slash could point anywhere.
        if (file.empty() || file.find('/') != std::string::npos || file == "..")
            return wrong("tensor " + name + " is not in a file of the folder");
        namesOfShard[file].insert(name);
    }
    Weights all;
    for (auto &[file, names] : namesOfShard) {
        auto shard = Weights::openFile(folder / file);
        if (!shard)
            return tl::unexpected(shard.error());
        for (TensorView &tensor : shard->m_tensors) {
            if (names.erase(tensor.name) == 0)
                return wrong("tensor " + tensor.name + " is in " + file + ", where the index does not expect it");
            all.m_tensors.push_back(std::move(tensor));
        }
        if (!names.empty())
            return wrong("tensor " + *names.begin() + " should be in " + file + " and is not");
        all.m_maps.push_back(std::move(shard->m_maps.front()));
        all.m_metadata.merge(shard->m_metadata);
    }
    std::sort(all.m_tensors.begin(), all.m_tensors.end(), isBefore);
    return all;
}

const TensorView *Weights::find(std::string_view name) const
{
    const auto found
        = std::lower_bound(m_tensors.begin(), m_tensors.end(), name,
                           [](const TensorView &tensor, std::string_view key) { return tensor.name < key; });
    return found != m_tensors.end() && found->name == name ? &*found : nullptr;
}

Result<TensorView> Weights::require(std::string_view name, const std::vector<std::int64_t> &shape) const
{
    const TensorView *tensor = find(name);
    if (!tensor) {
        return failure(ErrorCode::InvalidData,
                       "weights have no tensor " + std::string(name)
                           + "; the folder's config.json and weights do not "
                             "belong together");
    }
    if (tensor->shape != shape) {
        return failure(ErrorCode::InvalidData,
                       "tensor " + tensor->name + " has shape " + shapeText(tensor->shape) + ", config.json asks for "
                           + shapeText(shape) + "; the folder's config.json and weights do not belong together");
    }
    return *tensor;
}

Status writeSafetensors(const std::filesystem::path &file, std::span<const TensorView> tensors,
                        const TensorMetadata &metadata)
{
    auto layout = layOutSafetensors(tensors, metadata);
    if (!layout)
        return tl::unexpected(layout.error());
    return replaceFile(file, [&](const ByteSink &sink) {
        bool isGoing = sink(std::as_bytes(std::span(layout->header)));
        for (const std::size_t position : layout->order) {
            if (!isGoing)
                return;
            isGoing = sink(tensors[position].bytes);
        }
    });
}

} // namespace dice::formats
