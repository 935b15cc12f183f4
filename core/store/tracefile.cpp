#include "tracefile.h"

#include "core/store/atomicfile.h"

namespace dice::store {

namespace {

tl::unexpected<Error> brokenTrace(const std::filesystem::path &path, std::size_t line, const std::string &detail)
{
    return failure(ErrorCode::InvalidData,
                   path.string() + ", line " + std::to_string(line)
                       + ": this is no trace of this version; generate it again",
                   detail);
}

Status readHeader(const Json &header, Trace &trace)
{
    if (header.value("trace", Json()) != traceVersion || !header.contains("request"))
        return failure(ErrorCode::InvalidData, "no trace header");
    Result<GenerateRequest> request = generateRequestFromJson(header.at("request"));
    if (!request)
        return tl::unexpected(request.error());
    trace.model = header.value("model", Json::object());
    trace.request = std::move(*request);
    return {};
}

Status readLine(const Json &line, Trace &trace)
{
    if (line.contains("step")) {
        Result<CanvasStep> step = canvasStepFromJson(line.at("step"));
        if (!step)
            return tl::unexpected(step.error());
        trace.steps.push_back(std::move(*step));
        return {};
    }
    Result<GenerateResult> result = generateResultFromJson(line.value("result", Json()));
    if (!result)
        return tl::unexpected(result.error());
    trace.result = std::move(*result);
    return {};
}

} // namespace

Result<TraceWriter> TraceWriter::create(const std::filesystem::path &path, const Json &model,
                                        const GenerateRequest &request)
{
    // An empty file first: it proves that the place can be written before a generation is spent on it.
    if (const Status emptied = writeFile(path, {}); !emptied)
        return tl::unexpected(emptied.error());
    Result<JsonLinesWriter> lines = JsonLinesWriter::open(path);
    if (!lines)
        return tl::unexpected(lines.error());
    const Status written = lines->append({{"trace", traceVersion}, {"model", model}, {"request", toJson(request)}});
    if (!written)
        return tl::unexpected(written.error());
    return TraceWriter(std::move(*lines));
}

Status TraceWriter::append(const CanvasStep &step)
{
    return m_lines.append({{"step", toJson(step)}});
}

Status TraceWriter::finish(const GenerateResult &result)
{
    return m_lines.append({{"result", toJson(result)}});
}

Result<Trace> readTrace(const std::filesystem::path &path)
{
    if (!std::filesystem::exists(path))
        return failure(ErrorCode::NotFound, "there is no trace " + path.string() + "; check the path");
    JsonLinesReader reader(path);
    const Result<std::vector<Json>> lines = reader.readNew();
    if (!lines)
        return tl::unexpected(lines.error());
    Trace trace;
    for (std::size_t i = 0; i < lines->size(); ++i) {
        const Json &line = (*lines)[i];
        const Status isRead = !line.is_object() ? failure(ErrorCode::InvalidData, "no JSON object")
            : i == 0                            ? readHeader(line, trace)
                                                : readLine(line, trace);
        if (!isRead)
            return brokenTrace(path, i + 1, isRead.error().message);
    }
    if (lines->empty())
        return brokenTrace(path, 1, "empty file");
    return trace;
}

} // namespace dice::store
