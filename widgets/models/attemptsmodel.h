// The attempts of this window, newest first. Owns them; everything else refers to an attempt by its number.
#pragma once

#include "widgets/models/attempt.h"

#include <QAbstractListModel>

#include <functional>

namespace dice::widgets {

class AttemptsModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { NumberRole = Qt::UserRole, StateRole, WordRole, EvidenceRole };

    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

    // Returns the number it gave: one more than the highest so far.
    int append(Attempt attempt);
    void setAttempts(std::vector<Attempt> attempts); // oldest first

    const std::vector<Attempt> &attempts() const { return m_attempts; } // oldest first
    const Attempt *attempt(int number) const;
    const Attempt *latest() const { return m_attempts.empty() ? nullptr : &m_attempts.back(); }
    // Calls `change` on the attempt and announces it. Does nothing for an unknown number.
    void update(int number, const std::function<void(Attempt &)> &change);

    QModelIndex indexOf(int number) const;
    int numberAt(const QModelIndex &index) const;

private:
    std::vector<Attempt> m_attempts;
};

} // namespace dice::widgets
