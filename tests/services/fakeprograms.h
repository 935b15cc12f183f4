// Programs that behave as fakes/fakeprocess.py says.
#pragma once

#include "app/services/processchannel.h"

namespace dice::services {

inline ProcessProgram fakeProgram(const QString &mode, const QStringList &more = {})
{
    const QString script = QStringLiteral(DICE_SOURCE_DIR "/tests/services/fakes/fakeprocess.py");
    return {QStringLiteral("fake"), QStringLiteral("/usr/bin/python3"), QStringList{script, mode} + more};
}

} // namespace dice::services
