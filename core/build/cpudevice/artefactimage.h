// Where the shared objects of artefacts lie in this process, and which lines their code came from.
#pragma once

#include "core/build/cpudevice/accesschecker.h"
#include "core/build/cpudevice/linetable.h"

#include <string>
#include <vector>

namespace dice::cpudevice {

class ArtefactImages
{
public:
    // Takes note of every loaded object that lies in the artefact's folder.
    void add(const std::string &artefactPath);
    std::vector<AddressRange> ranges() const;
    SourceLine lineOf(const void *returnAddress);

private:
    struct Image
    {
        std::string path;
        std::uintptr_t base = 0;
        std::vector<AddressRange> segments;
        LineTable lines; // read when first asked
        bool isRead = false;
    };
    std::vector<Image> m_images;
};

} // namespace dice::cpudevice
