// Role "build": runs compilers on files that come in a message, inside a box without network and home folder.
#pragma once

#include "app/worker/arenas.h"
#include "core/data/json.h"

namespace dice::worker {

class BuildRole
{
public:
    explicit BuildRole(Arenas &arenas)
        : m_arenas(arenas)
    {
    }

    // Requests "compile" and "nvrtc".
    Result<Json> answer(const std::string &name, const Json &payload);

private:
    Result<Json> compile(const Json &payload);
    Result<Json> nvrtc(const Json &payload);

    Arenas &m_arenas;
};

} // namespace dice::worker
