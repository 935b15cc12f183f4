// The choices before a generation: model, device, and how to unmask. Gives and takes values; knows no engine.
#pragma once

#include "core/data/decodingoptions.h"

#include <QFrame>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace dice::widgets {

struct Choice
{
    QString id;
    QString label;
    QString tip;

    bool operator==(const Choice &) const = default;
};

class DecodingForm : public QFrame
{
    Q_OBJECT

public:
    explicit DecodingForm(QWidget *parent = nullptr);

    // Keep the chosen id when it is still there.
    void setModels(const std::vector<Choice> &models);
    void setDevices(const std::vector<Choice> &devices);
    QString model() const; // id
    QString device() const;
    void setModel(const QString &id);
    void setDevice(const QString &id);

    DecodingOptions options() const;
    void setOptions(const DecodingOptions &options);

Q_SIGNALS:
    void modelChanged(const QString &id);
    void deviceChanged(const QString &id);
    void optionsChanged();

private:
    QWidget *strategyRow();
    QWidget *blockRow();
    void buildDetails();
    void toggleDetails();
    void announce();
    void showThreshold();
    QSpinBox *spinBox(const char *name, int minimum, int maximum, const QString &accessibleName);
    QDoubleSpinBox *doubleSpinBox(const char *name, double minimum, double maximum, const QString &accessibleName);

    QFormLayout *m_layout = nullptr;
    QComboBox *m_model = nullptr;
    QComboBox *m_device = nullptr;
    QComboBox *m_strategy = nullptr;
    QDoubleSpinBox *m_threshold = nullptr;
    QDoubleSpinBox *m_entropyBound = nullptr;
    QSpinBox *m_blockLength = nullptr;
    QLineEdit *m_seed = nullptr;
    QPushButton *m_more = nullptr;
    QWidget *m_details = nullptr;
    QSpinBox *m_steps = nullptr;
    QDoubleSpinBox *m_temperature = nullptr;
    QSpinBox *m_topK = nullptr;
    QDoubleSpinBox *m_topP = nullptr;
    QSpinBox *m_maxTokens = nullptr;
    bool m_isSetting = false; // values come from outside: no announcement
};

} // namespace dice::widgets
