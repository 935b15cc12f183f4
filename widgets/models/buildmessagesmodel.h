// The compiler's messages on the kernel's own lines. Knows no widget.
#pragma once

#include "core/data/buildreport.h"
#include "widgets/models/recordtablemodel.h"

namespace dice::widgets {

class BuildMessagesModel : public RecordTableModel<BuildMessage>
{
    Q_OBJECT

public:
    using RecordTableModel::RecordTableModel;

protected:
    QStringList columnTitles() const override;
    QVariant cell(const BuildMessage &record, int column, int role) const override;
};

} // namespace dice::widgets
