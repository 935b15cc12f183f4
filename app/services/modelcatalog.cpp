#include "modelcatalog.h"

#include "app/services/installation.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

namespace dice::services {

namespace {

constexpr QLatin1String defaultName("dice-nano");

std::vector<ModelEntry> modelsBelow(const QString &folder, bool isInTheBox)
{
    std::vector<ModelEntry> found;
    const QDir parent(folder);
    for (const QString &name : parent.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString model = parent.filePath(name);
        if (QFileInfo::exists(model + QStringLiteral("/config.json")))
            found.push_back({name, model, isInTheBox});
    }
    return found;
}

} // namespace

ModelCatalog::ModelCatalog(QString boxFolder, QStringList userFolders)
    : m_boxFolder(std::move(boxFolder))
    , m_userFolders(std::move(userFolders))
{
}

ModelCatalog ModelCatalog::ofInstallation(const QStringList &moreFolders)
{
    return ModelCatalog(resourceFolder() + QStringLiteral("/models"), QStringList{userModelFolder()} + moreFolders);
}

std::vector<ModelEntry> ModelCatalog::models() const
{
    std::vector<ModelEntry> all = modelsBelow(m_boxFolder, true);
    for (const QString &folder : m_userFolders) {
        for (ModelEntry &entry : modelsBelow(folder, false))
            all.push_back(std::move(entry));
    }
    QSet<QString> names;
    std::erase_if(all, [&names](const ModelEntry &entry) {
        const bool isKnown = names.contains(entry.name);
        names.insert(entry.name);
        return isKnown;
    });
    return all;
}

Result<ModelEntry> ModelCatalog::find(const QString &nameOrFolder) const
{
    const std::vector<ModelEntry> all = models();
    for (const ModelEntry &entry : all) {
        if (entry.name == nameOrFolder)
            return entry;
    }
    const QFileInfo info(nameOrFolder);
    if (info.isDir())
        return ModelEntry{QDir(info.absoluteFilePath()).dirName(), info.absoluteFilePath(), false};
    QStringList names;
    for (const ModelEntry &entry : all)
        names += entry.name;
    const QString known = names.isEmpty() ? QStringLiteral("none here") : names.join(QStringLiteral(", "));
    return failure(ErrorCode::NotFound,
                   QStringLiteral("there is no model \"%1\"; give a folder, or one of: %2")
                       .arg(nameOrFolder, known)
                       .toStdString());
}

Result<ModelEntry> ModelCatalog::defaultModel() const
{
    const std::vector<ModelEntry> all = models();
    for (const ModelEntry &entry : all) {
        if (entry.name == defaultName)
            return entry;
    }
    if (!all.empty())
        return all.front();
    return failure(ErrorCode::NotFound,
                   "no model is installed in " + m_boxFolder.toStdString() + "; name a model folder");
}

} // namespace dice::services
