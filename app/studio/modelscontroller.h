// Fills the list of models from the catalog and the engine's descriptions, for the Models page and the Author form.
#pragma once

#include "app/services/modelcatalog.h"
#include "app/services/settings.h"
#include "app/services/studio.h"

#include <QObject>

namespace dice::widgets {
class AuthorPage;
class ModelsModel;
class ModelsPage;
} // namespace dice::widgets

namespace dice::studio {

class ModelsController : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        widgets::ModelsPage &page;
        widgets::ModelsModel &model;
        widgets::AuthorPage &author;
        services::Studio &studio;
        services::Settings &settings;
    };

    explicit ModelsController(const Parts &parts, QObject *parent = nullptr);

    // Reads the folders' names again: cheap, no weights.
    void refresh();

Q_SIGNALS:
    void modelChosen();

private:
    void describe(const QString &folder);
    void choose(const QString &folder);

    Parts m_parts;
};

} // namespace dice::studio
