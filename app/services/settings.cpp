#include "settings.h"

#include "app/services/installation.h"

#include <QStandardPaths>

namespace dice::services {

namespace {
constexpr int defaultNumTrials = 5;
constexpr int maxNumTrials = 1000;
constexpr int maxNumAttempts = 100;
} // namespace

Settings::Settings(const QString &file)
    : m_file(file, QSettings::IniFormat)
{
}

QString Settings::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
        + QStringLiteral("/dice-studio/settings.ini");
}

QString Settings::model() const
{
    return m_file.value("model/name").toString();
}

void Settings::setModel(const QString &model)
{
    m_file.setValue("model/name", model);
}

QString Settings::device() const
{
    return m_file.value("device", "auto").toString();
}

void Settings::setDevice(const QString &device)
{
    m_file.setValue("device", device);
}

DecodingOptions Settings::decoding() const
{
    const std::string text = m_file.value("decoding").toString().toStdString();
    const Result<DecodingOptions> stored = decodingOptionsFromJson(Json::parse(text, nullptr, false));
    return stored && validate(*stored) ? *stored : DecodingOptions{};
}

void Settings::setDecoding(const DecodingOptions &decoding)
{
    m_file.setValue("decoding", QString::fromStdString(toJson(decoding).dump()));
}

Protocol Settings::protocol() const
{
    return protocolFromString(m_file.value("verify/protocol").toString().toStdString()).value_or(Protocol::Strict);
}

void Settings::setProtocol(Protocol protocol)
{
    m_file.setValue("verify/protocol", toString(protocol));
}

int Settings::numTrials() const
{
    return qBound(1, m_file.value("verify/trials", defaultNumTrials).toInt(), maxNumTrials);
}

void Settings::setNumTrials(int numTrials)
{
    m_file.setValue("verify/trials", numTrials);
}

int Settings::numAttempts() const
{
    return qBound(1, m_file.value("generate/attempts", 1).toInt(), maxNumAttempts);
}

void Settings::setNumAttempts(int numAttempts)
{
    m_file.setValue("generate/attempts", numAttempts);
}

QStringList Settings::modelFolders() const
{
    return m_file.value("model/folders").toStringList();
}

void Settings::setModelFolders(const QStringList &folders)
{
    m_file.setValue("model/folders", folders);
}

QString Settings::runsFolder() const
{
    return m_file.value("runs/folder", defaultRunsFolder()).toString();
}

void Settings::setRunsFolder(const QString &folder)
{
    m_file.setValue("runs/folder", folder);
}

QByteArray Settings::layout(const QString &key) const
{
    return m_file.value("layout/" + key).toByteArray();
}

void Settings::setLayout(const QString &key, const QByteArray &state)
{
    m_file.setValue("layout/" + key, state);
}

QString Settings::text(const QString &key) const
{
    return m_file.value("text/" + key).toString();
}

void Settings::setText(const QString &key, const QString &text)
{
    m_file.setValue("text/" + key, text);
}

} // namespace dice::services
