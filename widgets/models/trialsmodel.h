// The trials of a verdict: seed, equal or not, the worst element. Knows no widget.
#pragma once

#include "core/data/verdict.h"
#include "widgets/models/recordtablemodel.h"

namespace dice::widgets {

class TrialsModel : public RecordTableModel<TrialResult>
{
    Q_OBJECT

public:
    using RecordTableModel::RecordTableModel;

protected:
    QStringList columnTitles() const override;
    QVariant cell(const TrialResult &record, int column, int role) const override;
};

} // namespace dice::widgets
