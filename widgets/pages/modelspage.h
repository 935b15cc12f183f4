// The models that can be chosen, each with its figures and its card. Shows a list model; knows no file.
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

class QLabel;
class QListView;
class QPushButton;
class QTextBrowser;

namespace dice::widgets {

class EmptyState;
class ModelsModel;

class ModelsPage : public QWidget
{
    Q_OBJECT

public:
    explicit ModelsPage(ModelsModel *model, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);

Q_SIGNALS:
    void modelShown(const QString &folder); // its card is wanted
    void modelChosen(const QString &folder); // to be used on the Author page

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showCurrent();

    ModelsModel *m_model = nullptr;
    QListView *m_view = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_summary = nullptr;
    QLabel *m_folder = nullptr;
    QTextBrowser *m_card = nullptr;
    QPushButton *m_choose = nullptr;
    EmptyState *m_empty = nullptr;
    QWidget *m_content = nullptr;
};

} // namespace dice::widgets
