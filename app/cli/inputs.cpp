#include "inputs.h"

#include "app/services/settings.h"
#include "core/store/atomicfile.h"

#include <QDir>
#include <QFileInfo>
#include <QString>
#include <QStringDecoder>

#include <regex>

namespace dice::cli {

namespace {

constexpr std::uint64_t maxSourceBytes = 1u << 20;

bool isUtf8Text(const std::string &bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    return !decoder.hasError() && !text.contains(QChar::Null);
}

} // namespace

Result<ModuleSource> readSource(const std::string &path)
{
    Result<std::string> text = store::readFile(path, maxSourceBytes);
    if (!text)
        return tl::unexpected(text.error());
    if (!isUtf8Text(*text))
        return failure(ErrorCode::InvalidArgument, path + " is no UTF-8 text; give a Python file");
    if (QString::fromStdString(*text).trimmed().isEmpty())
        return failure(ErrorCode::InvalidArgument, path + " is empty; give a Python file");
    return ModuleSource{std::move(*text), QFileInfo(QString::fromStdString(path)).fileName().toStdString()};
}

Status checkDevice(const std::string &device)
{
    static const std::regex known("auto|cpu|cuda(:[0-9]{1,2})?");
    if (std::regex_match(device, known))
        return {};
    return failure(ErrorCode::InvalidArgument, "--device " + device + " is not known; use auto, cpu or cuda:0");
}

Result<Protocol> parseProtocol(const std::string &name)
{
    const Result<Protocol> protocol = protocolFromString(name);
    if (protocol)
        return protocol;
    return failure(ErrorCode::InvalidArgument,
                   "--protocol " + name + " is not known; use strict, kernelbench or kernelbench-v0");
}

Result<services::ModelEntry> chooseModel(const std::string &nameOrFolder)
{
    const services::Settings settings(services::Settings::defaultFile());
    const auto catalog = services::ModelCatalog::ofInstallation(settings.modelFolders());
    return nameOrFolder.empty() ? catalog.defaultModel() : catalog.find(QString::fromStdString(nameOrFolder));
}

Status checkOutput(const std::string &path)
{
    const QFileInfo file(QString::fromStdString(path));
    if (file.isDir())
        return failure(ErrorCode::InvalidArgument, path + " is a folder; give the name of a file in it");
    if (!file.absoluteDir().exists())
        return failure(ErrorCode::NotFound,
                       "there is no folder " + file.absolutePath().toStdString() + "; make it or save elsewhere");
    return {};
}

} // namespace dice::cli
