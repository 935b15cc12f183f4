// Paints an attempt as a card: its number in the colour of its verdict, the verdict's word, one line of evidence.
#pragma once

#include "widgets/theme/theme.h"

#include <QStyledItemDelegate>

namespace dice::widgets {

class AttemptDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    explicit AttemptDelegate(QObject *parent = nullptr);

    void setTheme(const Theme &theme) { m_theme = theme; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    QColor colorOf(const QModelIndex &index) const;

    Theme m_theme;
};

} // namespace dice::widgets
