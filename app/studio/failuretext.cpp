#include "app/studio/failuretext.h"

#include <QCoreApplication>

namespace dice::studio {

using widgets::FailureAction;
using widgets::PageFailure;

namespace {
struct Failures
{
    Q_DECLARE_TR_FUNCTIONS(Failures)
};
} // namespace

// The detail may be a process's last words: enough of it to recognise the cause, not a page.
static QString shortened(const std::string &text)
{
    constexpr qsizetype maxLength = 400;
    QString line = QString::fromStdString(text).trimmed();
    if (line.size() > maxLength)
        line = QStringLiteral("...") + line.right(maxLength);
    return line;
}

static QString asSentence(const std::string &text)
{
    QString sentence = QString::fromStdString(text).trimmed();
    if (!sentence.isEmpty())
        sentence[0] = sentence[0].toUpper();
    if (!sentence.isEmpty() && sentence.back().isLetterOrNumber())
        sentence += QLatin1Char('.');
    return sentence;
}

static QString nextStep(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
        return Failures::tr("Change it and try again. Nothing you typed is lost.");
    case ErrorCode::InvalidData:
        return Failures::tr("Choose another model, or download this one again.");
    case ErrorCode::Unsupported:
        return Failures::tr("Choose another model or device.");
    case ErrorCode::Io:
        return Failures::tr("See to the disk, then try again.");
    case ErrorCode::Timeout:
        return Failures::tr("Try again; if it stays so, choose a smaller module.");
    case ErrorCode::ProcessFailed:
        return Failures::tr("Nothing you typed is lost. The next try starts the process anew.");
    case ErrorCode::Cancelled:
    case ErrorCode::Internal:
        return Failures::tr("Try again. If it comes back, please report it with the log.");
    }
    return {};
}

PageFailure pageFailure(const Error &error)
{
    return {asSentence(error.message), shortened(error.detail), nextStep(error.code), FailureAction::TryAgain};
}

PageFailure engineEnded(const Error &error)
{
    return {Failures::tr("The engine ended."), asSentence(error.message),
            Failures::tr("Nothing you typed is lost. Start it again to go on; Generate does that too."),
            FailureAction::RestartEngine};
}

PageFailure evaluatorEnded(const Error &error)
{
    return {Failures::tr("The judge ended."), asSentence(error.message),
            Failures::tr("Nothing you typed is lost. Start it again to go on; Verify does that too."),
            FailureAction::RestartEvaluator};
}

} // namespace dice::studio
