#include "widgets/models/launchesmodel.h"

namespace dice::widgets {

QStringList LaunchesModel::columnTitles() const
{
    return {tr("Kernel"), tr("Launches"), tr("Time")};
}

QVariant LaunchesModel::cell(const LaunchRecord &record, int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return QString::fromStdString(record.kernel);
    case 1:
        return record.count;
    case 2:
        return tr("%1 ms").arg(static_cast<double>(record.durationNs) * 1e-6, 0, 'f', 3);
    default:
        return {};
    }
}

} // namespace dice::widgets
