#include "widgets/models/scaledsizesmodel.h"

namespace dice::widgets {

QStringList ScaledSizesModel::columnTitles() const
{
    return {tr("Size"), tr("In the module"), tr("Used here")};
}

QVariant ScaledSizesModel::cell(const ScaledSize &record, int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return QString::fromStdString(record.name);
    case 1:
        return QVariant::fromValue<qlonglong>(record.original);
    case 2:
        return QVariant::fromValue<qlonglong>(record.used);
    default:
        return {};
    }
}

} // namespace dice::widgets
