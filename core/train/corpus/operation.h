// One operation of the corpus: which values it takes and how it writes itself into a task. Adding an operation is a
// row in one of the tables of operations/. Must not know the other operations.
#pragma once

#include "core/train/corpus/task.h"

#include <functional>
#include <string>
#include <vector>

namespace dice::corpus {

// Ranks an operation takes, as a bit mask.
constexpr int rank0 = 1, rank1 = 2, rank2 = 4, rank3 = 8, rank4 = 16, rank5 = 32;
constexpr int anyRank = rank1 | rank2 | rank3 | rank4 | rank5;

struct Operation
{
    // Where the value comes from when the operation is a task's first.
    enum class Start {
        Tensor, // any tensor of a rank it takes
        Channels, // (batch, channels, ...)
        Positive, // any tensor, elements above zero
        NearOne, // any tensor whose products stay in range
        Own, // it makes its own inputs and can only be first
        Never, // only after others
    };

    std::string name;
    std::string family;
    int ranks = anyRank;
    Start start = Start::Tensor;
    std::function<void(Task &)> emit;
    std::function<bool(const Task &)> accepts; // beyond the rank; empty: always
    int weight = 10; // how often it is drawn in pairs and chains
};

std::vector<Operation> activationOperations();
std::vector<Operation> arithmeticOperations();
std::vector<Operation> operandOperations();
std::vector<Operation> reductionOperations();
std::vector<Operation> wholeReductionOperations();
std::vector<Operation> softmaxOperations();
std::vector<Operation> scanOperations();
std::vector<Operation> normalisationOperations();
std::vector<Operation> matrixOperations();
std::vector<Operation> linearOperations();
std::vector<Operation> poolingOperations();
std::vector<Operation> convolutionOperations();
std::vector<Operation> transposedConvolutionOperations();
std::vector<Operation> lossOperations();
std::vector<Operation> rowLossOperations();
std::vector<Operation> attentionOperations();
std::vector<Operation> layoutOperations();
std::vector<Operation> blockOperations();

// A fresh input of that rank, the current value of an empty task.
void beginTensor(Task &task, int rank, Operation::Start start);
// A random rank of the mask.
int pickRank(Rng &rng, int ranks);

// A dimension as people write it: 1 or -1 for the last of two; never the batch axis unless `withBatch`.
std::string pickDim(Task &task);
int64_t dimIndex(const std::string &dim, int rank);

} // namespace dice::corpus
