// A label that takes what room there is and ends in "..." when its text is longer; the tool tip has all of it.
#pragma once

#include <QLabel>

namespace dice::widgets {

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget *parent = nullptr);

    void setText(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace dice::widgets
