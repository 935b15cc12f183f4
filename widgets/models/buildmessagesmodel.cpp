#include "widgets/models/buildmessagesmodel.h"

namespace dice::widgets {

QStringList BuildMessagesModel::columnTitles() const
{
    return {tr("Line"), tr("Kind"), tr("Message")};
}

QVariant BuildMessagesModel::cell(const BuildMessage &record, int column, int role) const
{
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(record.text);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case 0:
        return record.line > 0 ? QVariant(record.line) : QVariant(QString());
    case 1:
        return record.severity == Severity::Error  ? tr("error")
            : record.severity == Severity::Warning ? tr("warning")
                                                   : tr("note");
    case 2:
        return QString::fromStdString(record.text);
    default:
        return {};
    }
}

} // namespace dice::widgets
