#include "widgets/models/attemptsmodel.h"

#include <algorithm>

namespace dice::widgets {

int AttemptsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_attempts.size());
}

QVariant AttemptsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Attempt &attempt = m_attempts[m_attempts.size() - 1 - static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return attemptTitle(attempt);
    case Qt::ToolTipRole:
    case EvidenceRole:
        return attemptEvidence(attempt);
    case Qt::AccessibleTextRole:
        return tr("Attempt %1: %2, %3").arg(attempt.number).arg(attemptTitle(attempt), attemptEvidence(attempt));
    case NumberRole:
        return attempt.number;
    case StateRole:
        return static_cast<int>(attempt.state);
    case WordRole:
        return attempt.verdict ? QVariant(static_cast<int>(attempt.verdict->word)) : QVariant();
    default:
        return {};
    }
}

int AttemptsModel::append(Attempt attempt)
{
    attempt.number = m_attempts.empty() ? 1 : m_attempts.back().number + 1;
    beginInsertRows({}, 0, 0);
    m_attempts.push_back(std::move(attempt));
    endInsertRows();
    return m_attempts.back().number;
}

void AttemptsModel::setAttempts(std::vector<Attempt> attempts)
{
    beginResetModel();
    m_attempts = std::move(attempts);
    endResetModel();
}

const Attempt *AttemptsModel::attempt(int number) const
{
    const auto found = std::find_if(m_attempts.begin(), m_attempts.end(),
                                    [number](const Attempt &attempt) { return attempt.number == number; });
    return found == m_attempts.end() ? nullptr : &*found;
}

void AttemptsModel::update(int number, const std::function<void(Attempt &)> &change)
{
    const QModelIndex index = indexOf(number);
    if (!index.isValid())
        return;
    change(m_attempts[m_attempts.size() - 1 - static_cast<std::size_t>(index.row())]);
    Q_EMIT dataChanged(index, index);
}

QModelIndex AttemptsModel::indexOf(int number) const
{
    for (std::size_t i = 0; i < m_attempts.size(); ++i) {
        if (m_attempts[i].number == number)
            return index(static_cast<int>(m_attempts.size() - 1 - i));
    }
    return {};
}

int AttemptsModel::numberAt(const QModelIndex &index) const
{
    return index.isValid() ? index.data(NumberRole).toInt() : 0;
}

} // namespace dice::widgets
