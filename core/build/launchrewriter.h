// kernel<T><<<grid, block>>>(arguments) becomes a call of dice::launch.
#pragma once

#include "core/build/tokens.h"

#include <string>

namespace dice::build {

// The parts of one launch, as token indices: [kernelBegin, open) <<<, (open, configEnd) >>>, arguments in parentheses.
struct LaunchExpression
{
    std::size_t kernelBegin = 0;
    std::size_t open = 0;
    std::size_t configEnd = 0; // the first '>' of ">>>"
    std::size_t argumentsOpen = 0; // '('
    std::size_t argumentsClose = 0; // ')'
};

// Every launch whose parts could be found.
std::vector<LaunchExpression> findLaunches(const std::vector<Token> &tokens);

// The text between two tokens, its white space reduced to single blanks.
std::string textBetween(std::string_view text, const Token &first, const Token &last);

// Adds the edits for all launches; returns how many.
int rewriteLaunches(std::string_view text, const std::vector<Token> &tokens, const std::string &sourceName,
                    int firstSite, Edits &edits);

} // namespace dice::build
