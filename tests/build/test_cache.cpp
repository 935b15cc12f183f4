// Names and storage of built artefacts.
#include "core/build/artefactcache.h"
#include "core/build/artefactkey.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace dice::build;

namespace {

const std::string keyA(64, 'a'), keyB(64, 'b'), keyC(64, 'c');

void age(const QString &path, int secondsAgo)
{
    const timespec then{time(nullptr) - secondsAgo, 0};
    const timespec times[2] = {then, then};
    utimensat(AT_FDCWD, path.toUtf8().constData(), times, 0);
}

} // namespace

class CacheTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void digestsAreThoseOfTheStandard();
    void keyFollowsContentNotNames();
    void keyIgnoresLineEnds();
    void folderDigestSeesNamesAndContents();
    void storedIsFound();
    void secondStoreKeepsTheFirst();
    void strangeKeysAreRefused();
    void longestUnusedGoesFirst();
    void killedWriterLeavesNoEntry();
    void killedHolderReleasesTheLock();
    void fullDiskIsAnError();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_root;
};

void CacheTest::init()
{
    QTest::failOnWarning(QRegularExpression(".*"));
    m_folder = std::make_unique<QTemporaryDir>();
    m_root = m_folder->path().toStdString() + "/cache";
}

void CacheTest::digestsAreThoseOfTheStandard()
{
    QCOMPARE(sha256Hex(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(sha256Hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(sha256Hex(std::string(1000000, 'a')),
             std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

void CacheTest::keyFollowsContentNotNames()
{
    const Toolchain toolchain;
    BuildRequest request = makeInlineRequest("same", {"a"}, {"b"});
    const std::string first = artefactKey(request, toolchain);
    QCOMPARE(artefactKey(request, toolchain), first);
    request.cudaSources[0].text = "c";
    QVERIFY(artefactKey(request, toolchain) != first);
    request.cudaSources[0].text = "b";
    request.headers = dice::BuildHeaders::Torch;
    QVERIFY(artefactKey(request, toolchain) != first);
    request.headers = dice::BuildHeaders::Fastest;
    request.functions = {"f"};
    QVERIFY(artefactKey(request, toolchain) != first);
    // Text that moves from one part to the next is another request.
    QVERIFY(artefactKey(makeInlineRequest("x", {"ab"}, {"c"}), toolchain)
            != artefactKey(makeInlineRequest("x", {"a"}, {"bc"}), toolchain));
    Toolchain newer;
    newer.version = "2";
    QVERIFY(artefactKey(makeInlineRequest("same", {"a"}, {"b"}), newer) != first);
}

void CacheTest::keyIgnoresLineEnds()
{
    const Toolchain toolchain;
    QCOMPARE(artefactKey(makeInlineRequest("x", {}, {"int a;  \r\nint b;"}), toolchain),
             artefactKey(makeInlineRequest("x", {}, {"int a;\nint b;"}), toolchain));
    QVERIFY(artefactKey(makeInlineRequest("x", {}, {"int a;\n\nint b;"}), toolchain)
            != artefactKey(makeInlineRequest("x", {}, {"int a;\nint b;"}), toolchain));
}

void CacheTest::folderDigestSeesNamesAndContents()
{
    QDir(m_folder->path()).mkpath("d/e");
    QFile file(m_folder->path() + "/d/e/x.h");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1");
    file.close();
    const std::string folder = m_folder->path().toStdString() + "/d";
    const std::string first = folderDigest(folder);
    QVERIFY(QFile::rename(m_folder->path() + "/d/e/x.h", m_folder->path() + "/d/e/y.h"));
    QVERIFY(folderDigest(folder) != first);
}

void CacheTest::storedIsFound()
{
    ArtefactCache cache(m_root, 1 << 20);
    QVERIFY(!cache.find(keyA));
    const auto stored = cache.store(keyA, {{"candidate.so", "bytes"}}, "{}");
    QVERIFY(stored.has_value());
    const auto found = ArtefactCache(m_root, 1 << 20).find(keyA);
    QVERIFY(found.has_value());
    QCOMPARE(found->report, std::string("{}"));
    QFile file(QString::fromStdString(found->folder + "/candidate.so"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("bytes"));
}

void CacheTest::secondStoreKeepsTheFirst()
{
    ArtefactCache cache(m_root, 1 << 20);
    QVERIFY(cache.store(keyA, {{"f", "1"}}, "first").has_value());
    const auto again = cache.store(keyA, {{"f", "2"}}, "second");
    QVERIFY(again.has_value());
    QCOMPARE(again->report, std::string("first"));
}

void CacheTest::strangeKeysAreRefused()
{
    ArtefactCache cache(m_root, 1 << 20);
    for (const std::string &key : {std::string(), std::string("../x"), std::string(64, '/'), std::string(63, 'a')}) {
        QVERIFY(!cache.find(key));
        QVERIFY(!cache.store(key, {}, "").has_value());
    }
    QVERIFY(!QFile::exists(m_folder->path() + "/x"));
}

void CacheTest::longestUnusedGoesFirst()
{
    ArtefactCache cache(m_root, 2500);
    const std::string bytes(1000, 'x');
    QVERIFY(cache.store(keyA, {{"f", bytes}}, "").has_value());
    QVERIFY(cache.store(keyB, {{"f", bytes}}, "").has_value());
    const QString root = QString::fromStdString(m_root);
    age(root + "/" + QString::fromStdString(keyA), 300);
    age(root + "/" + QString::fromStdString(keyB), 200);
    QVERIFY(cache.find(keyA)); // now the younger one
    QVERIFY(cache.store(keyC, {{"f", bytes}}, "").has_value());
    QVERIFY(cache.find(keyA));
    QVERIFY(!cache.find(keyB));
    QVERIFY(cache.find(keyC));
}

void CacheTest::killedWriterLeavesNoEntry()
{
    ArtefactCache cache(m_root, 1 << 20);
    QVERIFY(cache.store(keyA, {{"f", "1"}}, "").has_value());
    const QString half = QString::fromStdString(m_root + "/.new-" + keyB + "-1");
    QVERIFY(QDir().mkpath(half));
    QFile file(half + "/f");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    QVERIFY(!cache.find(keyB));
    age(half, 7200);
    QVERIFY(cache.trim().has_value());
    QVERIFY(!QFile::exists(half));
    QVERIFY(cache.find(keyA));
}

void CacheTest::killedHolderReleasesTheLock()
{
    ArtefactCache cache(m_root, 1 << 20);
    QVERIFY(cache.store(keyA, {{"f", "1"}}, "").has_value());
    int ready[2];
    QVERIFY(pipe(ready) == 0);
    const std::string lockPath = m_root + "/.lock";
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(lockPath.c_str(), O_RDWR);
        flock(fd, LOCK_EX);
        (void)!write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    char byte = 0;
    QCOMPARE(read(ready[0], &byte, 1), ssize_t(1));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
    QVERIFY(cache.trim().has_value()); // would hang if the lock outlived its holder
}

void CacheTest::fullDiskIsAnError()
{
    ArtefactCache cache("/proc/no-such-folder/cache", 1 << 20);
    const auto stored = cache.store(keyA, {{"f", "1"}}, "");
    QVERIFY(!stored.has_value());
    QVERIFY(stored.error().code == dice::ErrorCode::Io);
}

QTEST_GUILESS_MAIN(CacheTest)
#include "test_cache.moc"
