#include "artefactimage.h"

#include <link.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace dice::cpudevice {

namespace {

struct Search
{
    std::string folder;
    std::vector<std::pair<std::string, std::pair<std::uintptr_t, std::vector<AddressRange>>>> found;
};

int visit(dl_phdr_info *info, std::size_t, void *data)
{
    Search &search = *static_cast<Search *>(data);
    const std::string path = info->dlpi_name != nullptr ? info->dlpi_name : "";
    if (!path.starts_with(search.folder))
        return 0;
    std::vector<AddressRange> segments;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) &header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD)
            continue;
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        segments.push_back({begin, begin + header.p_memsz});
    }
    search.found.push_back({path, {info->dlpi_addr, std::move(segments)}});
    return 0;
}

} // namespace

void ArtefactImages::add(const std::string &artefactPath)
{
    Search search{artefactPath.substr(0, artefactPath.rfind('/') + 1), {}};
    dl_iterate_phdr(&visit, &search);
    for (auto &[path, place] : search.found) {
        const bool isKnown
            = std::any_of(m_images.begin(), m_images.end(), [&](const Image &image) { return image.path == path; });
        if (!isKnown)
            m_images.push_back({path, place.first, std::move(place.second), {}, false});
    }
}

std::vector<AddressRange> ArtefactImages::ranges() const
{
    std::vector<AddressRange> result;
    for (const Image &image : m_images)
        result.insert(result.end(), image.segments.begin(), image.segments.end());
    return result;
}

SourceLine ArtefactImages::lineOf(const void *returnAddress)
{
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(returnAddress) - 1; // within the call
    for (Image &image : m_images) {
        const bool isInside = std::any_of(image.segments.begin(), image.segments.end(),
                                          [&](const AddressRange &range) { return range.contains(address, 1); });
        if (!isInside)
            continue;
        if (!image.isRead) {
            std::ifstream file(image.path.substr(0, image.path.rfind('.')) + ".lines");
            image.lines = LineTable::parse({std::istreambuf_iterator<char>(file), {}});
            image.isRead = true;
        }
        return image.lines.find(address - image.base);
    }
    return {};
}

} // namespace dice::cpudevice
