// What dice-engine does for each request name. Handlers run one after another on one thread; what they share is the
// loaded model.
#pragma once

#include "core/base/canceltoken.h"
#include "core/data/json.h"
#include "core/engine/engine.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace dice::engine {

struct RequestContext
{
    CancelToken cancel;
    std::function<void(std::string name, Json payload)> sendEvent;
};

using Handler = std::function<Result<Json>(const Json &payload, const RequestContext &context)>;
using HandlerTable = std::map<std::string, Handler>;

struct EngineState
{
    std::optional<Engine> engine;
};

// engine.load, engine.generate, model.info, model.parity
void addModelHandlers(HandlerTable &table, EngineState &state);

// data.synth, train.sft
void addTrainingHandlers(HandlerTable &table);

} // namespace dice::engine
