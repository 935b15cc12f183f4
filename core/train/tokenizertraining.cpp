#include "tokenizertraining.h"

#include "core/formats/bpetrainer.h"
#include "core/train/specialtokens.h"
#include "core/train/stepdata.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dice::train {

namespace {

constexpr std::uint64_t tokenizerStream = 2;

// One system-free turn: the module, then the answer.
constexpr const char *chatTemplate
    = "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
      "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

formats::BpeTrainerOptions trainerOptions(int vocabSize)
{
    formats::BpeTrainerOptions options;
    options.vocabSize = vocabSize;
    options.splitPattern = formats::codeSplitPattern({"255", "256", "int64_t"});
    options.specialTokens = {endOfTextToken, turnStartToken, turnEndToken, padToken, maskToken};
    return options;
}

} // namespace

Status trainTokenizer(const std::filesystem::path &folder, const TokenizerTraining &options, const PairSource &source)
{
    std::vector<std::string> corpus;
    corpus.reserve(2 * static_cast<std::size_t>(options.numPairs));
    for (int i = 0; i < options.numPairs; ++i) {
        TrainingPair pair = source(mixSeed(options.seed, tokenizerStream, static_cast<std::uint64_t>(i)));
        corpus.push_back(std::move(pair.prompt));
        corpus.push_back(std::move(pair.answer));
    }
    const formats::BpeTrainerOptions trainer = trainerOptions(options.vocabSize);
    const Result<formats::BpeModel> model = formats::trainBpe(corpus, trainer);
    if (!model)
        return tl::unexpected(model.error());
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return failure(ErrorCode::Io, "the folder " + folder.string() + " could not be made: " + error.message());
    return formats::writeTokenizer(folder, *model, trainer, {turnEndToken, padToken, maskToken, chatTemplate});
}

} // namespace dice::train
