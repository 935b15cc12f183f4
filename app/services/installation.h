// Where the parts of this installation are: sibling programs, resources, the user's own folders. It starts nothing.
#pragma once

#include "app/services/processchannel.h"
#include "core/base/result.h"

#include <QString>

namespace dice::services {

ProcessProgram engineProgram();
ProcessProgram evaluatorProgram();
QString commandLineProgram(); // dice, which the window starts for a training run

QString resourceFolder(); // <bin>/../share/dice-studio
QString exampleFolder(); // modules to try
QString userModelFolder(); // where the user's own checkpoints are looked for
QString defaultRunsFolder(); // runs/ of the user's data folder

} // namespace dice::services
