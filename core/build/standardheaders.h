// Standard headers that a source needs by the names it uses. Torch's real headers bring them all along; the shim
// brings few, because each costs build time.
#pragma once

#include <string>
#include <string_view>

namespace dice::build {

// "#include <sstream>\n#include <map>\n"
std::string standardHeadersFor(std::string_view text);

} // namespace dice::build
