// Folder of built artefacts: <root>/<key>/ with the rung's outputs and report.json.
// Safe between processes: entries appear by rename and are never changed; the lock is flock, which a kill releases.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace dice::build {

struct CachedArtefact
{
    std::string folder; // absolute; read-only from now on
    std::string report; // what was stored with it, JSON text
};

class ArtefactCache
{
public:
    ArtefactCache(std::string root, std::int64_t maxBytes);

    // Marks the entry as used now.
    std::optional<CachedArtefact> find(const std::string &key) const;
    // files: relative name -> bytes. Storing a key that exists returns the existing entry.
    Result<CachedArtefact> store(const std::string &key, const std::map<std::string, std::string> &files,
                                 const std::string &report);
    // Removes half-written entries, then the longest unused until the folder fits. Called by store.
    Status trim() const;

    const std::string &root() const { return m_root; }

private:
    std::string m_root;
    std::int64_t m_maxBytes;
};

} // namespace dice::build
