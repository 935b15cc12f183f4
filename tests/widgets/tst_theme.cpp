// Colours that can be read, confidence steps that can be told apart, and code split into the right runs.
#include "tests/widgets/pictures.h"
#include "widgets/theme/codehighlight.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/theme.h"

#include <QDirIterator>
#include <QImage>
#include <QTest>

using namespace dice;
using namespace dice::widgets;

Q_DECLARE_METATYPE(CodeContext)

class ThemeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarning(); }
    void textHasContrast_data();
    void textHasContrast();
    void confidenceStepsDiffer_data() { textHasContrast_data(); }
    void confidenceStepsDiffer();
    void followsTheDesktop();
    void iconsTakeTheColour();
    void runsCoverTheLine_data();
    void runsCoverTheLine();
    void cudaOnlyInsideValues();
};

void ThemeTest::textHasContrast_data()
{
    QTest::addColumn<Theme>("theme");
    QTest::newRow("light") << lightTheme();
    QTest::newRow("dark") << darkTheme();
}

void ThemeTest::textHasContrast()
{
    QFETCH(Theme, theme);
    for (const QColor &surface : {theme.window, theme.panel, theme.code}) {
        for (const QColor &ink : {theme.text, theme.secondary, theme.accent, theme.good, theme.care, theme.bad,
                                  theme.string, theme.number, theme.definition, theme.comment, theme.keyword})
            QVERIFY2(
                contrastRatio(surface, ink) >= 4.5,
                qPrintable(
                    QStringLiteral("%1 on %2: %3").arg(ink.name(), surface.name()).arg(contrastRatio(surface, ink))));
    }
    for (const QColor &fill : theme.confidence)
        QVERIFY2(contrastRatio(fill, theme.text) >= 4.5, qPrintable(fill.name()));
    QVERIFY(contrastRatio(theme.accent, theme.onAccent) >= 4.5);
}

void ThemeTest::confidenceStepsDiffer()
{
    QFETCH(Theme, theme);
    QVERIFY(!confidenceColor(theme, 1.0).isValid());
    const std::vector<QColor> steps
        = {confidenceColor(theme, 0.95), confidenceColor(theme, 0.8), confidenceColor(theme, 0.6),
           confidenceColor(theme, 0.4), confidenceColor(theme, 0.1)};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        QVERIFY(steps[i].isValid());
        for (std::size_t j = i + 1; j < steps.size(); ++j)
            QVERIFY(steps[i] != steps[j]);
    }
}

void ThemeTest::followsTheDesktop()
{
    QPalette dark;
    dark.setColor(QPalette::Window, QColor(20, 20, 20));
    dark.setColor(QPalette::WindowText, QColor(230, 230, 230));
    QVERIFY(resolveTheme(ThemeChoice::FollowDesktop, dark).isDark);
    QVERIFY(!resolveTheme(ThemeChoice::Light, dark).isDark);
    QPalette light;
    light.setColor(QPalette::Window, Qt::white);
    light.setColor(QPalette::WindowText, Qt::black);
    QVERIFY(!resolveTheme(ThemeChoice::FollowDesktop, light).isDark);
    QVERIFY(resolveTheme(ThemeChoice::Dark, light).isDark);
}

void ThemeTest::iconsTakeTheColour()
{
    const QImage image = iconPixmap(QStringLiteral("pass"), QColor(200, 10, 20), 24, 2.0).toImage();
    QCOMPARE(image.size(), QSize(48, 48));
    int numInked = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            if (pixel.alpha() < 200)
                continue;
            ++numInked;
            QVERIFY(std::abs(pixel.red() - 200) < 12 && std::abs(pixel.green() - 10) < 12);
        }
    }
    QVERIFY(numInked > 40);
}

void ThemeTest::runsCoverTheLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<CodeContext>("context");
    QTest::addColumn<CodeContext>("next");
    using enum CodeContext;
    QTest::newRow("empty") << QByteArray() << CudaDouble << CudaDouble;
    QTest::newRow("import") << QByteArray("import torch  # why") << Python << Python;
    QTest::newRow("open cuda") << QByteArray("source = r\"\"\"") << Python << CudaDouble;
    QTest::newRow("docstring") << QByteArray("    \"\"\"Softmax.\"\"\"") << Python << Python;
    QTest::newRow("open docstring") << QByteArray("    '''Softmax") << Python << DocstringSingle;
    QTest::newRow("close cuda") << QByteArray("}\"\"\", name='x')") << CudaDouble << Python;
    QTest::newRow("comment") << QByteArray("int a; /* long") << CudaDouble << CudaCommentDouble;
    QTest::newRow("comment closed by string") << QByteArray("text \"\"\" + 1") << CudaCommentDouble << Python;
    QTest::newRow("comment end") << QByteArray("long */ float x = 1.5e-3f;") << CudaCommentSingle << CudaSingle;
    QTest::newRow("directive") << QByteArray("#include <torch/extension.h>") << CudaDouble << CudaDouble;
    QTest::newRow("bare hash") << QByteArray("#") << CudaDouble << CudaDouble;
    QTest::newRow("not closed") << QByteArray("x = 'abc\\") << Python << Python;
    QTest::newRow("bytes") << QByteArray("\xff\xfe = \"\xc3\xa4\"") << Python << Python;
}

void ThemeTest::runsCoverTheLine()
{
    QFETCH(QByteArray, line);
    QFETCH(CodeContext, context);
    QFETCH(CodeContext, next);
    std::vector<CodeRun> runs;
    QCOMPARE(highlightLine({line.constData(), static_cast<std::size_t>(line.size())}, context, runs), next);
    int at = 0;
    for (const CodeRun &run : runs) {
        QCOMPARE(run.start, at);
        QVERIFY(run.length > 0);
        at += run.length;
    }
    QCOMPARE(at, static_cast<int>(line.size()));
}

void ThemeTest::cudaOnlyInsideValues()
{
    std::vector<CodeRun> runs;
    highlightLine("__global__ void f", CodeContext::CudaDouble, runs);
    QCOMPARE(runs.front(), (CodeRun{0, 10, CodeStyle::Keyword}));
    highlightLine("__global__ void f", CodeContext::Python, runs);
    QCOMPARE(runs.size(), std::size_t(1));
    QCOMPARE(runs.front().style, CodeStyle::Text);
    highlightLine("__global__ void f", CodeContext::DocstringDouble, runs);
    QCOMPARE(runs.front().style, CodeStyle::String);
    highlightLine("class Model(nn.Module):", CodeContext::Python, runs);
    QCOMPARE(runs[2], (CodeRun{6, 5, CodeStyle::Definition}));
}

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
