// What the user typed and what came of it, as kept between two runs of the window. A value and its JSON.
#pragma once

#include "core/base/result.h"
#include "core/data/json.h"
#include "widgets/models/attempt.h"

#include <QString>

#include <vector>

namespace dice::studio {

struct Session
{
    QString moduleText;
    QString moduleName;
    int currentAttempt = 0;
    std::vector<widgets::Attempt> attempts; // without their steps: those are a trace file's
};

Json toJson(const Session &session);
Result<Session> sessionFromJson(const Json &json);

// NotFound when there is none yet.
Result<Session> readSession(const QString &file);
// Replaces the file in one step: after a crash there is the old text or the new one, never half of it.
Status writeSession(const QString &file, const Session &session);

} // namespace dice::studio
