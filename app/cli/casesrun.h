// The part of dice verify that judges a folder of cases and compares each word with the known one.
#pragma once

#include "app/cli/terminal.h"
#include "app/services/caselist.h"
#include "app/services/verifyqueue.h"

#include <QObject>

#include <memory>
#include <optional>

namespace dice::cli {

class CasesRun : public QObject
{
    Q_OBJECT

public:
    // settings: how to judge; its two modules are replaced by each case's.
    CasesRun(Terminal &terminal, VerifyRequest settings);

    Status start(const std::string &folder);
    void stop(); // the table shows what was judged until then

Q_SIGNALS:
    void ended(int numWrong); // the judges are gone; a case that was not judged counts as wrong

private:
    void judge(std::size_t index);
    void finish();
    void printRow(const Json &line);
    bool isWrong(std::size_t index) const;

    Terminal &m_terminal;
    const VerifyRequest m_settings;
    std::vector<services::VerdictCase> m_cases;
    std::vector<std::optional<Verdict>> m_verdicts; // one a case
    std::size_t m_numJudged = 0;
    std::unique_ptr<services::VerifyQueue> m_queue;
};

} // namespace dice::cli
