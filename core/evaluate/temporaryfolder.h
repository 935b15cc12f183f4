// A folder of our own that is removed with the object. Folders of evaluators that were killed are swept.
#pragma once

#include "core/base/result.h"

#include <string>

namespace dice::evaluate {

class TemporaryFolder
{
public:
    static Result<TemporaryFolder> create(const std::string &parent, const std::string &name);

    TemporaryFolder() = default;
    TemporaryFolder(TemporaryFolder &&other) noexcept;
    TemporaryFolder &operator=(TemporaryFolder &&other) noexcept;
    ~TemporaryFolder();

    const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

// <XDG_RUNTIME_DIR or the temporary folder>/dice-evaluator-<pid>, after removing those whose process is gone.
Result<TemporaryFolder> createRuntimeFolder();

} // namespace dice::evaluate
