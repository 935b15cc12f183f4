#include "linetable.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace dice::cpudevice {

namespace {

// Names that core/build gives to sources; everything else is a header.
bool isCandidateSource(const std::string &name)
{
    return name.find("_source_") != std::string::npos || name.ends_with(".cu") || name.ends_with(".cpp");
}

} // namespace

LineTable LineTable::parse(const std::string &text)
{
    LineTable table;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string file, number, address;
        if (!(words >> file >> number >> address) || !address.starts_with("0x"))
            continue;
        Row row;
        if (std::from_chars(number.data(), number.data() + number.size(), row.line).ec != std::errc()
            || std::from_chars(address.data() + 2, address.data() + address.size(), row.offset, 16).ec != std::errc())
            continue;
        if (!isCandidateSource(file))
            continue;
        auto known = std::find(table.m_sources.begin(), table.m_sources.end(), file);
        if (known == table.m_sources.end())
            known = table.m_sources.insert(known, file);
        row.source = int(known - table.m_sources.begin());
        table.m_rows.push_back(row);
    }
    std::stable_sort(table.m_rows.begin(), table.m_rows.end(),
                     [](const Row &a, const Row &b) { return a.offset < b.offset; });
    return table;
}

SourceLine LineTable::find(std::uintptr_t offset) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), offset,
                                        [](std::uintptr_t at, const Row &row) { return at < row.offset; });
    if (after == m_rows.begin())
        return {};
    const Row &row = *std::prev(after);
    return {m_sources[std::size_t(row.source)], row.line};
}

} // namespace dice::cpudevice
