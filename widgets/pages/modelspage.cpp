#include "widgets/pages/modelspage.h"

#include "widgets/models/modelsmodel.h"
#include "widgets/pages/emptystate.h"
#include "widgets/theme/stylesheet.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace dice::widgets {

ModelsPage::ModelsPage(ModelsModel *model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_view(new QListView(this))
    , m_title(new QLabel(this))
    , m_summary(new QLabel(this))
    , m_folder(new QLabel(this))
    , m_card(new QTextBrowser(this))
    , m_choose(new QPushButton(tr("Use this model"), this))
    , m_empty(new EmptyState(this))
    , m_content(new QWidget(this))
{
    setObjectName(QStringLiteral("modelsPage"));
    m_view->setObjectName(QStringLiteral("modelList"));
    m_view->setAccessibleName(tr("Models"));
    m_view->setModel(model);
    m_view->setFixedWidth(280);
    m_card->setObjectName(QStringLiteral("modelCard"));
    m_card->setAccessibleName(tr("Model card"));
    m_card->setOpenLinks(false); // a card is text of others: nothing in it is followed or fetched
    m_choose->setObjectName(QStringLiteral("chooseModel"));
    setLook(m_choose, "primary");
    setLook(m_title, "title");
    setLook(m_summary, "secondary");
    setLook(m_folder, "secondary");
    m_folder->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_empty->setTexts(tr("No model is installed"),
                      tr("The model in the box is missing from this installation. Run packaging/run.sh again, or put a "
                         "folder in Hugging Face's layout into the models folder of your data folder."));

    auto *head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_choose);
    auto *frame = new QFrame(this);
    setLook(frame, "panel");
    auto *frameLayout = new QVBoxLayout(frame);
    frameLayout->setContentsMargins(16, 12, 16, 12);
    frameLayout->addLayout(head);
    frameLayout->addWidget(m_summary);
    frameLayout->addWidget(m_folder);
    frameLayout->addWidget(m_card, 1);
    auto *list = new QFrame(this);
    setLook(list, "panel");
    auto *listLayout = new QVBoxLayout(list);
    listLayout->setContentsMargins(4, 8, 4, 8);
    listLayout->addWidget(m_view);
    auto *columns = new QHBoxLayout(m_content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(12);
    columns->addWidget(list);
    columns->addWidget(frame, 1);
    auto *heading = new QLabel(tr("Models"), this);
    setLook(heading, "title");
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(8);
    layout->addWidget(heading);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_empty, 1);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &current) {
        showCurrent();
        if (current.isValid() && isVisible()) // a card costs a request: only for a page that is read
            Q_EMIT modelShown(current.data(ModelsModel::FolderRole).toString());
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &ModelsPage::showCurrent);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &ModelsPage::showCurrent);
    connect(m_choose, &QPushButton::clicked, this,
            [this] { Q_EMIT modelChosen(m_view->currentIndex().data(ModelsModel::FolderRole).toString()); });
    showCurrent();
}

void ModelsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    const QModelIndex current = m_view->currentIndex();
    if (current.isValid())
        Q_EMIT modelShown(current.data(ModelsModel::FolderRole).toString());
}

void ModelsPage::setTheme(const Theme &)
{
    m_card->document()->setDefaultFont(font());
}

void ModelsPage::showCurrent()
{
    const bool hasModels = m_model->rowCount() > 0;
    m_content->setVisible(hasModels);
    m_empty->setVisible(!hasModels);
    if (!hasModels)
        return;
    if (!m_view->currentIndex().isValid()) {
        m_view->setCurrentIndex(m_model->index(0)); // comes back here
        return;
    }
    const QModelIndex current = m_view->currentIndex();
    const QString problem = current.data(ModelsModel::ProblemRole).toString();
    const QString card = current.data(ModelsModel::CardRole).toString();
    m_title->setText(current.data().toString());
    m_summary->setText(problem.isEmpty() ? current.data(ModelsModel::SummaryRole).toString() : problem);
    m_folder->setText(current.data(ModelsModel::FolderRole).toString());
    m_choose->setEnabled(problem.isEmpty());
    m_card->setMarkdown(card.isEmpty() && problem.isEmpty() ? tr("This model has no card.") : card);
}

} // namespace dice::widgets
