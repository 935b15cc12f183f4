#include "app/studio/modulefiles.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStringDecoder>

static void initExamples()
{
    Q_INIT_RESOURCE(examples);
}

namespace dice::studio {

static constexpr qint64 maxBytes = 8 << 20;

namespace {
struct Texts
{
    Q_DECLARE_TR_FUNCTIONS(ModuleFiles)
};
} // namespace

Result<QString> readTextFile(const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound,
                       Texts::tr("%1 cannot be opened: %2. Choose another file.")
                           .arg(name, file.errorString())
                           .toStdString());
    const QByteArray bytes = file.read(maxBytes + 1);
    if (bytes.size() > maxBytes)
        return failure(
            ErrorCode::InvalidArgument,
            Texts::tr("%1 is larger than 8 MB: that is no module. Choose another file.")
                .arg(name)
                .toStdString());
    QStringDecoder decode(QStringDecoder::Utf8);
    const QString text = decode(bytes);
    if (decode.hasError() || text.contains(QChar(0)))
        return failure(ErrorCode::InvalidArgument,
                       Texts::tr("%1 is not a text in UTF-8. Choose a Python file.")
                           .arg(name)
                           .toStdString());
    return text;
}

Status writeTextFile(const QString &path, const QString &text)
{
    QSaveFile file(path);
    const QByteArray bytes = text.toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return failure(ErrorCode::Io,
                       Texts::tr("%1 could not be saved: %2. Choose another place.")
                           .arg(QFileInfo(path).fileName(), file.errorString())
                           .toStdString());
    return {};
}

// "02_softmax_rows.py" with the docstring "Softmax over each row." becomes "Softmax over each row".
static QString exampleTitle(const QString &text, const QString &fileName)
{
    const qsizetype start = text.indexOf(QLatin1String("\"\"\""));
    const qsizetype end = text.indexOf(QLatin1String("\"\"\""), start + 3);
    if (start < 0 || end < 0)
        return fileName;
    QString title = text.mid(start + 3, end - start - 3).simplified();
    if (title.endsWith(QLatin1Char('.')))
        title.chop(1);
    return title;
}

std::vector<widgets::ExampleModule> exampleModules()
{
    initExamples();
    std::vector<widgets::ExampleModule> examples;
    const QDir folder(QStringLiteral(":/examples"));
    for (const QString &name : folder.entryList(QDir::Files, QDir::Name)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString text = QString::fromUtf8(file.readAll());
        examples.push_back({exampleTitle(text, name), name, text});
    }
    return examples;
}

} // namespace dice::studio
