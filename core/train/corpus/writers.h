// The two files of a pair, laid out: the module in the canonical form of the normaliser (what ast.unparse prints,
// one newline at the end), the answer in our own short form. Must not know operations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dice::corpus {

class Task;

// Draws what is only layout (names of constants, where they stand) from the task's random numbers.
std::string writeModule(Task &task);

// Depends only on what the module says: the same module always has the same answer.
std::string writeAnswer(const Task &task);

// "batch_size, 64" for a shape, with ${n} for the name of symbol n.
std::string joined(const std::vector<std::string> &parts, std::string_view separator);

} // namespace dice::corpus
