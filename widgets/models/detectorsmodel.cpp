#include "widgets/models/detectorsmodel.h"

namespace dice::widgets {

QStringList DetectorsModel::columnTitles() const
{
    return {tr("Check"), tr("Result"), tr("Evidence")};
}

QVariant DetectorsModel::cell(const DetectorResult &record, int column, int role) const
{
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(record.evidence);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return QString::fromStdString(record.detector);
    case 1:
        return record.outcome == CheckOutcome::Passed ? tr("passed")
            : record.outcome == CheckOutcome::Failed  ? tr("failed")
                                                      : tr("not run");
    case 2:
        return QString::fromStdString(record.evidence);
    default:
        return {};
    }
}

} // namespace dice::widgets
