// The kernels that a candidate launched. Knows no widget.
#pragma once

#include "core/data/verdict.h"
#include "widgets/models/recordtablemodel.h"

namespace dice::widgets {

class LaunchesModel : public RecordTableModel<LaunchRecord>
{
    Q_OBJECT

public:
    using RecordTableModel::RecordTableModel;

protected:
    QStringList columnTitles() const override;
    QVariant cell(const LaunchRecord &record, int column, int role) const override;
};

} // namespace dice::widgets
