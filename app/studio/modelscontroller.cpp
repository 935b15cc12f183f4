#include "app/studio/modelscontroller.h"

#include "widgets/models/modelsmodel.h"
#include "widgets/pages/authorpage.h"
#include "widgets/pages/modelspage.h"

#include <QLocale>

#include <algorithm>

namespace dice::studio {

using widgets::ModelEntry;

ModelsController::ModelsController(const Parts &parts, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
{
    connect(&m_parts.page, &widgets::ModelsPage::modelShown, this, &ModelsController::describe);
    connect(&m_parts.page, &widgets::ModelsPage::modelChosen, this, &ModelsController::choose);
    refresh();
}

void ModelsController::refresh()
{
    const auto catalog = services::ModelCatalog::ofInstallation(m_parts.settings.modelFolders());
    const auto chosen = catalog.find(m_parts.settings.model());
    const auto used = chosen ? chosen : catalog.defaultModel();
    std::vector<services::ModelEntry> models = catalog.models();
    if (used && std::find(models.begin(), models.end(), *used) == models.end())
        models.push_back(*used); // a folder that was named by its path
    std::vector<ModelEntry> entries;
    std::vector<widgets::Choice> choices;
    for (const services::ModelEntry &found : models) {
        ModelEntry entry;
        entry.name = found.name;
        entry.folder = found.folder;
        entries.push_back(entry);
        choices.push_back(
            {found.folder, found.isInTheBox ? tr("%1 (in the box)").arg(found.name) : found.name, found.folder});
    }
    m_parts.model.setEntries(entries);
    m_parts.author.form()->setModels(choices);
    if (used)
        m_parts.author.form()->setModel(used->folder);
}

static QString summaryOf(const ModelInfo &info)
{
    const QLocale locale;
    const double millions = static_cast<double>(info.numParameters) * 1e-6;
    return ModelsController::tr("%1 M parameters, %2 layers, block length %3, %4, %5")
        .arg(locale.toString(millions, 'f', millions < 100 ? 1 : 0))
        .arg(info.numLayers)
        .arg(info.blockLength)
        .arg(QString::fromStdString(info.dtype), locale.formattedDataSize(info.sizeBytes));
}

void ModelsController::describe(const QString &folder)
{
    m_parts.studio.engine().describeModel(folder.toStdString(), [this, folder](const Result<ModelInfo> &info) {
        const auto &entries = m_parts.model.entries();
        const auto known = std::find_if(entries.begin(), entries.end(),
                                        [&folder](const ModelEntry &entry) { return entry.folder == folder; });
        if (known == entries.end())
            return;
        ModelEntry entry = *known;
        entry.summary = info ? summaryOf(*info) : QString();
        entry.card = info ? QString::fromStdString(info->card) : QString();
        entry.problem = info ? QString() : QString::fromStdString(info.error().message);
        m_parts.model.updateEntry(entry);
    });
}

void ModelsController::choose(const QString &folder)
{
    m_parts.author.form()->setModel(folder);
    Q_EMIT m_parts.author.form()->modelChanged(folder);
    Q_EMIT modelChosen();
}

} // namespace dice::studio
