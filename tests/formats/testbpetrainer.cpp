#include "testformats.h"

#include "core/formats/bpetrainer.h"
#include "core/formats/tokenizer.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>

namespace dice::formats::tests {

namespace {

std::string codeLine(unsigned i)
{
    static const char *const names[]
        = {"relu_kernel", "softmax_forward", "conv2d_bias", "blockIdx", "threadIdx", "input"};
    return "    const float* " + std::string(names[i % 6]) + " = " + names[(i / 6) % 6] + "[" + std::to_string(i % 977)
        + " * 256 + int64_t(n)];\n";
}

BpeTrainerOptions codeOptions()
{
    return {.vocabSize = 400,
            .splitPattern = codeSplitPattern({"256", "int64_t"}),
            .specialTokens = {"<|end|>", "<|mask|>"},
            .minPairCount = 2};
}

std::vector<std::string> corpusOf(unsigned lines)
{
    std::vector<std::string> corpus;
    for (unsigned i = 0; i < lines; ++i)
        corpus.push_back(codeLine(i));
    return corpus;
}

} // namespace

class BpeTrainerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void learnsByFrequency();
    void writtenTokenizerReadsBack();
    void isDeterministic();
    void splitsCode_data();
    void splitsCode();
    void refuses();
    void isFast();
};

void BpeTrainerTest::learnsByFrequency()
{
    // "aab" three times, "ab" twice: a+b (5) first, then a+ab (3); nothing repeats after that.
    const std::vector<std::string> corpus{"aab", "aab ab", "aab", "ab"};
    const auto model
        = trainBpe(corpus, {.vocabSize = 300, .splitPattern = "[a-z]+|\\s+", .specialTokens = {}, .minPairCount = 2});
    VERIFY_RESULT(model);
    QCOMPARE(model->tokens.size(), std::size_t{258});
    QCOMPARE(model->tokens[256], std::string("ab"));
    QCOMPARE(model->tokens[257], std::string("aab"));
    QVERIFY(model->merges == (std::vector<std::pair<std::int32_t, std::int32_t>>{{'a', 'b'}, {'a', 256}}));
}

void BpeTrainerTest::writtenTokenizerReadsBack()
{
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    const auto corpus = corpusOf(500);
    const BpeTrainerOptions options = codeOptions();
    const auto model = trainBpe(corpus, options);
    VERIFY_RESULT(model);
    VERIFY_RESULT(
        writeTokenizer(folder, *model, options,
                       {.eosToken = "<|end|>", .padToken = "<|end|>", .maskToken = "<|mask|>", .chatTemplate = {}}));
    const auto tokenizer = Tokenizer::fromFolder(folder);
    VERIFY_RESULT(tokenizer);
    QCOMPARE(static_cast<std::size_t>(tokenizer->size()), model->tokens.size() + 2);
    QVERIFY(tokenizer->size() <= 400);
    QVERIFY(tokenizer->isSpecial(*tokenizer->idOf("<|mask|>")));
    std::size_t bytes = 0, tokens = 0;
    for (const std::string &text : corpus) {
        const auto ids = tokenizer->encode(text);
        QCOMPARE(tokenizer->decode(ids), text);
        bytes += text.size();
        tokens += ids.size();
    }
    QVERIFY2(bytes > 3 * tokens, "the merges that were learnt are not used");
    QCOMPARE(tokenizer->encode(" int64_t").size(), std::size_t{1});
    QVERIFY(!writeTokenizer(folder, *model, options,
                            {.eosToken = "<|other|>", .padToken = {}, .maskToken = {}, .chatTemplate = {}}));
}

void BpeTrainerTest::isDeterministic()
{
    auto corpus = corpusOf(300);
    const auto first = trainBpe(corpus, codeOptions());
    std::reverse(corpus.begin(), corpus.end());
    const auto second = trainBpe(corpus, codeOptions());
    VERIFY_RESULT(first);
    VERIFY_RESULT(second);
    QVERIFY(first->merges == second->merges);
    QVERIFY(first->tokens == second->tokens);
}

void BpeTrainerTest::splitsCode_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("pieces");
    QTest::newRow("names at underscores")
        << "relu_kernel __global__" << QStringList{"relu", "_kernel", " __global", "__"};
    QTest::newRow("digits alone") << "1024" << QStringList{"1", "0", "2", "4"};
    QTest::newRow("whole number") << "x*256 256u 2561"
                                  << QStringList{"x", "*", "256", " 2", "5", "6", "u", " 2", "5", "6", "1"};
    QTest::newRow("whole name") << "(int64_t)" << QStringList{"(", "int64_t", ")"};
    QTest::newRow("whole name behind space") << "a int64_t" << QStringList{"a", " int64_t"};
    QTest::newRow("punctuation apart") << "ext.op(x);" << QStringList{"ext", ".", "op", "(", "x", ");"};
    QTest::newRow("line break with indentation") << "a:\n    b" << QStringList{"a", ":", "\n    ", "b"};
}

void BpeTrainerTest::splitsCode()
{
    QFETCH(QString, text);
    QFETCH(QStringList, pieces);
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    const BpeTrainerOptions options = codeOptions();
    const std::vector<std::string> corpus{"x"};
    VERIFY_RESULT(writeTokenizer(folder, trainBpe(corpus, options).value(), options, {}));
    QStringList actual;
    for (const std::string &piece : Tokenizer::fromFolder(folder).value().preTokenize(text.toStdString()))
        actual.append(QString::fromStdString(piece));
    QCOMPARE(actual, pieces);
}

void BpeTrainerTest::refuses()
{
    const std::vector<std::string> corpus{"text"}, none;
    BpeTrainerOptions options = codeOptions();
    QVERIFY(!trainBpe(none, options));
    options.vocabSize = 257;
    QVERIFY(!trainBpe(corpus, options));
    options = codeOptions();
    options.splitPattern = "((";
    QVERIFY(!trainBpe(corpus, options));
}

void BpeTrainerTest::isFast()
{
    const auto corpus = corpusOf(30000); // about 2 MB
    BpeTrainerOptions options = codeOptions();
    options.vocabSize = 2560;
    QElapsedTimer timer;
    timer.start();
    VERIFY_RESULT(trainBpe(corpus, options));
    QVERIFY2(timer.elapsed() < 20000, qPrintable(QString("2 MB took %1 ms").arg(timer.elapsed())));
}

int runBpeTrainerTests(int argc, char **argv)
{
    BpeTrainerTest test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace dice::formats::tests

#include "testbpetrainer.moc"
