// Filling the places of a text template. Must not know tasks.
#pragma once

#include <string>
#include <string_view>

namespace dice::corpus {

// Replaces every `from` by `to`; what was inserted is not searched again.
void replaceAll(std::string &text, std::string_view from, std::string_view to);

} // namespace dice::corpus
