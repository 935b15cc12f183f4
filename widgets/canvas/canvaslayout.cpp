#include "widgets/canvas/canvaslayout.h"

#include <algorithm>
#include <array>

namespace dice::widgets {

namespace {

constexpr int tabWidth = 4;
constexpr int maxBlankLength = 14; // a masked cell says "about this long", no more
constexpr int expectedPerLine = 11;

int numCodePoints(std::string_view text)
{
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string withoutControl(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (const char c : text) {
        if (c == '\t')
            plain.append(tabWidth, ' ');
        else if (c != '\r')
            plain.push_back(c);
    }
    return plain;
}

// The shape of code, by position, so that blank cells ahead stand still while others are written.
int expectedLength(int position)
{
    static constexpr std::array<int, 13> lengths = {5, 1, 4, 2, 1, 6, 1, 3, 8, 1, 2, 5, 1};
    return lengths[static_cast<std::size_t>(position) % lengths.size()];
}

} // namespace

CanvasLayout::CanvasLayout()
{
    clear();
}

void CanvasLayout::clear()
{
    m_lines.assign(1, {});
    m_starts.clear();
    m_end = {};
    m_numColumns = 0;
}

int CanvasLayout::lineOf(int cell) const
{
    const auto index = static_cast<std::size_t>(std::max(0, cell));
    return index < m_starts.size() ? m_starts[index].line : static_cast<int>(m_lines.size()) - 1;
}

int CanvasLayout::pieceAt(int line, int column) const
{
    if (line < 0 || line >= static_cast<int>(m_lines.size()))
        return -1;
    const auto &pieces = m_lines[static_cast<std::size_t>(line)].pieces;
    const auto found = std::find_if(pieces.begin(), pieces.end(), [column](const CanvasPiece &piece) {
        return column >= piece.column && column < piece.column + piece.length;
    });
    return found == pieces.end() ? -1 : static_cast<int>(found - pieces.begin());
}

void CanvasLayout::cutBack(int firstCell)
{
    const auto index = static_cast<std::size_t>(firstCell);
    const Place start = index < m_starts.size() ? m_starts[index] : m_end;
    m_starts.resize(std::min(m_starts.size(), index));
    m_lines.resize(static_cast<std::size_t>(start.line) + 1);
    CanvasLine &line = m_lines.back();
    std::erase_if(line.pieces,
                  [firstCell](const CanvasPiece &piece) { return piece.cell < 0 || piece.cell >= firstCell; });
    line.numColumns = start.column;
    m_end = start;
}

CanvasPiece &CanvasLayout::addPiece(int cell, int length)
{
    CanvasLine &line = m_lines.back();
    CanvasPiece &piece = line.pieces.emplace_back();
    piece.cell = cell;
    piece.column = line.numColumns;
    piece.length = length;
    line.numColumns += length;
    return piece;
}

void CanvasLayout::placeText(int cell, const std::string &text)
{
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string part = withoutControl(std::string_view(text).substr(start, end - start));
        if (!part.empty())
            addPiece(cell, numCodePoints(part)).text = part;
        if (end == text.size())
            break;
        m_lines.emplace_back();
        start = end + 1;
    }
}

void CanvasLayout::placeBlank(int cell, const std::string &text)
{
    std::string visible = withoutControl(text);
    std::erase(visible, '\n');
    addPiece(cell, std::clamp(numCodePoints(visible), 1, maxBlankLength)).isBlank = true;
}

void CanvasLayout::placeExpected(int firstPosition, int count)
{
    for (int i = 0; i < count; ++i) {
        const int position = firstPosition + i;
        if (position % expectedPerLine == 0) {
            m_lines.emplace_back().numColumns = 4 * (1 + position / expectedPerLine % 3);
        }
        addPiece(-1, expectedLength(position)).isBlank = true;
        m_lines.back().numColumns += position % 3 == 0 ? 1 : 0;
    }
}

void CanvasLayout::layOut(const std::vector<LayoutCell> &cells, int firstCell, int numExpected)
{
    firstCell = std::clamp(firstCell, 0, static_cast<int>(m_starts.size()));
    cutBack(firstCell);
    const int firstLine = static_cast<int>(m_lines.size()) - 1;
    for (int cell = firstCell; cell < static_cast<int>(cells.size()); ++cell) {
        m_starts.push_back({static_cast<int>(m_lines.size()) - 1, m_lines.back().numColumns});
        const LayoutCell &content = cells[static_cast<std::size_t>(cell)];
        if (content.isMasked)
            placeBlank(cell, content.text);
        else
            placeText(cell, content.text);
    }
    m_end = {static_cast<int>(m_lines.size()) - 1, m_lines.back().numColumns};
    placeExpected(static_cast<int>(cells.size()), numExpected);
    for (int line = firstLine; line < static_cast<int>(m_lines.size()); ++line)
        colour(line, cells);
    m_numColumns = 0;
    for (const CanvasLine &line : m_lines)
        m_numColumns = std::max(m_numColumns, line.numColumns);
}

// Cuts the line's text where its style or its weight changes.
void CanvasLayout::colour(int lineIndex, const std::vector<LayoutCell> &cells)
{
    CanvasLine &line = m_lines[static_cast<std::size_t>(lineIndex)];
    std::string text;
    std::vector<char> isBold; // by byte
    std::vector<char> isVisible;
    for (const CanvasPiece &piece : line.pieces) {
        const std::string shown = piece.isBlank ? std::string(static_cast<std::size_t>(piece.length), ' ') : piece.text;
        text += shown;
        const bool bold = piece.cell >= 0 && cells[static_cast<std::size_t>(piece.cell)].isBold;
        isBold.insert(isBold.end(), shown.size(), static_cast<char>(bold));
        isVisible.insert(isVisible.end(), shown.size(), static_cast<char>(!piece.isBlank));
    }
    std::vector<CodeRun> runs;
    const CodeContext next = highlightLine(text, line.contextBefore, runs);
    if (static_cast<std::size_t>(lineIndex) + 1 < m_lines.size())
        m_lines[static_cast<std::size_t>(lineIndex) + 1].contextBefore = next;

    line.segments.clear();
    int column = 0;
    for (const CodeRun &run : runs) {
        int at = run.start;
        while (at < run.start + run.length) {
            int end = at + 1;
            const auto same = [&](int i, int j) {
                return isBold[static_cast<std::size_t>(i)] == isBold[static_cast<std::size_t>(j)]
                    && isVisible[static_cast<std::size_t>(i)] == isVisible[static_cast<std::size_t>(j)];
            };
            while (end < run.start + run.length && same(at, end))
                ++end;
            const std::string_view part
                = std::string_view(text).substr(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at));
            if (isVisible[static_cast<std::size_t>(at)])
                line.segments.push_back({column, QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size())),
                                         run.style, isBold[static_cast<std::size_t>(at)] != 0});
            column += numCodePoints(part);
            at = end;
        }
    }
}

} // namespace dice::widgets
