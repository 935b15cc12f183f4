#include "casesrun.h"

#include "app/services/installation.h"

#include <algorithm>
#include <cstdio>

namespace dice::cli {

namespace {

constexpr double nsPerSecond = 1e9;

std::string column(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size() + 1), ' ');
    return text;
}

} // namespace

CasesRun::CasesRun(Terminal &terminal, VerifyRequest settings)
    : m_terminal(terminal)
    , m_settings(std::move(settings))
{
}

Status CasesRun::start(const std::string &folder)
{
    Result<std::vector<services::VerdictCase>> cases = services::readCases(folder);
    if (!cases)
        return tl::unexpected(cases.error());
    m_cases = std::move(*cases);
    m_verdicts.resize(m_cases.size());
    m_queue = std::make_unique<services::VerifyQueue>(services::evaluatorProgram(),
                                                      services::VerifyQueue::defaultNumJudges());
    for (std::size_t i = 0; i < m_cases.size(); ++i)
        judge(i);
    return {};
}

void CasesRun::judge(std::size_t index)
{
    VerifyRequest request = m_settings;
    request.candidate = m_cases[index].candidate;
    request.reference = m_cases[index].reference;
    m_queue->add(request, [this, index](const Verdict &verdict) {
        m_verdicts[index] = verdict;
        ++m_numJudged;
        m_terminal.showProgress(static_cast<int>(m_numJudged), static_cast<int>(m_cases.size()),
                                std::to_string(m_numJudged) + " of " + std::to_string(m_cases.size()) + ", "
                                    + m_cases[index].name);
        if (m_numJudged == m_cases.size())
            finish();
    });
}

void CasesRun::stop()
{
    m_terminal.printRemark("Stopped: " + std::to_string(m_numJudged) + " of " + std::to_string(m_cases.size())
                           + " cases were judged.");
    finish();
}

void CasesRun::finish()
{
    Json document{{"cases", Json::array()}};
    int numWrong = 0;
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        numWrong += isWrong(i) ? 1 : 0;
        if (!m_verdicts[i])
            continue;
        const Verdict &verdict = *m_verdicts[i];
        document["cases"].push_back({{"name", m_cases[i].name},
                                     {"expect", services::expectedWord(m_cases[i], m_settings.protocol)},
                                     {"actual", toString(verdict.word)},
                                     {"right", !isWrong(i)},
                                     {"device", verdict.device},
                                     {"seconds", static_cast<double>(verdict.durationNs) / nsPerSecond},
                                     {"reason", verdict.reason}});
    }
    document["wrong"] = numWrong;
    document["protocol"] = toString(m_settings.protocol);
    m_terminal.printJson(document);
    for (const Json &line : document["cases"])
        printRow(line);
    m_terminal.printText(std::to_string(m_cases.size() - static_cast<std::size_t>(numWrong)) + " of "
                         + std::to_string(m_cases.size()) + " as expected\n");
    connect(m_queue.get(), &services::VerifyQueue::processesEnded, this, [this, numWrong] { Q_EMIT ended(numWrong); });
    m_queue->endProcesses();
}

void CasesRun::printRow(const Json &line)
{
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%6.1f s", line.at("seconds").get<double>());
    const bool isRight = line.at("right");
    m_terminal.printText(column(isRight ? "" : "WRONG", 6) + column(line.at("name"), 40) + column(line.at("expect"), 14)
                         + column(line.at("actual"), 14) + column(line.at("device"), 7) + seconds
                         + (isRight ? "" : "  " + line.at("reason").get<std::string>()) + "\n");
}

bool CasesRun::isWrong(std::size_t index) const
{
    return !m_verdicts[index] || !services::isRight(m_cases[index], m_settings.protocol, *m_verdicts[index]);
}

} // namespace dice::cli
