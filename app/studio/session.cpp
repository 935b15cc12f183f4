#include "app/studio/session.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace dice::studio {

using widgets::Attempt;
using widgets::AttemptState;

static constexpr std::size_t maxKeptAttempts = 30;

static Json attemptToJson(const Attempt &attempt)
{
    Json json{{"number", attempt.number},
              {"is_by_hand", attempt.isByHand},
              {"has_failed", attempt.state == AttemptState::Failed},
              {"is_stopped", attempt.state == AttemptState::Stopped},
              {"failure", attempt.failure.toStdString()},
              {"module", attempt.moduleText.toStdString()},
              {"module_name", attempt.moduleName.toStdString()},
              {"decoding", toJson(attempt.decoding)},
              {"kernel", attempt.kernelText.toStdString()}};
    if (attempt.verdict) {
        json["verdict"] = toJson(*attempt.verdict);
        json["judged"] = attempt.judgedText.toStdString();
    }
    return json;
}

static Attempt attemptFromJson(const Json &json)
{
    const auto text = [&json](const char *name) { return QString::fromStdString(json.value(name, std::string())); };
    Attempt attempt;
    attempt.number = json.at("number").get<int>();
    attempt.isByHand = json.value("is_by_hand", false);
    attempt.failure = text("failure");
    attempt.moduleText = text("module");
    attempt.moduleName = text("module_name");
    attempt.kernelText = text("kernel");
    if (const auto decoding = decodingOptionsFromJson(json.at("decoding")))
        attempt.decoding = *decoding;
    attempt.state = json.value("has_failed", false) ? AttemptState::Failed
        : json.value("is_stopped", false)           ? AttemptState::Stopped
                                                    : AttemptState::Written;
    if (json.contains("verdict")) {
        if (const auto verdict = verdictFromJson(json.at("verdict"))) {
            attempt.verdict = *verdict;
            attempt.judgedText = text("judged");
            attempt.state = AttemptState::Judged;
        }
    }
    return attempt;
}

Json toJson(const Session &session)
{
    Json attempts = Json::array();
    const std::size_t numDropped
        = session.attempts.size() > maxKeptAttempts ? session.attempts.size() - maxKeptAttempts : 0;
    for (std::size_t i = numDropped; i < session.attempts.size(); ++i)
        attempts.push_back(attemptToJson(session.attempts[i]));
    return {{"version", 1},
            {"module", session.moduleText.toStdString()},
            {"module_name", session.moduleName.toStdString()},
            {"current", session.currentAttempt},
            {"attempts", std::move(attempts)}};
}

Result<Session> sessionFromJson(const Json &json)
{
    return decodeJson<Session>(json, "session", [](const Json &from) -> Result<Session> {
        Session session;
        session.moduleText = QString::fromStdString(from.at("module").get<std::string>());
        session.moduleName = QString::fromStdString(from.value("module_name", std::string()));
        session.currentAttempt = from.value("current", 0);
        for (const Json &attempt : from.at("attempts"))
            session.attempts.push_back(attemptFromJson(attempt));
        return session;
    });
}

Result<Session> readSession(const QString &file)
{
    QFile source(file);
    if (!source.exists())
        return failure(ErrorCode::NotFound, "there is no saved session yet");
    if (!source.open(QIODevice::ReadOnly))
        return failure(ErrorCode::Io, file.toStdString() + " cannot be read: " + source.errorString().toStdString());
    const QByteArray text = source.readAll();
    const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    return sessionFromJson(json);
}

Status writeSession(const QString &file, const Session &session)
{
    QDir().mkpath(QFileInfo(file).absolutePath());
    QSaveFile target(file);
    const std::string text = toJson(session).dump(1, ' ', false, Json::error_handler_t::replace);
    const bool isWritten = target.open(QIODevice::WriteOnly)
        && target.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size())
        && target.commit();
    if (!isWritten)
        return failure(ErrorCode::Io,
                       "your texts could not be saved to " + file.toStdString() + ": "
                           + target.errorString().toStdString() + "; free some space or copy them elsewhere");
    return {};
}

} // namespace dice::studio
