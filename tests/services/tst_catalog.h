// What is found by name, read from files, or taken out of an answer.
#pragma once

#include <QObject>
#include <QTemporaryDir>

#include <memory>

class TestCatalog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void modelsAreFoundByNameAndFolder();
    void anUnknownModelNamesTheKnownOnes();
    void settingsComeBack();
    void brokenSettingsGiveTheDefaults();
    void kernelsAreTakenOutOfAnswers_data();
    void kernelsAreTakenOutOfAnswers();
    void casesAreReadWithTheirRules();
    void brokenCasesAreErrors();
    void laterAttemptsSample();

private:
    void write(const QString &name, const QByteArray &text);

    std::unique_ptr<QTemporaryDir> m_folder;
};
