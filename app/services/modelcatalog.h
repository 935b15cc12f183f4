// The models that can be chosen by name: the one in the box and those in the user's folders. It reads folder names
// and looks for config.json; what is inside is the engine's business.
#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace dice::services {

struct ModelEntry
{
    QString name;
    QString folder;
    bool isInTheBox = false;

    bool operator==(const ModelEntry &) const = default;
};

class ModelCatalog
{
public:
    explicit ModelCatalog(QString boxFolder, QStringList userFolders = {});

    // Of this installation: resources/models, the user's models, and more folders from the settings.
    static ModelCatalog ofInstallation(const QStringList &moreFolders = {});

    // The model in the box first, then by name. A name found twice is the first one's.
    std::vector<ModelEntry> models() const;

    // By name, or a folder given by its path. NotFound names the models that there are.
    Result<ModelEntry> find(const QString &nameOrFolder) const;

    // What is used when nothing was chosen. NotFound when the box is empty.
    Result<ModelEntry> defaultModel() const;

private:
    QString m_boxFolder;
    QStringList m_userFolders;
};

} // namespace dice::services
