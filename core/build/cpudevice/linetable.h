// From addresses in a loaded artefact to lines of the candidate's sources, by the table that the build wrote beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dice::cpudevice {

struct SourceLine
{
    std::string source; // empty: unknown
    int line = 0;
};

class LineTable
{
public:
    // text: what "objdump --dwarf=decodedline" prints. Rows of other files than candidates' sources are left out.
    static LineTable parse(const std::string &text);
    // offset: relative to where the object was loaded. The row at or before it.
    SourceLine find(std::uintptr_t offset) const;
    bool isEmpty() const { return m_rows.empty(); }

private:
    struct Row
    {
        std::uintptr_t offset = 0;
        int line = 0;
        int source = 0;
    };
    std::vector<Row> m_rows; // by offset
    std::vector<std::string> m_sources;
};

} // namespace dice::cpudevice
