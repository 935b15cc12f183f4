#include "testformats.h"

#include "core/formats/safetensors.h"

#include <QTemporaryDir>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sys/resource.h>

namespace dice::formats::tests {

namespace {

std::filesystem::path inside(const QTemporaryDir &folder, const char *name)
{
    return std::filesystem::path(folder.path().toStdString()) / name;
}

void writeBytes(const std::filesystem::path &file, const std::string &bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

std::string withLength(const std::string &header, std::uint64_t length)
{
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header;
}

std::string fileOf(const std::string &header, std::size_t dataBytes)
{
    return withLength(header, header.size()) + std::string(dataBytes, '\x07');
}

TensorView viewOf(const std::string &name, DType type, std::vector<std::int64_t> shape, const std::string &bytes)
{
    return {name, type, std::move(shape), std::as_bytes(std::span(bytes))};
}

} // namespace

class SafetensorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void hostileFiles_data();
    void hostileFiles();
    void everyTruncationIsAnError();
    void missingFileAndFolder();
    void wrongShapeNamesTensor();
    void shards();
    void hostileIndex_data();
    void hostileIndex();
    void failedWriteKeepsOldFile();
    void readsReferenceModels();
};

void SafetensorsTest::roundTrip()
{
    const QTemporaryDir folder;
    const auto file = inside(folder, "w.safetensors");
    const std::string bytes16(6, 'b'), bytes32("abcdefgh"), flag(1, '\1'), none;
    const std::vector<TensorView> tensors{
        viewOf("b.half", DType::BF16, {3}, bytes16), viewOf("a.flag", DType::Bool, {}, flag),
        viewOf("c.single", DType::F32, {2, 1}, bytes32), viewOf("d.empty", DType::I64, {0, 4}, none)};
    VERIFY_RESULT(writeSafetensors(file, tensors, {{"format", "pt"}, {"step", "7"}}));
    const auto read = Weights::openFile(file);
    VERIFY_RESULT(read);
    QCOMPARE(read->tensors().size(), tensors.size());
    QCOMPARE(read->metadata().at("step"), std::string("7"));
    for (const TensorView &expected : tensors) {
        const TensorView *found = read->find(expected.name);
        QVERIFY(found);
        QVERIFY(found->dtype == expected.dtype);
        QVERIFY(found->shape == expected.shape);
        QVERIFY(std::equal(found->bytes.begin(), found->bytes.end(), expected.bytes.begin(), expected.bytes.end()));
        QCOMPARE(reinterpret_cast<std::uintptr_t>(found->bytes.data()) % itemSize(found->dtype), std::uintptr_t{0});
    }
    QVERIFY(!read->find("e"));
}

void SafetensorsTest::hostileFiles_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *name, const std::string &bytes, const char *says) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())) << QString(says);
    };
    const auto tensor
        = [](const char *entry, std::size_t size) { return fileOf(std::string("{\"t\":") + entry + "}", size); };
    row("empty file", "", "is empty");
    row("seven bytes", "1234567", "only 7 bytes");
    row("header beyond file", withLength("{}", 100), "ends 98 bytes after the file");
    row("huge header", withLength("{}", ~std::uint64_t{0}), "is not a safetensors file");
    row("header over the cap", withLength("{}", std::uint64_t{33} << 20), "is not a safetensors file");
    row("not JSON", fileOf("{\"t\":", 0), "not valid JSON");
    row("not an object", fileOf("[1]", 0), "not a JSON object");
    row("deep nesting", fileOf(std::string(100000, '['), 0), "not valid JSON");
    row("no fields", tensor("{}", 0), "tensor t lacks");
    row("entry is a number", tensor("3", 0), "tensor t lacks");
    row("unknown dtype", tensor(R"({"dtype":"F7","shape":[1],"data_offsets":[0,4]})", 4), "unknown element type F7");
    row("dtype is a number", tensor(R"({"dtype":7,"shape":[1],"data_offsets":[0,4]})", 4), "tensor t has a dtype");
    row("negative size", tensor(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", 4), "tensor t has a shape");
    row("fractional size", tensor(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})", 4), "tensor t has a shape");
    row("size beyond 63 bits", tensor(R"({"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]})", 4),
        "beyond any memory");
    row("product overflows", tensor(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]})", 4),
        "beyond any memory");
    row("product overflows to the size",
        tensor(R"({"dtype":"F32","shape":[4611686018427387905],"data_offsets":[0,4]})", 4), "beyond any memory");
    row("shape lies", tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4),
        "needs 8 bytes by its shape and has 4");
    row("ends after file", tensor(R"({"dtype":"F32","shape":[4],"data_offsets":[0,16]})", 4),
        "tensor t ends 12 bytes after the file");
    row("begins after end", tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[8,4]})", 8), "ends before it begins");
    row("negative offset", tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[-4,0]})", 4), "no pair of positions");
    row("one offset", tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4]})", 4), "no pair of positions");
    row("bytes left over", tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 8),
        "bytes of no tensor at its end");
    row("gap at the start", tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8),
        "bytes of no tensor before tensor t");
    row("overlap",
        fileOf(
            R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            8),
        "tensor b overlaps");
    row("same place twice",
        fileOf(
            R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
            4),
        "tensor b overlaps");
    row("doubled name",
        fileOf(
            R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
            4),
        "names tensor a twice");
    row("metadata no object", fileOf(R"({"__metadata__":[]})", 0), "__metadata__");
    row("metadata no text", fileOf(R"({"__metadata__":{"a":1}})", 0), "__metadata__ entry a");
}

void SafetensorsTest::hostileFiles()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const auto file = inside(folder, "hostile.safetensors");
    writeBytes(file, bytes.toStdString());
    const auto read = Weights::openFile(file);
    QVERIFY(!read);
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY2(message.contains("hostile.safetensors"), qPrintable(message));
    QVERIFY2(message.contains("; "), "the message has no next step");
}

void SafetensorsTest::everyTruncationIsAnError()
{
    const QTemporaryDir folder;
    const std::string whole = fileOf(R"({"t":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})", 16);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const auto file = inside(folder, ("t" + std::to_string(size)).c_str());
        writeBytes(file, whole.substr(0, size));
        QCOMPARE(Weights::openFile(file).has_value(), size == whole.size());
    }
}

void SafetensorsTest::missingFileAndFolder()
{
    const QTemporaryDir folder;
    const auto file = Weights::openFile(inside(folder, "none.safetensors"));
    QVERIFY(!file);
    QVERIFY(file.error().code == ErrorCode::NotFound);
    const auto model = Weights::openFolder(inside(folder, "none"));
    QVERIFY(!model);
    QVERIFY(model.error().code == ErrorCode::NotFound);
    QVERIFY(!Weights::openFile(folder.path().toStdString())); // a folder is no file
}

void SafetensorsTest::wrongShapeNamesTensor()
{
    const QTemporaryDir folder;
    const auto file = inside(folder, "w.safetensors");
    const std::string bytes(8, 'x');
    const std::vector<TensorView> tensors{viewOf("layer.weight", DType::F32, {2}, bytes)};
    VERIFY_RESULT(writeSafetensors(file, tensors));
    const auto weights = Weights::openFile(file);
    VERIFY_RESULT(weights);
    VERIFY_RESULT(weights->require("layer.weight", {2}));
    const auto wrong = weights->require("layer.weight", {3, 1});
    QVERIFY(!wrong);
    QVERIFY(wrong.error().message.find("layer.weight has shape [2], config.json asks for [3, 1]") != std::string::npos);
    const auto missing = weights->require("other.weight", {2});
    QVERIFY(!missing);
    QVERIFY(missing.error().message.find("other.weight") != std::string::npos);
}

void SafetensorsTest::shards()
{
    const QTemporaryDir folder;
    const std::string bytes(4, 'x');
    const std::vector<TensorView> first{viewOf("z", DType::F32, {1}, bytes)},
        second{viewOf("a", DType::I32, {1}, bytes)};
    VERIFY_RESULT(writeSafetensors(inside(folder, "one.safetensors"), first));
    VERIFY_RESULT(writeSafetensors(inside(folder, "two.safetensors"), second));
    writeBytes(inside(folder, "model.safetensors.index.json"),
               R"({"weight_map":{"z":"one.safetensors","a":"two.safetensors"}})");
    const auto weights = Weights::openFolder(folder.path().toStdString());
    VERIFY_RESULT(weights);
    QCOMPARE(weights->tensors().size(), std::size_t{2});
    QVERIFY(weights->find("a") && weights->find("z"));
    const Weights copy = *weights; // the maps live as long as any copy
    QCOMPARE(static_cast<char>(copy.find("z")->bytes[0]), 'x');
}

void SafetensorsTest::hostileIndex_data()
{
    QTest::addColumn<QString>("index");
    QTest::addColumn<QString>("says");
    QTest::newRow("not JSON") << "{"
                              << "not valid JSON";
    QTest::newRow("list") << "[]"
                          << "no weight_map";
    QTest::newRow("no map") << "{}"
                            << "no weight_map";
    QTest::newRow("missing shard") << R"({"weight_map":{"a":"none.safetensors"}})"
                                   << "none.safetensors";
    QTest::newRow("outside") << R"({"weight_map":{"a":"../one.safetensors"}})"
                             << "tensor a is not in a file of the folder";
    QTest::newRow("absolute") << R"({"weight_map":{"a":"/etc/passwd"}})"
                              << "tensor a is not in a file of the folder";
    QTest::newRow("number") << R"({"weight_map":{"a":3}})"
                            << "tensor a is not in a file of the folder";
    QTest::newRow("wrong shard") << R"({"weight_map":{"a":"one.safetensors","b":"one.safetensors"}})"
                                 << "tensor b should be in";
    QTest::newRow("unlisted") << R"({"weight_map":{"b":"one.safetensors"}})"
                              << "tensor a is in one.safetensors";
    QTest::newRow("twice") << R"({"weight_map":{"a":"one.safetensors","c":"two.safetensors"}})"
                           << "tensor a is in two.safetensors";
}

void SafetensorsTest::hostileIndex()
{
    QFETCH(QString, index);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const std::string bytes(4, 'x');
    const std::vector<TensorView> first{viewOf("a", DType::F32, {1}, bytes)};
    const std::vector<TensorView> second{viewOf("a", DType::F32, {1}, bytes), viewOf("c", DType::F32, {1}, bytes)};
    VERIFY_RESULT(writeSafetensors(inside(folder, "one.safetensors"), first));
    VERIFY_RESULT(writeSafetensors(inside(folder, "two.safetensors"), second));
    writeBytes(inside(folder, "model.safetensors.index.json"), index.toStdString());
    const auto weights = Weights::openFolder(folder.path().toStdString());
    QVERIFY(!weights);
    QVERIFY2(QString::fromStdString(weights.error().message).contains(says), weights.error().message.c_str());
}

void SafetensorsTest::failedWriteKeepsOldFile()
{
    const QTemporaryDir folder;
    const auto file = inside(folder, "w.safetensors");
    const std::string small(4, 'o'), big(1 << 20, 'n');
    const std::vector<TensorView> old{viewOf("t", DType::U8, {4}, small)}, next{viewOf("t", DType::U8, {1 << 20}, big)};
    VERIFY_RESULT(writeSafetensors(file, old));
    // A limit on the file's size fails in the middle of the data, as a full disk does.
    rlimit before = {};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit limited = before;
    limited.rlim_cur = 64 << 10;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &limited), 0);
    const Status written = writeSafetensors(file, next);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!written);
    QVERIFY(written.error().code == ErrorCode::Io);
    const auto weights = Weights::openFile(file);
    VERIFY_RESULT(weights);
    QCOMPARE(weights->find("t")->elementCount(), std::int64_t{4});
    const auto entries = std::filesystem::directory_iterator(folder.path().toStdString());
    QCOMPARE(std::distance(begin(entries), end(entries)), std::ptrdiff_t{1}); // no temporary file is left
}

void SafetensorsTest::readsReferenceModels()
{
    SKIP_WITHOUT_SHARED();
    for (const char *name : {"sdar", "sdar-sharded", "qwen3", "qwen2", "llada", "dream"}) {
        const auto weights = Weights::openFolder(sharedFolder() / "fixtures" / "models" / name);
        VERIFY_RESULT(weights);
        QVERIFY(weights->tensors().size() > 20);
    }
}

int runSafetensorsTests(int argc, char **argv)
{
    SafetensorsTest test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace dice::formats::tests

#include "testsafetensors.moc"
