#include "testformats.h"

#include "core/formats/bpetrainer.h"
#include "core/formats/tokenizer.h"
#include "core/formats/tokenizerchecks.h"
#include "core/formats/utf8.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <fstream>
#include <thread>

namespace dice::formats::tests {

namespace {

using nlohmann::json;
using Ids = std::vector<std::int32_t>;

// A vocabulary of all bytes (id = byte) and the merges "ab", "abc", two spaces; NFC; some added tokens.
json tinyTokenizer()
{
    json vocab = json::object();
    for (int byte = 0; byte < 256; ++byte)
        vocab[bytesToAlphabet(std::string(1, static_cast<char>(byte)))] = byte;
    vocab["ab"] = 256;
    vocab["abc"] = 257;
    vocab[bytesToAlphabet("  ")] = 258;
    const auto added = [](int id, const char *content, bool special, const char *flag) {
        json entry = {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
                      {"rstrip", false}, {"normalized", false}, {"special", special}};
        if (*flag)
            entry[flag] = true;
        return entry;
    };
    return {
        {"added_tokens",
         {added(300, "<|end|>", true, ""), added(301, "<|end|>x", false, ""), added(302, "<l>", false, "lstrip"),
          added(303, "<r>", false, "rstrip"), added(304, "word", false, "single_word"),
          added(305, "\u00e9\u00e9", false, "normalized")}},
        {"normalizer", {{"type", "NFC"}}},
        {"pre_tokenizer",
         {{"type", "Sequence"},
          {"pretokenizers",
           {{{"type", "Split"},
             {"pattern", {{"Regex", qwen2SplitPattern}}},
             {"behavior", "Isolated"},
             {"invert", false}},
            {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}}},
        {"decoder", {{"type", "ByteLevel"}}},
        {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", {"a b", json::array({"ab", "c"}), "\u0120 \u0120"}}}}};
}

Result<Tokenizer> load(const json &content)
{
    const QTemporaryDir folder;
    const auto file = std::filesystem::path(folder.path().toStdString()) / "tokenizer.json";
    std::ofstream(file) << content;
    return Tokenizer::fromTokenizerJson(file);
}

} // namespace

class TokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lossyUtf8_data();
    void lossyUtf8();
    void byteAlphabetRoundTrips();
    void encodesAndDecodes_data();
    void encodesAndDecodes();
    void longWordsMergeLikeShortOnes();
    void decodesPartsOfCharacters();
    void faults_data();
    void faults();
    void severalThreads();
    void isFast();
    void referenceVectors_data();
    void referenceVectors();
    void realVocabulary();
    void checksFindDifferences();
};

void TokenizerTest::lossyUtf8_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("replacements");
    QTest::newRow("ascii") << QByteArray("abc") << 0;
    QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x91\x8B") << 0;
    QTest::newRow("lone continuation") << QByteArray("\x80\x80") << 2;
    QTest::newRow("cut after three of four") << QByteArray("\xF0\x9F\x91") << 1;
    QTest::newRow("overlong") << QByteArray("\xC0\xAF") << 2;
    QTest::newRow("overlong three") << QByteArray("\xE0\x80\xAF") << 3;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 3;
    QTest::newRow("too high") << QByteArray("\xF4\x90\x80\x80") << 4;
    QTest::newRow("lead then ascii") << QByteArray("\xE2\x82"
                                                   "a")
                                     << 1;
    QTest::newRow("two leads") << QByteArray("\xE2\xE2\x82\xAC") << 1;
}

void TokenizerTest::lossyUtf8()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, replacements);
    const QString text = QString::fromStdString(fromUtf8Lossy(bytes.toStdString()));
    QCOMPARE(static_cast<int>(text.count(QChar(0xFFFD))), replacements);
    QVERIFY(isValidUtf8(text.toStdString()));
    QCOMPARE(isValidUtf8(bytes.toStdString()), replacements == 0);
}

void TokenizerTest::byteAlphabetRoundTrips()
{
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all.push_back(static_cast<char>(byte));
    QCOMPARE(alphabetToBytes(bytesToAlphabet(all)).value(), all);
    QVERIFY(!alphabetToBytes("\u4E00"));
    QVERIFY(!alphabetToBytes(" ")); // a space is written as U+0120
}

void TokenizerTest::encodesAndDecodes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("ids");
    QTest::addColumn<QString>("decoded");
    QTest::addColumn<QString>("withoutSpecial");
    const auto row = [](const char *name, const QString &text, const QList<int> &ids, const QString &decoded = {},
                        const QString &withoutSpecial = {}) {
        QTest::newRow(name) << text << ids << (decoded.isNull() ? text : decoded)
                            << (withoutSpecial.isNull() ? (decoded.isNull() ? text : decoded) : withoutSpecial);
    };
    row("empty", "", {}, "", "");
    row("merges by rank", "abcab", {257, 256});
    row("no merge across pieces", "ab c", {256, ' ', 'c'});
    row("digits stand alone", "12", {'1', '2'});
    row("special token", "ab<|end|>c", {256, 300, 'c'}, {}, "abc");
    row("longest added token", "<|end|>xx", {301, 'x'});
    row("strips left", "a  <l>b", {'a', 302, 'b'}, "a<l>b");
    row("strips right", "a<r> \n b", {'a', 303, 'b'}, "a<r>b");
    row("whole word", "word", {304});
    row("whole word in brackets", "(word)", {'(', 304, ')'});
    row("not inside a word", "sword", {'s', 'w', 'o', 'r', 'd'});
    row("composed by NFC", QString("e\u0301"), {0xC3, 0xA9}, QString("\u00e9"));
    // The byte-level decoder takes U+00E9 for the byte E9, in added tokens too: two bytes that are no UTF-8.
    row("added after NFC", QString("e\u0301e\u0301"), {305}, QString("\uFFFD\uFFFD"));
    row("NUL stays", QString(QChar(0)), {0});
}

void TokenizerTest::encodesAndDecodes()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, ids);
    QFETCH(QString, decoded);
    QFETCH(QString, withoutSpecial);
    const auto tokenizer = load(tinyTokenizer());
    VERIFY_RESULT(tokenizer);
    const Ids actual = tokenizer->encode(text.toStdString());
    QCOMPARE(QList<int>(actual.begin(), actual.end()), ids);
    QCOMPARE(QString::fromStdString(tokenizer->decode(actual)), decoded);
    QCOMPARE(QString::fromStdString(tokenizer->decode(actual, SpecialTokens::Skip)), withoutSpecial);
    QCOMPARE(tokenizer->size(), 306);
    QCOMPARE(tokenizer->idOf("<|end|>").value(), 300);
    QCOMPARE(tokenizer->idOf("abc").value(), 257);
    QVERIFY(!tokenizer->idOf("nothing"));
    QVERIFY(tokenizer->isSpecial(300) && !tokenizer->isSpecial(301) && !tokenizer->isSpecial(-1));
}

void TokenizerTest::longWordsMergeLikeShortOnes()
{
    const auto tokenizer = load(tinyTokenizer());
    VERIFY_RESULT(tokenizer);
    std::string text;
    Ids expected;
    for (int i = 0; i < 501; ++i) { // far above the length from which a heap is used
        text += i % 3 == 0 ? "abc" : i % 3 == 1 ? "ab" : "ca";
        const Ids part = i % 3 == 0 ? Ids{257} : i % 3 == 1 ? Ids{257} : Ids{'a'};
        expected.insert(expected.end(), part.begin(), part.end());
    }
    // "abc" "ab" "ca" -> abc abc a, and the "a" stays alone before the next "abc"
    QCOMPARE(tokenizer->encode(text), expected);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(tokenizer->encode(std::string(1 << 20, ' ')).size(), std::size_t{1 << 19});
    QVERIFY2(timer.elapsed() < 5000, "a megabyte of spaces must not take quadratic time");
}

void TokenizerTest::decodesPartsOfCharacters()
{
    const auto tokenizer = load(tinyTokenizer());
    VERIFY_RESULT(tokenizer);
    QCOMPARE(tokenizer->decode(Ids{0xE2, 0x82}), std::string("\uFFFD"));
    QCOMPARE(tokenizer->decode(Ids{0xE2, 0x82, 0xAC}), std::string("\u20AC"));
    QCOMPARE(tokenizer->decode(Ids{-5, 299, 100000, 'a'}), std::string("a")); // ids without a token say nothing
    QCOMPARE(tokenizer->tokenBytes(0xE2), std::string_view("\xE2"));
    QCOMPARE(tokenizer->encode("a\xFF"), (Ids{'a', 0xEF, 0xBF, 0xBD}));
}

void TokenizerTest::faults_data()
{
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QString>("says");
    QTest::newRow("other model") << R"({"model":{"type":"WordPiece"}})"
                                 << "WordPiece";
    QTest::newRow("no model") << R"({"model":null})"
                              << "no model";
    QTest::newRow("model is text") << R"({"model":"x"})"
                                   << "tokenizer";
    QTest::newRow("byte fallback") << R"({"model":{"byte_fallback":true}})"
                                   << "byte_fallback";
    QTest::newRow("normalizer") << R"({"normalizer":{"type":"Lowercase"}})"
                                << "normalizer Lowercase";
    QTest::newRow("pre-tokenizer") << R"({"pre_tokenizer":{"type":"Metaspace","pretokenizers":null}})"
                                   << "Metaspace";
    QTest::newRow("pattern")
        << R"({"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(("},"behavior":"Isolated","pretokenizers":null}})"
        << "((";
    QTest::newRow("behaviour")
        << R"({"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a"},"behavior":"Removed","pretokenizers":null}})"
        << "Removed";
    QTest::newRow("decoder") << R"({"decoder":{"type":"WordPiece"}})"
                             << "decoder WordPiece";
    QTest::newRow("merge of unknown") << R"({"model":{"merges":["q z"]}})"
                                      << "q z";
    QTest::newRow("merge of one part") << R"({"model":{"merges":["qz"]}})"
                                       << "qz";
    QTest::newRow("merge of numbers") << R"({"model":{"merges":[[1,2]]}})"
                                      << "merge";
    QTest::newRow("huge id") << R"({"model":{"vocab":{"zz":99999999999}}})"
                             << "out of range";
    QTest::newRow("doubled id") << R"({"model":{"vocab":{"zz":5}}})"
                                << "two tokens";
    QTest::newRow("no id") << R"({"model":{"vocab":{"zz":"5"}}})"
                           << "zz";
    QTest::newRow("added without id") << R"({"added_tokens":[{"content":"x"}]})"
                                      << "added token";
    QTest::newRow("added huge id") << R"({"added_tokens":[{"content":"x","id":99999999999}]})"
                                   << "out of range";
    QTest::newRow("added twice") << R"({"added_tokens":[{"content":"x","id":400},{"content":"y","id":400}]})"
                                 << "two added tokens";
}

void TokenizerTest::faults()
{
    QFETCH(QString, patch);
    QFETCH(QString, says);
    json content = tinyTokenizer();
    content.merge_patch(json::parse(patch.toStdString()));
    const auto tokenizer = load(content);
    QVERIFY(!tokenizer);
    QVERIFY2(QString::fromStdString(tokenizer.error().message).contains(says), tokenizer.error().message.c_str());
}

void TokenizerTest::severalThreads()
{
    const auto tokenizer = load(tinyTokenizer());
    VERIFY_RESULT(tokenizer);
    std::string text;
    for (int i = 0; i < 2000; ++i)
        text += " abc" + std::string(static_cast<std::size_t>(i % 17), 'q');
    const Ids expected = tokenizer->encode(text);
    std::vector<std::thread> threads;
    std::atomic<int> differences = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { differences += tokenizer->encode(text) == expected ? 0 : 1; });
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(differences.load(), 0);
}

void TokenizerTest::isFast()
{
    const auto tokenizer = load(tinyTokenizer());
    VERIFY_RESULT(tokenizer);
    std::string module;
    for (int i = 0; module.size() < 2048; ++i)
        module
            += "        self.layer" + std::to_string(i) + " = nn.Conv2d(in_channels, " + std::to_string(i * 7) + ")\n";
    tokenizer->encode(module);
    QElapsedTimer timer;
    timer.start();
    constexpr int rounds = 50;
    for (int i = 0; i < rounds; ++i)
        tokenizer->encode(module);
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6 / rounds;
    QVERIFY2(milliseconds < 2.0, qPrintable(QString("2 KB took %1 ms").arg(milliseconds)));
}

void TokenizerTest::referenceVectors_data()
{
    QTest::addColumn<int>("numChecks"); // at least
    QTest::newRow("tokenizer") << 8;
    QTest::newRow("models/dream") << 1;
    QTest::newRow("models/llada") << 1;
}

void TokenizerTest::referenceVectors()
{
    SKIP_WITHOUT_SHARED();
    QFETCH(int, numChecks);
    const auto checks = checkTokenizerFolder(sharedFolder() / "fixtures" / QTest::currentDataTag());
    VERIFY_RESULT(checks);
    QVERIFY(static_cast<int>(checks->size()) >= numChecks);
    for (const Check &check : *checks)
        QVERIFY2(check.passed, (check.name + ": " + check.detail).c_str());
}

void TokenizerTest::realVocabulary()
{
    SKIP_WITHOUT_SHARED();
    const auto folder = sharedFolder() / "data" / "sdar-tokenizer";
    if (!std::filesystem::exists(folder))
        QSKIP("the SDAR tokenizer is not on this machine");
    QElapsedTimer timer;
    timer.start();
    const auto tokenizer = Tokenizer::fromFolder(folder);
    VERIFY_RESULT(tokenizer);
    QVERIFY2(timer.elapsed() < 5000, "loading 150,000 tokens took over 5 s");
    QCOMPARE(tokenizer->idOf("<|MASK|>").value(), 151669);
    const std::string text = "import torch\nclass Model(nn.Module):\n    pass\n";
    QCOMPARE(tokenizer->decode(tokenizer->encode(text)), text);
    QVERIFY(tokenizer->encode(text).size() < 16);
}

void TokenizerTest::checksFindDifferences()
{
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    std::ofstream(folder / "tokenizer.json") << tinyTokenizer();
    json vectors = {{"cases", {{{"text", "ab"}, {"ids", {256}}, {"decoded", "ab"}, {"decoded_skip_special", "ab"}}}}};
    std::ofstream(folder / "vectors.json") << vectors;
    const auto good = checkTokenizerFolder(folder);
    VERIFY_RESULT(good);
    QVERIFY(good->front().passed);
    vectors["cases"][0]["ids"] = {97, 98};
    std::ofstream(folder / "vectors.json") << vectors;
    const auto bad = checkTokenizerFolder(folder);
    VERIFY_RESULT(bad);
    QVERIFY(!bad->front().passed);
    QVERIFY(bad->front().detail.find("expected [97,98], got [256]") != std::string::npos);
}

int runTokenizerTests(int argc, char **argv)
{
    TokenizerTest test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace dice::formats::tests

#include "testtokenizer.moc"
