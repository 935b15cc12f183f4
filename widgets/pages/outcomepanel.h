// The right column's upper half: four cards with the evidence of a verdict behind them. Shows values only.
#pragma once

#include "widgets/pages/verdictcards.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <array>

class QLabel;
class QPlainTextEdit;
class QTableView;

namespace dice::widgets {

class BuildMessagesModel;
class DetectorsModel;
class LaunchesModel;
class OutcomeCard;
class ScaledSizesModel;
class TrialsModel;

class OutcomePanel : public QWidget
{
    Q_OBJECT

public:
    explicit OutcomePanel(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setInput(const OutcomeInput &input);
    OutcomeCard *card(CardKind kind) const { return m_cards[static_cast<std::size_t>(kind)]; }

Q_SIGNALS:
    void lineRequested(int line); // a message on that line of the kernel was clicked

private:
    QWidget *buildDetail();
    QWidget *correctDetail();
    QWidget *trustDetail();
    QWidget *launchDetail();
    void showEvidence(const Verdict &verdict);

    std::array<OutcomeCard *, numCards> m_cards{};
    BuildMessagesModel *m_messages = nullptr;
    TrialsModel *m_trials = nullptr;
    ScaledSizesModel *m_sizes = nullptr;
    DetectorsModel *m_detectors = nullptr;
    LaunchesModel *m_launches = nullptr;
    QTableView *m_messagesView = nullptr;
    QTableView *m_trialsView = nullptr;
    QTableView *m_sizesView = nullptr;
    QTableView *m_detectorsView = nullptr;
    QTableView *m_launchesView = nullptr;
    QPlainTextEdit *m_log = nullptr;
    QLabel *m_sizesTitle = nullptr;
    QLabel *m_warnings = nullptr;
};

} // namespace dice::widgets
