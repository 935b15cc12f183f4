// The base of the evidence tables: rows of plain structs, columns named by the subclass. Read-only.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <utility>
#include <vector>

namespace dice::widgets {

template <typename Record> class RecordTableModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_records.size());
    }

    int columnCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(columnTitles().size());
    }

    QVariant data(const QModelIndex &index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        return cell(record(index), index.column(), role);
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        if (role == Qt::DisplayRole)
            return columnTitles().at(section);
        return role == Qt::TextAlignmentRole ? QVariant(Qt::AlignLeft | Qt::AlignVCenter) : QVariant();
    }

    void setRecords(std::vector<Record> records)
    {
        beginResetModel();
        m_records = std::move(records);
        endResetModel();
    }

    const std::vector<Record> &records() const { return m_records; }
    const Record &record(const QModelIndex &index) const { return m_records[static_cast<std::size_t>(index.row())]; }

protected:
    virtual QStringList columnTitles() const = 0;
    virtual QVariant cell(const Record &record, int column, int role) const = 0;

private:
    std::vector<Record> m_records;
};

} // namespace dice::widgets
