// The honesty checks of a verdict with their evidence. Knows no widget.
#pragma once

#include "core/data/verdict.h"
#include "widgets/models/recordtablemodel.h"

namespace dice::widgets {

class DetectorsModel : public RecordTableModel<DetectorResult>
{
    Q_OBJECT

public:
    using RecordTableModel::RecordTableModel;

protected:
    QStringList columnTitles() const override;
    QVariant cell(const DetectorResult &record, int column, int role) const override;
};

} // namespace dice::widgets
