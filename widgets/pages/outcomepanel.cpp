#include "widgets/pages/outcomepanel.h"

#include "widgets/models/buildmessagesmodel.h"
#include "widgets/models/detectorsmodel.h"
#include "widgets/models/launchesmodel.h"
#include "widgets/models/scaledsizesmodel.h"
#include "widgets/models/trialsmodel.h"
#include "widgets/pages/outcomecard.h"
#include "widgets/theme/stylesheet.h"

#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace dice::widgets {

static constexpr int maxVisibleRows = 14;

static QTableView *tableView(QAbstractItemModel *model, const char *objectName, const QString &accessibleName)
{
    auto *view = new QTableView;
    view->setObjectName(QString::fromLatin1(objectName));
    view->setAccessibleName(accessibleName);
    view->setModel(model);
    view->setShowGrid(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 8);
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setMinimumSectionSize(32);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setTabKeyNavigation(false);
    view->setWordWrap(false);
    return view;
}

// As high as its rows, up to a limit: a card has no scroll bar for a short table.
static void fitTable(QTableView *view)
{
    const int numRows = view->model()->rowCount();
    view->setVisible(numRows > 0);
    view->resizeColumnsToContents();
    const int rows = std::min(numRows, maxVisibleRows) * view->verticalHeader()->defaultSectionSize();
    view->setFixedHeight(view->horizontalHeader()->sizeHint().height() + rows + 6);
}

static QWidget *column(std::initializer_list<QWidget *> widgets)
{
    auto *box = new QWidget;
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    for (QWidget *widget : widgets)
        layout->addWidget(widget);
    return box;
}

OutcomePanel::OutcomePanel(QWidget *parent)
    : QWidget(parent)
    , m_messages(new BuildMessagesModel(this))
    , m_trials(new TrialsModel(this))
    , m_sizes(new ScaledSizesModel(this))
    , m_detectors(new DetectorsModel(this))
    , m_launches(new LaunchesModel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    static const char *const names[numCards] = {"buildCard", "correctCard", "trustCard", "speedUpCard"};
    for (int i = 0; i < numCards; ++i) {
        m_cards[static_cast<std::size_t>(i)] = new OutcomeCard(cardTitle(static_cast<CardKind>(i)), names[i], this);
        layout->addWidget(m_cards[static_cast<std::size_t>(i)]);
    }
    card(CardKind::Build)->setDetail(buildDetail());
    card(CardKind::Correct)->setDetail(correctDetail());
    card(CardKind::Trust)->setDetail(trustDetail());
    card(CardKind::SpeedUp)->setDetail(launchDetail());
    setInput({});
}

QWidget *OutcomePanel::buildDetail()
{
    m_messagesView = tableView(m_messages, "messages", tr("Compiler's messages"));
    m_log = new QPlainTextEdit;
    m_log->setObjectName(QStringLiteral("buildLog"));
    m_log->setAccessibleName(tr("Build log"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setFixedHeight(140);
    const auto showLine = [this](const QModelIndex &index) {
        const int line = m_messages->record(index).line;
        if (line > 0)
            Q_EMIT lineRequested(line);
    };
    connect(m_messagesView, &QTableView::clicked, this, showLine);
    connect(m_messagesView, &QTableView::activated, this, showLine);
    return column({m_messagesView, m_log});
}

QWidget *OutcomePanel::correctDetail()
{
    m_trialsView = tableView(m_trials, "trials", tr("Trials"));
    m_sizesTitle = new QLabel(tr("Too big for the CPU device: run with smaller sizes"));
    m_sizesTitle->setWordWrap(true);
    setLook(m_sizesTitle, "secondary");
    m_sizesView = tableView(m_sizes, "scaledSizes", tr("Sizes used"));
    return column({m_trialsView, m_sizesTitle, m_sizesView});
}

QWidget *OutcomePanel::trustDetail()
{
    m_detectorsView = tableView(m_detectors, "detectors", tr("Honesty checks"));
    m_warnings = new QLabel;
    m_warnings->setObjectName(QStringLiteral("warnings"));
    m_warnings->setWordWrap(true);
    m_warnings->setTextFormat(Qt::PlainText);
    setLook(m_warnings, "secondary");
    return column({m_detectorsView, m_warnings});
}

QWidget *OutcomePanel::launchDetail()
{
    m_launchesView = tableView(m_launches, "launches", tr("Kernels launched"));
    return column({m_launchesView});
}

void OutcomePanel::setTheme(const Theme &theme)
{
    for (OutcomeCard *card : m_cards)
        card->setTheme(theme);
    m_log->setFont(codeFont());
}

void OutcomePanel::setInput(const OutcomeInput &input)
{
    for (int i = 0; i < numCards; ++i)
        m_cards[static_cast<std::size_t>(i)]->setContent(cardContent(static_cast<CardKind>(i), input));
    showEvidence(input.verdict.value_or(Verdict()));
}

void OutcomePanel::showEvidence(const Verdict &verdict)
{
    m_messages->setRecords(verdict.build.messages);
    m_trials->setRecords(verdict.trials);
    m_sizes->setRecords(verdict.scaledSizes);
    m_detectors->setRecords(verdict.detectors);
    m_launches->setRecords(verdict.launches);
    for (QTableView *view : {m_messagesView, m_trialsView, m_sizesView, m_detectorsView, m_launchesView})
        fitTable(view);
    m_log->setPlainText(QString::fromStdString(verdict.build.log));
    m_log->setVisible(!verdict.build.log.empty());
    m_sizesTitle->setVisible(!verdict.scaledSizes.empty());
    QStringList warnings;
    for (const std::string &warning : verdict.warnings)
        warnings += QString::fromStdString(warning);
    m_warnings->setText(warnings.join(QLatin1Char('\n')));
    m_warnings->setVisible(!warnings.isEmpty());
    card(CardKind::Build)->setOpenable(!verdict.build.messages.empty() || !verdict.build.log.empty());
    card(CardKind::Correct)->setOpenable(!verdict.trials.empty() || !verdict.scaledSizes.empty());
    card(CardKind::Trust)->setOpenable(!verdict.detectors.empty() || !warnings.isEmpty());
    card(CardKind::SpeedUp)->setOpenable(!verdict.launches.empty());
}

} // namespace dice::widgets
