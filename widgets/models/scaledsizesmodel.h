// The sizes that were made smaller for the CPU device. Knows no widget.
#pragma once

#include "core/data/verdict.h"
#include "widgets/models/recordtablemodel.h"

namespace dice::widgets {

class ScaledSizesModel : public RecordTableModel<ScaledSize>
{
    Q_OBJECT

public:
    using RecordTableModel::RecordTableModel;

protected:
    QStringList columnTitles() const override;
    QVariant cell(const ScaledSize &record, int column, int role) const override;
};

} // namespace dice::widgets
