// The name of a built artefact: a digest of everything that decides its content.
// Never of names alone: many candidates call their kernels the same.
#pragma once

#include "core/build/buildplan.h"
#include "core/build/buildrequest.h"

#include <string>
#include <string_view>

namespace dice::build {

// SHA-256 (FIPS 180-4) as 64 lower-case hex digits.
std::string sha256Hex(std::string_view bytes);

// Line ends and trailing blanks are normalised before hashing; line numbers are kept.
std::string artefactKey(const BuildRequest &request, const Toolchain &toolchain);

// Digest over the names and contents of all files below a folder: the headers' share in Toolchain::version.
std::string folderDigest(const std::string &folder);

} // namespace dice::build
