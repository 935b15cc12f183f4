// An Error of a service as the Author page shows it: sentence, cause, next step, and what the button does.
#pragma once

#include "core/base/error.h"
#include "widgets/pages/failurebanner.h"

namespace dice::studio {

widgets::PageFailure pageFailure(const Error &error);

// A process ended while nothing was asked of it.
widgets::PageFailure engineEnded(const Error &error);
widgets::PageFailure evaluatorEnded(const Error &error);

} // namespace dice::studio
