// What the user chose and expects to find again, in one ini file. Passed by reference; there is no global one.
#pragma once

#include "core/data/decodingoptions.h"
#include "core/data/verifyrequest.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace dice::services {

class Settings
{
public:
    explicit Settings(const QString &file);
    static QString defaultFile(); // in the user's configuration folder

    QString model() const; // name or folder; empty = the default one
    void setModel(const QString &model);
    QString device() const; // "auto", "cpu", "cuda:0"
    void setDevice(const QString &device);
    DecodingOptions decoding() const; // the defaults where the file holds none, or none that is valid
    void setDecoding(const DecodingOptions &decoding);
    Protocol protocol() const;
    void setProtocol(Protocol protocol);
    int numTrials() const;
    void setNumTrials(int numTrials);
    int numAttempts() const;
    void setNumAttempts(int numAttempts);
    QStringList modelFolders() const; // looked at beside the installation's own
    void setModelFolders(const QStringList &folders);
    QString runsFolder() const;
    void setRunsFolder(const QString &folder);

    // Geometry, splitters and open files of the window, under keys that the window chooses.
    QByteArray layout(const QString &key) const;
    void setLayout(const QString &key, const QByteArray &state);
    QString text(const QString &key) const;
    void setText(const QString &key, const QString &text);

private:
    mutable QSettings m_file;
};

} // namespace dice::services
