// What the model thought at one token: block, step, confidence and the five best tokens with bars.
#pragma once

#include "widgets/canvas/canvasdocument.h"
#include "widgets/theme/theme.h"

#include <QWidget>

namespace dice::widgets {

class TokenPopup : public QWidget
{
    Q_OBJECT

public:
    explicit TokenPopup(QWidget *parent);

    void setTheme(const Theme &theme);
    // Shows the cell beside `anchor` (parent's coordinates), inside the parent.
    void showCell(const DocumentCell &cell, const QRect &anchor);

    QString headline() const { return m_headline; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Row
    {
        QString text;
        double probability = 0.0;
    };

    void placeBeside(const QRect &anchor);
    void describe();

    Theme m_theme;
    QString m_headline;
    QString m_confidence;
    std::vector<Row> m_rows;
};

// A token as one can read it: "\n" and spaces made visible.
QString visibleToken(const std::string &text);

} // namespace dice::widgets
