#include "requesthandlers.h"

#include "core/engine/modelfolder.h"
#include "core/engine/parity/parity.h"

namespace dice::engine {

namespace {

// A field of a request; InvalidArgument when it is absent or has another type.
Result<std::string> textField(const Json &payload, const char *name)
{
    const auto found = payload.find(name);
    if (found == payload.end() || !found->is_string())
        return failure(ErrorCode::InvalidArgument, "the request lacks the text field '" + std::string(name) + "'");
    return found->get<std::string>();
}

std::string textOr(const Json &payload, const char *name, const char *otherwise)
{
    const Result<std::string> field = textField(payload, name);
    return field ? *field : otherwise;
}

Result<Json> load(EngineState &state, const Json &payload)
{
    const Result<std::string> folder = textField(payload, "folder");
    if (!folder)
        return tl::unexpected(folder.error());
    state.engine.reset(); // two models need not fit beside each other
    Result<Engine> engine
        = Engine::load({*folder, textOr(payload, "device", "auto"), textOr(payload, "dtype", "auto")});
    if (!engine)
        return tl::unexpected(engine.error());
    state.engine = std::move(*engine);
    return toJson(state.engine->info());
}

Result<Json> generate(EngineState &state, const Json &payload, const RequestContext &context)
{
    if (!state.engine)
        return failure(ErrorCode::InvalidArgument, "no model is loaded: load one first");
    const Result<GenerateRequest> request = generateRequestFromJson(payload);
    if (!request)
        return tl::unexpected(request.error());
    const Result<Answer> answer = state.engine->generate(*request, [&](const CanvasStep &step) {
        context.sendEvent("canvas.step", toJson(step));
        return context.cancel.isCancelled() ? StepAction::Stop : StepAction::Continue;
    });
    if (!answer)
        return tl::unexpected(answer.error());
    return toJson(answer->result);
}

Result<Json> describe(const Json &payload)
{
    const Result<std::string> folder = textField(payload, "folder");
    if (!folder)
        return tl::unexpected(folder.error());
    const Result<ModelInfo> info = readModelInfo(*folder);
    if (!info)
        return tl::unexpected(info.error());
    return toJson(*info);
}

Result<Json> compare(const Json &payload, const RequestContext &context)
{
    const Result<std::string> folder = textField(payload, "folder");
    if (!folder)
        return tl::unexpected(folder.error());
    const Result<ParityReport> report = checkParity(*folder, textOr(payload, "device", "cpu"), [&](const Check &check) {
        context.sendEvent("parity.check", {{"name", check.name}, {"passed", check.passed}, {"detail", check.detail}});
        return !context.cancel.isCancelled();
    });
    if (!report)
        return tl::unexpected(report.error());
    return Json{{"checks", report->checks.size()}, {"failed", report->numFailed()}};
}

} // namespace

void addModelHandlers(HandlerTable &table, EngineState &state)
{
    table["engine.load"] = [&state](const Json &payload, const RequestContext &) { return load(state, payload); };
    table["engine.generate"]
        = [&state](const Json &payload, const RequestContext &context) { return generate(state, payload, context); };
    table["model.info"] = [](const Json &payload, const RequestContext &) { return describe(payload); };
    table["model.parity"]
        = [](const Json &payload, const RequestContext &context) { return compare(payload, context); };
}

} // namespace dice::engine
