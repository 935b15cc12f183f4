// Python files that come into the window or leave it: read with a limit and a check, write in one step; the examples.
#pragma once

#include "core/base/result.h"
#include "widgets/pages/modulepanel.h"

#include <QString>

#include <vector>

namespace dice::studio {

// InvalidArgument for what is no text, or too big to be a module.
Result<QString> readTextFile(const QString &path);
Status writeTextFile(const QString &path, const QString &text);

std::vector<widgets::ExampleModule> exampleModules();

} // namespace dice::studio
