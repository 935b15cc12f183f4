#include "operation.h"

namespace dice::corpus {

namespace {

struct AxisSizes
{
    const char *roles;
    const char *small;
    const char *large;
};

constexpr AxisSizes batchAxis
    = {"batch_size|batch|bs|num_samples;N|B|BATCH|BS", "1|2|3|4|5|6|8|10|12|16", "1|2|4|8|10|16|32|64|112|128"};
constexpr AxisSizes rowsAxis = {"batch_size|batch|rows|num_rows|m;B|N|M|ROWS|BATCH", "4|7|8|12|16|20|32|40|48|64|100",
                                "16|64|128|256|512|1024|2048|4096|8192|32768"};
constexpr AxisSizes featuresAxis
    = {"dim|features|num_features|in_features|dim1|cols|hidden|length|input_size;D|C|F|COLS|K|W",
       "10|16|20|32|40|48|60|64|96|100|128|250|256",
       "128|256|512|1000|1024|2048|4096|4095|8191|8192|16384|32768|65536|393216"};
constexpr AxisSizes channelsAxis = {"channels|in_channels|num_features|features|num_channels|c;C|CH|CHANNELS|F",
                                    "3|4|6|8|12|16|24|32", "3|16|32|40|48|64|96|112|128|256"};
constexpr AxisSizes sequenceAxis = {"seq_len|seq_length|tokens|length|dim1|steps|time;T|L|S|SEQ|A",
                                    "5|7|8|12|16|20|30|32|50", "64|100|128|256|512|1024|2048|4096"};
constexpr AxisSizes embeddingAxis = {"embed_dim|hidden_size|d_model|dim|width|dim2|features;D|E|H|DIM|B|C",
                                     "8|16|24|32|40|48|64", "64|128|256|512|768|1024|4095|4096"};
constexpr AxisSizes lengthAxis = {"length|seq_len|seq_length|sequence_length|input_length;L|T|LEN",
                                  "16|20|33|40|64|65|100|128", "128|256|512|1024|4096|65536|131072|524288"};
constexpr AxisSizes heightAxis = {"height|h|size|image_size|dim1|side;H|SIDE|SIZE|S", "8|10|12|14|16|18|20|24|28|32",
                                  "28|32|56|64|112|128|224|256|512"};
constexpr AxisSizes widthAxis
    = {"width|w|dim2;W|WIDTH", "8|10|12|14|16|18|20|24|28|32", "28|32|56|64|112|128|224|256|512"};
constexpr AxisSizes volumeAxis = {"depth|d|frames;D|DEPTH|T", "6|8|9|10|12|16", "16|24|32|48|64"};
constexpr AxisSizes volumeHeightAxis = {"height|h|size;H|S|SIDE", "6|8|9|10|12|16", "16|24|32|48|64|128"};
constexpr AxisSizes volumeWidthAxis = {"width|w;W", "6|8|9|10|12|16", "16|24|32|48|64|128"};
constexpr AxisSizes vectorAxis
    = {"n|size|length|dim|num_elements;N|L|SIZE|D", "64|100|128|250|1000|1024", "4096|65536|100000|1048576"};

Dim axis(Task &task, const AxisSizes &sizes)
{
    return task.newDim(sizes.roles, task.pickSize(sizes.small, sizes.large));
}

Shape tensorShape(Task &task, int rank, bool hasChannels)
{
    switch (rank) {
    case 1:
        return {axis(task, vectorAxis)};
    case 2:
        return {axis(task, rowsAxis), axis(task, featuresAxis)};
    case 3:
        if (!hasChannels)
            return {axis(task, batchAxis), axis(task, sequenceAxis), axis(task, embeddingAxis)};
        return {axis(task, batchAxis), axis(task, channelsAxis), axis(task, lengthAxis)};
    case 4: {
        Shape shape{axis(task, batchAxis), axis(task, channelsAxis), axis(task, heightAxis)};
        const bool isSquare = task.rng().chance(55);
        shape.push_back(isSquare ? shape[2] : axis(task, widthAxis));
        return shape;
    }
    default: {
        Shape shape{axis(task, batchAxis), axis(task, channelsAxis), axis(task, volumeAxis)};
        if (task.rng().chance(30))
            return {shape[0], shape[1], shape[2], shape[2], shape[2]};
        shape.push_back(axis(task, volumeHeightAxis));
        shape.push_back(task.rng().chance(60) ? shape[3] : axis(task, volumeWidthAxis));
        return shape;
    }
    }
}

} // namespace

int pickRank(Rng &rng, int ranks)
{
    while (true) {
        const int rank = rng.between(1, 5);
        if ((ranks >> rank & 1) != 0)
            return rank;
    }
}

void beginTensor(Task &task, int rank, Operation::Start start)
{
    Rng &rng = task.rng();
    const bool hasChannels = start == Operation::Start::Channels || rng.chance(35);
    const bool isPositive = start == Operation::Start::Positive;
    const std::string_view names = "x|x|x|x|x|x|x|inp|inputs|input|data|t|h|features|a|A";
    std::string fill = "torch.randn({})";
    if (isPositive)
        fill = rng.pick("torch.rand({}) + 0.1|torch.rand({}) + 0.5|torch.rand({}) * 2.0 + 0.1|torch.rand({}) + 1.0");
    else if (start == Operation::Start::NearOne)
        fill = rng.pick("torch.rand({}) * 0.4 + 0.8|torch.rand({}) * 0.2 + 0.9|torch.rand({}) + "
                        "0.5|torch.rand({})|torch.randn({})");
    else if (rng.chance(25))
        fill = rng.pick(
            "torch.rand({})|torch.rand({})|torch.randn({}) * 2.0|torch.rand({}) * 2 - 1|torch.rand({}) - 0.5");
    task.begin(names, tensorShape(task, rank, hasChannels), fill);
    task.current().isPositive = isPositive;
}

namespace {

std::string drawDim(Task &task)
{
    Rng &rng = task.rng();
    const int rank = task.rank();
    if (rng.chance(30))
        return "-1";
    if (rng.chance(6))
        return "0";
    if (rng.chance(10) && rank > 2)
        return "-2";
    return std::to_string(rank == 1 ? 0 : rng.between(1, rank - 1));
}

} // namespace

std::string pickDim(Task &task)
{
    std::string dim = drawDim(task);
    const auto hasOneElement
        = [&](const std::string &text) { return task.shape()[size_t(dimIndex(text, task.rank()))].size < 2; };
    // One element has no spread and no choice.
    for (int axis = 0; hasOneElement(dim) && axis < task.rank(); ++axis)
        dim = std::to_string(axis);
    return dim;
}

int64_t dimIndex(const std::string &dim, int rank)
{
    const int index = std::stoi(dim);
    return index < 0 ? index + rank : index;
}

} // namespace dice::corpus
