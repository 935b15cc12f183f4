// What is on the disk: whole files or the old ones, lines that count once they are whole, runs that can be found again.
#include "core/store/atomicfile.h"
#include "core/store/jsonlines.h"
#include "core/store/runfolder.h"
#include "core/store/tracefile.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fstream>

#include <sys/resource.h>

using namespace dice;
using namespace dice::store;
namespace fs = std::filesystem;

namespace {

void append(const fs::path &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::app | std::ios::binary) << bytes;
}

int numEntries(const fs::path &folder)
{
    return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Every write beyond so many bytes fails in this process, as on a full disk.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_old);
        const rlimit limited{bytes, m_old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &m_old); }

private:
    rlimit m_old{};
};

} // namespace

class TestStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(".*"));
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
    }

    void aFileIsReplacedAsAWhole()
    {
        const fs::path file = m_folder / "kernel.py";
        QVERIFY(writeFile(file, "old").has_value());
        QVERIFY(writeFile(file, "new text").has_value());
        QCOMPARE(readFile(file, 100).value(), std::string("new text"));
        QCOMPARE(numEntries(m_folder), 1);
    }

    void anUnfinishedFileLeavesNothing()
    {
        const fs::path file = m_folder / "kernel.py";
        QVERIFY(writeFile(file, "old").has_value());
        {
            Result<AtomicFile> half = AtomicFile::create(file);
            QVERIFY(half->write("half").has_value());
        }
        QCOMPARE(readFile(file, 100).value(), std::string("old"));
        QCOMPARE(numEntries(m_folder), 1);
    }

    void aFullDiskKeepsTheOldFile()
    {
        const fs::path file = m_folder / "kernel.py";
        QVERIFY(writeFile(file, "old").has_value());
        Status written;
        {
            const FileSizeLimit full(1000);
            written = writeFile(file, std::string(5000, 'x'));
        }
        QCOMPARE(written.error().code, ErrorCode::Io);
        QVERIFY(written.error().message.find(file.string()) != std::string::npos);
        QCOMPARE(readFile(file, 100).value(), std::string("old"));
        QCOMPARE(numEntries(m_folder), 1);
    }

    void aPlaceThatIsNotThereIsAnError()
    {
        QCOMPARE(writeFile(m_folder / "no" / "where", "x").error().code, ErrorCode::Io);
    }

    void readingNamesWhatIsWrong()
    {
        QCOMPARE(readFile(m_folder / "none", 10).error().code, ErrorCode::NotFound);
        QCOMPARE(readFile(m_folder, 10).error().code, ErrorCode::InvalidArgument);
        append(m_folder / "big", std::string(11, 'x'));
        QCOMPARE(readFile(m_folder / "big", 10).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(readFile(m_folder / "big", 11)->size(), std::size_t(11));
    }

    void linesCountOnceTheyAreWhole()
    {
        const fs::path file = m_folder / "metrics.jsonl";
        JsonLinesReader reader(file);
        QVERIFY(reader.readNew()->empty());
        append(file, "{\"step\":1}\n{\"ste");
        QCOMPARE(reader.readNew()->size(), std::size_t(1));
        QVERIFY(reader.readNew()->empty());
        append(file, "p\":2}\n");
        QCOMPARE(reader.readNew()->front().at("step").get<int>(), 2);
    }

    void aWriterCutsOffHalfALine()
    {
        const fs::path file = m_folder / "metrics.jsonl";
        append(file, "{\"step\":1}\n{\"ste");
        QVERIFY(JsonLinesWriter::open(file)->append({{"step", 2}}).has_value());
        const std::vector<Json> lines = JsonLinesReader(file).readNew().value();
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[1].at("step").get<int>(), 2);
    }

    void aBrokenLineIsNamedAndPassed()
    {
        const fs::path file = m_folder / "metrics.jsonl";
        append(file, "{\"step\":1}\nrubbish\n{\"step\":3}\n");
        JsonLinesReader reader(file);
        QCOMPARE(reader.readNew()->size(), std::size_t(1));
        QVERIFY(reader.readNew().error().message.find("line 2") != std::string::npos);
        QCOMPARE(reader.readNew()->front().at("step").get<int>(), 3);
    }

    void aFileThatBecameShorterIsReadAnew()
    {
        const fs::path file = m_folder / "metrics.jsonl";
        append(file, "{\"step\":1}\n{\"step\":2}\n");
        JsonLinesReader reader(file);
        QCOMPARE(reader.readNew()->size(), std::size_t(2));
        fs::resize_file(file, 0);
        append(file, "{\"step\":9}\n");
        QCOMPARE(reader.readNew()->front().at("step").get<int>(), 9);
    }

    void aRunIsFoundAgain()
    {
        const fs::path folder = m_folder / "runs" / "one";
        QCOMPARE(RunFolder::open(folder).error().code, ErrorCode::NotFound);
        QVERIFY(RunFolder::create(folder, {{"seed", 3}}).has_value());
        QCOMPARE(RunFolder::open(folder)->config().at("seed").get<int>(), 3);
        QCOMPARE(RunFolder::create(folder, Json::object()).error().code, ErrorCode::InvalidArgument);
    }

    void onlyWholeCheckpointsCount()
    {
        const RunFolder run = RunFolder::create(m_folder / "run", Json::object()).value();
        for (const char *name : {"step-100", "step-20", "step-30.partial", "step-", "step-x", "other"})
            fs::create_directories(m_folder / "run" / "checkpoints" / name);
        append(m_folder / "run" / "checkpoints" / "step-7", "a file, no checkpoint");
        QCOMPARE(run.checkpoints(),
                 (std::vector<CheckpointEntry>{{20, run.checkpointFolder(20)}, {100, run.checkpointFolder(100)}}));
    }

    void aBrokenConfigIsAnError()
    {
        fs::create_directories(m_folder / "run");
        append(m_folder / "run" / "config.json", "[1, 2");
        QCOMPARE(RunFolder::open(m_folder / "run").error().code, ErrorCode::InvalidData);
    }

    void newRunsNeverShareAFolder()
    {
        const fs::path first = newRunFolder(m_folder, "sft");
        fs::create_directories(first);
        QVERIFY(newRunFolder(m_folder, "sft") != first);
    }

    void aTraceIsReadBackAsWritten()
    {
        const fs::path file = m_folder / "a.trace";
        const GenerateRequest request{"prompt", {}};
        const CanvasStep step{BlockIndex(1), 2, {CanvasCell{}}};
        const GenerateResult result{"text", 1, 2, 3, 4, StopReason::LengthLimit, {}};
        Result<TraceWriter> writer = TraceWriter::create(file, {{"name", "nano"}}, request);
        QVERIFY(writer->append(step).has_value());
        QVERIFY(!readTrace(file)->result.has_value()); // a killed writer's trace is still a trace
        QVERIFY(writer->finish(result).has_value());
        const Trace trace = readTrace(file).value();
        QCOMPARE(trace.model.at("name").get<std::string>(), std::string("nano"));
        QCOMPARE(trace.request, request);
        QCOMPARE(trace.steps, std::vector<CanvasStep>{step});
        QCOMPARE(trace.result, std::optional(result));
    }

    void whatIsNoTraceIsNamedByLine()
    {
        const fs::path file = m_folder / "b.trace";
        QCOMPARE(readTrace(file).error().code, ErrorCode::NotFound);
        append(file, "");
        QCOMPARE(readTrace(file).error().code, ErrorCode::InvalidData);
        append(file, "{\"trace\":2}\n");
        QVERIFY(readTrace(file).error().message.find("line 1") != std::string::npos);
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder;
};

QTEST_APPLESS_MAIN(TestStore)
#include "tst_store.moc"
