#include "widgets/pages/attemptspanel.h"

#include "widgets/models/attemptsmodel.h"
#include "widgets/pages/attemptdelegate.h"
#include "widgets/theme/stylesheet.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QListView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace dice::widgets {

AttemptsPanel::AttemptsPanel(AttemptsModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_delegate(new AttemptDelegate(this))
    , m_view(new QListView(this))
    , m_hint(new QLabel(tr("Every kernel you generate or verify is kept here, with your edits."), this))
{
    auto *title = new QLabel(tr("Attempts"), this);
    setLook(title, "title");
    setLook(m_hint, "secondary");
    m_hint->setWordWrap(true);
    m_view->setObjectName(QStringLiteral("attempts"));
    m_view->setAccessibleName(tr("Attempts"));
    m_view->setModel(model);
    m_view->setItemDelegate(m_delegate);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setMouseTracking(true);
    m_view->viewport()->setAutoFillBackground(false);
    setLook(m_view, "cards");
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(m_hint);
    layout->addWidget(m_view, 1);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
        if (current.isValid() && !m_isSetting)
            Q_EMIT attemptPicked(m_model->numberAt(current));
    });
    connect(model, &QAbstractItemModel::rowsInserted, this, &AttemptsPanel::showEmptiness);
    connect(model, &QAbstractItemModel::modelReset, this, &AttemptsPanel::showEmptiness);
    showEmptiness();
}

void AttemptsPanel::showEmptiness()
{
    m_hint->setVisible(m_model->rowCount() == 0);
}

void AttemptsPanel::setTheme(const Theme &theme)
{
    m_delegate->setTheme(theme);
    m_view->viewport()->update();
}

void AttemptsPanel::setCurrent(int number)
{
    const QScopedValueRollback guard(m_isSetting, true);
    const QModelIndex index = m_model->indexOf(number);
    m_view->setCurrentIndex(index);
    if (index.isValid())
        m_view->scrollTo(index);
}

} // namespace dice::widgets
