#include "tests/widgets/fixtures.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace dice::test {

static constexpr int blockLength = 8;

static QString readSource(const char *path)
{
    QFile file(QStringLiteral(DICE_SOURCE_DIR "/%1").arg(QLatin1String(path)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString moduleText()
{
    return readSource("resources/examples/02_softmax_rows.py");
}

QString kernelText()
{
    return readSource("tests/widgets/kernel.py");
}

// Words, numbers, runs of spaces, line breaks with the indent behind them, single signs: as a BPE would.
static std::vector<std::string> tokensOf(const QString &text)
{
    static const QRegularExpression token(QStringLiteral("\\n *| ?[A-Za-z_]{1,8}|[0-9]{1,3}| +|."));
    std::vector<std::string> tokens;
    for (auto match = token.globalMatch(text); match.hasNext();)
        tokens.push_back(match.next().captured().toStdString());
    return tokens;
}

// A fixed pattern of how sure the model was, most tokens very sure.
static float confidenceOf(std::size_t position)
{
    static constexpr float unsure[] = {0.93F, 0.96F, 0.84F, 0.95F, 0.62F, 0.92F, 0.44F, 0.96F, 0.79F, 0.94F, 0.27F};
    const std::size_t mixed = position * 2654435761U % 97;
    return mixed < 64 ? 0.999F : unsure[mixed % std::size(unsure)];
}

static int stepOf(float confidence)
{
    return confidence >= 0.9F ? 0 : confidence >= 0.7F ? 1 : 2;
}

static CanvasCell cellAt(const std::vector<std::string> &tokens, std::size_t position, int step)
{
    const float confidence = confidenceOf(position);
    CanvasCell cell;
    cell.position = static_cast<int>(position);
    cell.token = TokenId(static_cast<std::int32_t>(position));
    cell.text = tokens[position];
    cell.confidence = confidence;
    cell.entropy = 1.0F - confidence;
    const int committed = stepOf(confidence);
    cell.state = step < committed ? CellState::Masked : step == committed ? CellState::Committed : CellState::Kept;
    const float rest = 1.0F - confidence;
    cell.alternatives = {{TokenId(1), cell.text, confidence},
                         {TokenId(2), "max", rest * 0.6F},
                         {TokenId(3), "std", rest * 0.2F},
                         {TokenId(4), " fmax", rest * 0.1F},
                         {TokenId(5), "largest", rest * 0.05F}};
    return cell;
}

std::vector<CanvasStep> stepsFor(const QString &text)
{
    const std::vector<std::string> tokens = tokensOf(text);
    std::vector<CanvasStep> steps;
    for (std::size_t start = 0; start < tokens.size(); start += blockLength) {
        const std::size_t end = std::min(tokens.size(), start + blockLength);
        int lastStep = 0;
        for (std::size_t position = start; position < end; ++position)
            lastStep = std::max(lastStep, stepOf(confidenceOf(position)));
        for (int step = 0; step <= lastStep; ++step) {
            CanvasStep canvasStep;
            canvasStep.block = BlockIndex(static_cast<std::int32_t>(start / blockLength));
            canvasStep.step = step;
            for (std::size_t position = start; position < end; ++position)
                canvasStep.cells.push_back(cellAt(tokens, position, step));
            steps.push_back(std::move(canvasStep));
        }
    }
    return steps;
}

GenerateResult resultFor(const QString &text)
{
    GenerateResult result;
    result.text = text.toStdString();
    result.numPromptTokens = 140;
    result.numTokens = static_cast<int>(tokensOf(text).size());
    result.numForwards = static_cast<int>(stepsFor(text).size());
    result.durationNs = 900'000'000;
    return result;
}

static Verdict builtVerdict()
{
    Verdict verdict;
    verdict.protocol = "strict";
    verdict.device = "cpu";
    verdict.tolerance = 1e-4;
    verdict.build.isBuilt = true;
    verdict.build.rung = "shim";
    verdict.build.durationNs = 620'000'000;
    verdict.build.gpuArchitecture = "sm_90";
    verdict.build.isGpuProven = true;
    verdict.build.log = "g++ -O2 -shared kernel.cpp\nnvrtc --gpu-architecture=sm_90 kernel.cu";
    verdict.launches = {{"softmax_rows", 5, 4'200'000}};
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        verdict.trials.push_back({seed * 1000 + 17, true, 3.1e-7, 4211, "", 0.00139, 0.00139});
    for (const char *name :
         {"TRUTH", "FRESH", "OWNWORK", "LAUNCH", "MUTATE", "ALIAS", "LATER", "STATE", "SWEEP", "THREADS"})
        verdict.detectors.push_back({name, CheckOutcome::Passed, "No trace of it in 5 trials."});
    verdict.detectors.push_back({"LEDGER", CheckOutcome::NotRun, "Needs a GPU: kernels are counted by the driver."});
    verdict.detectors.push_back({"CLOCK", CheckOutcome::NotRun, "Needs a GPU: there is no time to falsify."});
    return verdict;
}

Verdict correctVerdict()
{
    Verdict verdict = builtVerdict();
    verdict.word = VerdictWord::Correct;
    verdict.reason = "Equal in 5 of 5 trials.";
    return verdict;
}

Verdict incorrectVerdict()
{
    Verdict verdict = builtVerdict();
    verdict.word = VerdictWord::Incorrect;
    verdict.reason = "Trial 2 differs: element 511 of the output is 0.25, expected 0.5.";
    verdict.trials[1] = {2017, false, 0.25, 511, "", 0.5, 0.25};
    verdict.trials[3] = {4017, false, 0.11, 12, "", 0.5, 0.39};
    for (DetectorResult &detector : verdict.detectors)
        detector.outcome = CheckOutcome::NotRun;
    return verdict;
}

Verdict compileErrorVerdict()
{
    Verdict verdict;
    verdict.word = VerdictWord::CompileError;
    verdict.reason = "The kernel does not compile: use of undeclared identifier 'warp_max' in line 19.";
    verdict.line = 19;
    verdict.device = "cpu";
    verdict.protocol = "strict";
    verdict.build.messages = {{Severity::Error, 19, "'warp_max' was not declared in this scope"},
                              {Severity::Warning, 12, "unused variable 'scale'"}};
    verdict.build.log = "kernel.cu:19:21: error: 'warp_max' was not declared in this scope";
    return verdict;
}

} // namespace dice::test
