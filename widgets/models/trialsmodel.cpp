#include "widgets/models/trialsmodel.h"

namespace dice::widgets {

QStringList TrialsModel::columnTitles() const
{
    return {tr("Trial"), tr("Result"), tr("Worst error"), tr("At"), tr("Expected"), tr("Got")};
}

static QString number(double value)
{
    return QString::number(value, 'g', 6);
}

QVariant TrialsModel::cell(const TrialResult &record, int column, int role) const
{
    if (role == Qt::ToolTipRole)
        return tr("Seed of the inputs: %1").arg(record.seed);
    if (role != Qt::DisplayRole)
        return {};
    const bool hasWorst = record.worstIndex >= 0;
    switch (column) {
    case 0:
        return static_cast<int>(&record - records().data()) + 1;
    case 1:
        return record.isEqual ? tr("equal") : tr("different");
    case 2:
        return number(record.worstError);
    case 3:
        return hasWorst ? QStringLiteral("%1[%2]").arg(QString::fromStdString(record.worstPath)).arg(record.worstIndex)
                        : QString();
    case 4:
        return hasWorst ? number(record.expected) : QString();
    case 5:
        return hasWorst ? number(record.actual) : QString();
    default:
        return {};
    }
}

} // namespace dice::widgets
