// The language models that the window can load: the one in the box and the user's folders. Knows no widget.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace dice::widgets {

struct ModelEntry
{
    QString name;
    QString folder;
    QString summary; // "11 M parameters, block length 8, bfloat16, 22 MB"
    QString card; // Markdown; may be empty
    QString problem; // a sentence when it cannot be loaded

    bool operator==(const ModelEntry &) const = default;
};

class ModelsModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { FolderRole = Qt::UserRole, SummaryRole, CardRole, ProblemRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

    void setEntries(std::vector<ModelEntry> entries);
    // Replaces the entry with the same folder.
    void updateEntry(const ModelEntry &entry);
    const std::vector<ModelEntry> &entries() const { return m_entries; }

private:
    std::vector<ModelEntry> m_entries;
};

} // namespace dice::widgets
