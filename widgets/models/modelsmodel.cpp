#include "widgets/models/modelsmodel.h"

namespace dice::widgets {

int ModelsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant ModelsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ModelEntry &entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return entry.name;
    case Qt::ToolTipRole:
    case FolderRole:
        return entry.folder;
    case SummaryRole:
        return entry.summary;
    case CardRole:
        return entry.card;
    case ProblemRole:
        return entry.problem;
    default:
        return {};
    }
}

void ModelsModel::setEntries(std::vector<ModelEntry> entries)
{
    if (entries == m_entries)
        return;
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

void ModelsModel::updateEntry(const ModelEntry &entry)
{
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].folder != entry.folder || m_entries[i] == entry)
            continue;
        m_entries[i] = entry;
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed);
    }
}

} // namespace dice::widgets
