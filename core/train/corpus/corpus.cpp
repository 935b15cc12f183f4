#include "corpus.h"

#include "core/train/corpus/operation.h"
#include "core/train/corpus/writers.h"

#include <algorithm>
#include <fstream>

namespace dice::corpus {

namespace {

const std::vector<Operation> &allOperations()
{
    static const std::vector<Operation> all = [] {
        std::vector<Operation> joinedRows;
        for (auto rows :
             {activationOperations, arithmeticOperations, operandOperations, reductionOperations,
              wholeReductionOperations, softmaxOperations, scanOperations, normalisationOperations, matrixOperations,
              linearOperations, poolingOperations, convolutionOperations, transposedConvolutionOperations,
              lossOperations, rowLossOperations, attentionOperations, layoutOperations, blockOperations})
            for (Operation &operation : rows())
                joinedRows.push_back(std::move(operation));
        return joinedRows;
    }();
    return all;
}

bool accepts(const Operation &operation, const Task &task)
{
    return operation.start != Operation::Start::Own && (operation.ranks >> task.rank() & 1) != 0
        && !task.current().isFinal && (!operation.accepts || operation.accepts(task));
}

class Generator
{
public:
    Generator(uint64_t seed, const CorpusOptions &options)
        : m_rng(seed)
        , m_options(options)
    {
    }

    Pair run()
    {
        while (true) {
            Task task(m_rng, m_options.sizes == SizeRange::Small);
            if (write(task))
                return finish(task);
        }
    }

private:
    bool write(Task &task)
    {
        const int numSteps = m_options.onlyOperation.empty() ? drawLength() : 1;
        const Operation &first = numSteps == 1 ? drawUniform() : drawWeighted(nullptr, nullptr);
        // Layers with many settings are where long signatures are met.
        const bool hasManySettings = first.family == "pooling" || first.family.find("convolution") != std::string::npos;
        if (hasManySettings && m_rng.chance(30))
            task.preferLongSignature();
        if (!begin(task, first))
            return false;
        step(task, first);
        const Operation *last = &first;
        for (int k = 1; k < numSteps; ++k) {
            const Operation *next = drawNext(task, *last);
            if (next == nullptr)
                break;
            settle(task);
            step(task, *next);
            last = next;
        }
        if (m_rng.chance(25))
            task.named();
        return true;
    }

    int drawLength()
    {
        const int percent = m_rng.below(100);
        if (percent < m_options.singlePercent)
            return 1;
        return percent < m_options.singlePercent + m_options.pairPercent ? 2
                                                                         : 3 + m_rng.below(m_rng.chance(50) ? 1 : 3);
    }

    const Operation &drawUniform()
    {
        const std::vector<Operation> &all = allOperations();
        if (!m_options.onlyOperation.empty()) {
            const auto found = std::find_if(all.begin(), all.end(), [&](const Operation &operation) {
                return operation.name == m_options.onlyOperation;
            });
            if (found != all.end())
                return *found;
        }
        return all[size_t(m_rng.below(int(all.size())))];
    }

    // By weight, among those that `task` accepts (all when it is null).
    const Operation &drawWeighted(const Task *task, const Operation *last)
    {
        int total = 0;
        m_candidates.clear();
        for (const Operation &operation : allOperations()) {
            const bool isPossible
                = task == nullptr ? operation.start != Operation::Start::Never : accepts(operation, *task);
            if (!isPossible)
                continue;
            total += weight(operation, task == nullptr, last);
            m_candidates.push_back({&operation, total});
        }
        if (total == 0)
            return allOperations().front();
        const int at = m_rng.below(total);
        return *std::find_if(m_candidates.begin(), m_candidates.end(), [at](const Candidate &candidate) {
                    return at < candidate.upTo;
                })->operation;
    }

    static int weight(const Operation &operation, bool isFirst, const Operation *last)
    {
        const bool isHead = operation.family == "linear" || operation.family == "matrix"
            || operation.family.find("convolution") != std::string::npos;
        if (isFirst)
            return isHead ? operation.weight * 3 : operation.weight;
        // Layers are followed by something else more often than by themselves.
        const bool repeats = last != nullptr && last->family == operation.family && isHead;
        if (repeats)
            return (operation.weight + 3) / 4;
        return operation.family == "activation" ? operation.weight * 2 : operation.weight;
    }

    const Operation *drawNext(Task &task, const Operation &last)
    {
        const bool isPossible = std::any_of(allOperations().begin(), allOperations().end(),
                                            [&](const Operation &operation) { return accepts(operation, task); });
        if (!isPossible)
            return nullptr;
        // A gate after a norm, as gated layers have it.
        if (last.name == "rms_norm" && m_rng.chance(20))
            for (const Operation &operation : allOperations())
                if (operation.name == "gate_tensors" && accepts(operation, task))
                    return &operation;
        return &drawWeighted(&task, &last);
    }

    bool begin(Task &task, const Operation &operation)
    {
        if (operation.start == Operation::Start::Own)
            return true;
        beginTensor(task, pickRank(m_rng, operation.ranks), operation.start);
        return accepts(operation, task);
    }

    void step(Task &task, const Operation &operation)
    {
        operation.emit(task);
        task.countStep(operation.name);
    }

    void settle(Task &task)
    {
        if (!m_rng.chance(task.style().inlinePercent))
            task.named();
    }

    Pair finish(Task &task)
    {
        if (m_rng.chance(9))
            task.addIdleAttribute();
        task.finish();
        Pair pair;
        pair.module = writeModule(task);
        pair.answer = writeAnswer(task);
        pair.operations = task.operations();
        pair.numSteps = int(pair.operations.size());
        return pair;
    }

    struct Candidate
    {
        const Operation *operation;
        int upTo; // sum of the weights so far
    };

    Rng m_rng;
    const CorpusOptions &m_options;
    std::vector<Candidate> m_candidates;
};

Status writeFile(const std::filesystem::path &path, const std::string &text)
{
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        return failure(ErrorCode::Io, "cannot write " + path.string() + ": is the disk full or the folder read-only?");
    return {};
}

} // namespace

Pair generatePair(uint64_t seed, const CorpusOptions &options)
{
    return Generator(seed, options).run();
}

std::vector<OperationInfo> operations()
{
    std::vector<OperationInfo> infos;
    for (const Operation &operation : allOperations())
        infos.push_back({operation.name, operation.family});
    return infos;
}

Status writeCorpus(const std::filesystem::path &folder, int count, uint64_t seed, const CorpusOptions &options,
                   const WriteProgress &onPair)
{
    for (int k = 0; k < count; ++k) {
        std::string number = std::to_string(k + 1);
        number.insert(0, number.size() < 5 ? 5 - number.size() : 0, '0');
        const std::filesystem::path task = folder / ("task_" + number);
        std::error_code error;
        std::filesystem::create_directories(task, error);
        if (error)
            return failure(ErrorCode::Io, "cannot make the folder " + task.string() + ": " + error.message());
        const Pair pair = generatePair(seed + uint64_t(k), options);
        for (const auto &[name, text] : {std::pair{"reference.py", &pair.module}, std::pair{"answer.py", &pair.answer}})
            if (Status written = writeFile(task / name, *text); !written)
                return written;
        if (onPair && !onPair(k + 1))
            return failure(ErrorCode::Cancelled, "stopped after " + std::to_string(k + 1) + " pairs");
    }
    return {};
}

} // namespace dice::corpus
