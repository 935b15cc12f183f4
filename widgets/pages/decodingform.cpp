#include "widgets/pages/decodingform.h"

#include "widgets/theme/stylesheet.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QVBoxLayout>

namespace dice::widgets {

static void fill(QComboBox *box, const std::vector<Choice> &choices)
{
    const QString chosen = box->currentData().toString();
    box->clear();
    for (const Choice &choice : choices) {
        box->addItem(choice.label, choice.id);
        box->setItemData(box->count() - 1, choice.tip, Qt::ToolTipRole);
    }
    box->setCurrentIndex(std::max(0, box->findData(chosen)));
    box->setEnabled(!choices.empty());
}

static QComboBox *comboBox(QWidget *parent, const char *name, const QString &accessibleName)
{
    auto *box = new QComboBox(parent);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(accessibleName);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    return box;
}

DecodingForm::DecodingForm(QWidget *parent)
    : QFrame(parent)
{
    setLook(this, "panel");
    m_model = comboBox(this, "model", tr("Model"));
    m_model->setPlaceholderText(tr("no model installed"));
    m_device = comboBox(this, "device", tr("Device"));

    m_layout = new QFormLayout(this);
    m_layout->setContentsMargins(12, 12, 12, 8);
    m_layout->setHorizontalSpacing(12);
    m_layout->setVerticalSpacing(8);
    m_layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_layout->addRow(tr("Model"), m_model);
    m_layout->addRow(tr("Device"), m_device);
    m_layout->addRow(tr("Decoding"), strategyRow());
    m_layout->addRow(tr("Block, seed"), blockRow());
    buildDetails();
    m_layout->addRow(m_details);
    m_layout->addRow(m_more);
    for (int row = 0; row < m_layout->rowCount(); ++row) {
        if (auto *item = m_layout->itemAt(row, QFormLayout::LabelRole))
            setLook(item->widget(), "secondary");
    }

    connect(m_model, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isSetting)
            Q_EMIT modelChanged(model());
    });
    connect(m_device, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isSetting)
            Q_EMIT deviceChanged(device());
    });
    setOptions({});
}

QSpinBox *DecodingForm::spinBox(const char *name, int minimum, int maximum, const QString &accessibleName)
{
    auto *box = new QSpinBox(this);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(accessibleName);
    box->setRange(minimum, maximum);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    connect(box, &QSpinBox::valueChanged, this, &DecodingForm::announce);
    return box;
}

QDoubleSpinBox *DecodingForm::doubleSpinBox(const char *name, double minimum, double maximum,
                                            const QString &accessibleName)
{
    auto *box = new QDoubleSpinBox(this);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(accessibleName);
    box->setRange(minimum, maximum);
    box->setSingleStep(0.05);
    box->setDecimals(2);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    connect(box, &QDoubleSpinBox::valueChanged, this, &DecodingForm::announce);
    return box;
}

QWidget *DecodingForm::strategyRow()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_strategy = comboBox(row, "strategy", tr("Which tokens are unmasked first"));
    const auto add
        = [this](Remasking strategy, const QString &label) { m_strategy->addItem(label, static_cast<int>(strategy)); };
    add(Remasking::LowConfidenceDynamic, tr("sure ones, by threshold"));
    add(Remasking::LowConfidenceStatic, tr("surest, a fixed number"));
    add(Remasking::EntropyBounded, tr("by entropy"));
    add(Remasking::Sequential, tr("left to right"));
    m_threshold = doubleSpinBox("threshold", 0.0, 1.0, tr("Threshold of confidence"));
    m_threshold->setToolTip(tr("Tokens at least this sure are unmasked at once"));
    m_entropyBound = doubleSpinBox("entropyBound", 0.0, 10.0, tr("Bound of entropy, nats"));
    layout->addWidget(m_strategy, 1);
    layout->addWidget(m_threshold);
    layout->addWidget(m_entropyBound);
    connect(m_strategy, &QComboBox::currentIndexChanged, this, &DecodingForm::announce);
    connect(m_strategy, &QComboBox::currentIndexChanged, this, &DecodingForm::showThreshold);
    return row;
}

QWidget *DecodingForm::blockRow()
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_blockLength = spinBox("blockLength", 0, 512, tr("Block length, tokens"));
    m_blockLength->setSpecialValueText(tr("model's own"));
    m_seed = new QLineEdit(row);
    m_seed->setObjectName(QStringLiteral("seed"));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("\\d{1,19}")), m_seed));
    connect(m_seed, &QLineEdit::textChanged, this, &DecodingForm::announce);
    layout->addWidget(m_blockLength, 1);
    layout->addWidget(m_seed, 1);
    return row;
}

void DecodingForm::buildDetails()
{
    m_details = new QWidget(this);
    auto *layout = new QFormLayout(m_details);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setVerticalSpacing(8);
    m_steps = spinBox("stepsPerBlock", 0, 512, tr("Steps a block"));
    m_steps->setSpecialValueText(tr("as many as tokens"));
    m_temperature = doubleSpinBox("temperature", 0.0, 2.0, tr("Temperature"));
    m_temperature->setSpecialValueText(tr("0 (greedy)"));
    m_topK = spinBox("topK", 0, 100000, tr("Top k"));
    m_topK->setSpecialValueText(tr("off"));
    m_topP = doubleSpinBox("topP", 0.01, 1.0, tr("Top p"));
    m_maxTokens = spinBox("maxTokens", 1, 1 << 16, tr("Most tokens"));
    layout->addRow(tr("Steps a block"), m_steps);
    layout->addRow(tr("Temperature"), m_temperature);
    layout->addRow(tr("Top k"), m_topK);
    layout->addRow(tr("Top p"), m_topP);
    layout->addRow(tr("Most tokens"), m_maxTokens);
    m_details->hide();

    m_more = new QPushButton(tr("More options"), this);
    m_more->setObjectName(QStringLiteral("moreOptions"));
    setLook(m_more, "link");
    connect(m_more, &QPushButton::clicked, this, &DecodingForm::toggleDetails);
}

void DecodingForm::toggleDetails()
{
    m_details->setVisible(m_details->isHidden());
    m_more->setText(m_details->isHidden() ? tr("More options") : tr("Fewer options"));
}

void DecodingForm::showThreshold()
{
    const auto strategy = static_cast<Remasking>(m_strategy->currentData().toInt());
    m_threshold->setVisible(strategy == Remasking::LowConfidenceDynamic);
    m_entropyBound->setVisible(strategy == Remasking::EntropyBounded);
}

void DecodingForm::announce()
{
    if (!m_isSetting)
        Q_EMIT optionsChanged();
}

void DecodingForm::setModels(const std::vector<Choice> &models)
{
    const QScopedValueRollback guard(m_isSetting, true);
    fill(m_model, models);
}

void DecodingForm::setDevices(const std::vector<Choice> &devices)
{
    const QScopedValueRollback guard(m_isSetting, true);
    fill(m_device, devices);
}

QString DecodingForm::model() const
{
    return m_model->currentData().toString();
}

QString DecodingForm::device() const
{
    return m_device->currentData().toString();
}

void DecodingForm::setModel(const QString &id)
{
    const QScopedValueRollback guard(m_isSetting, true);
    m_model->setCurrentIndex(std::max(0, m_model->findData(id)));
}

void DecodingForm::setDevice(const QString &id)
{
    const QScopedValueRollback guard(m_isSetting, true);
    m_device->setCurrentIndex(std::max(0, m_device->findData(id)));
}

DecodingOptions DecodingForm::options() const
{
    DecodingOptions options;
    options.blockLength = m_blockLength->value();
    options.stepsPerBlock = m_steps->value();
    options.strategy = static_cast<Remasking>(m_strategy->currentData().toInt());
    options.threshold = m_threshold->value();
    options.entropyBound = m_entropyBound->value();
    options.temperature = m_temperature->value();
    options.topK = m_topK->value();
    options.topP = m_topP->value();
    options.seed = m_seed->text().toULongLong();
    options.maxNewTokens = m_maxTokens->value();
    return options;
}

void DecodingForm::setOptions(const DecodingOptions &options)
{
    const QScopedValueRollback guard(m_isSetting, true);
    m_blockLength->setValue(options.blockLength);
    m_steps->setValue(options.stepsPerBlock);
    m_strategy->setCurrentIndex(std::max(0, m_strategy->findData(static_cast<int>(options.strategy))));
    m_threshold->setValue(options.threshold);
    m_entropyBound->setValue(options.entropyBound);
    m_temperature->setValue(options.temperature);
    m_topK->setValue(options.topK);
    m_topP->setValue(options.topP);
    m_seed->setText(QString::number(options.seed));
    m_maxTokens->setValue(options.maxNewTokens);
    showThreshold();
}

} // namespace dice::widgets
