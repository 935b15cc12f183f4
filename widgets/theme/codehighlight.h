// Splits a line of a kernel file into coloured runs: Python outside, CUDA C++ inside triple-quoted strings that
// are values (docstrings stay strings). Line by line, so that an editor can start anywhere and a canvas can
// colour half-written text. Knows no widget.
#pragma once

#include "widgets/theme/theme.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace dice::widgets {

enum class CodeStyle : std::uint8_t { Text, Keyword, Definition, String, Number, Comment, Preprocessor };
inline constexpr int numCodeStyles = 7;

struct CodeRun
{
    int start = 0; // byte offset in the line
    int length = 0;
    CodeStyle style = CodeStyle::Text;

    bool operator==(const CodeRun &) const = default;
};

// What a line begins in. One byte, so that an editor can store it beside each line.
enum class CodeContext : std::uint8_t {
    Python,
    DocstringDouble, // triple-quoted prose
    DocstringSingle,
    CudaDouble, // C++ inside """
    CudaSingle, // C++ inside '''
    CudaCommentDouble, // inside /* */ inside """
    CudaCommentSingle,
};

// The runs cover the whole line in order. Returns the context of the next line.
CodeContext highlightLine(std::string_view line, CodeContext context, std::vector<CodeRun> &runs);

QColor codeColor(const Theme &theme, CodeStyle style);

} // namespace dice::widgets
