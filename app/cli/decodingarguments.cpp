#include "decodingarguments.h"

#include <CLI/CLI.hpp>

namespace dice::cli {

void DecodingArguments::addTo(CLI::App &command)
{
    const std::string group = "Decoding";
    command.add_option("--block-length", m_options.blockLength, "Tokens a block; 0 = the model's own")->group(group);
    command.add_option("--steps", m_options.stepsPerBlock, "Denoising steps a block; 0 = its length")->group(group);
    command
        .add_option("--strategy", m_strategy,
                    "sequential, low_confidence_static, low_confidence_dynamic or entropy_bounded")
        ->group(group)
        ->capture_default_str();
    command.add_option("--threshold", m_options.threshold, "Confidence that unmasks, for low_confidence_dynamic")
        ->group(group)
        ->capture_default_str();
    command.add_option("--entropy-bound", m_options.entropyBound, "Nats a step, for entropy_bounded")
        ->group(group)
        ->capture_default_str();
    command.add_option("--temperature", m_options.temperature, "0 = always the most probable token")
        ->group(group)
        ->capture_default_str();
    command.add_option("--top-k", m_options.topK, "Tokens to choose from; 0 = all")->group(group);
    command.add_option("--top-p", m_options.topP, "Probability to choose from; 1 = all")->group(group);
    command.add_option("--seed", m_options.seed, "Of the sampling")->group(group)->capture_default_str();
    command.add_option("--max-tokens", m_options.maxNewTokens, "The longest answer")
        ->group(group)
        ->capture_default_str();
}

Result<DecodingOptions> DecodingArguments::options() const
{
    DecodingOptions options = m_options;
    const Result<Remasking> strategy = remaskingFromString(m_strategy);
    if (!strategy)
        return failure(ErrorCode::InvalidArgument,
                       "--strategy " + m_strategy
                           + " is not known; use sequential, low_confidence_static, low_confidence_dynamic or "
                             "entropy_bounded");
    options.strategy = *strategy;
    if (const Status valid = validate(options); !valid)
        return tl::unexpected(valid.error());
    return options;
}

} // namespace dice::cli
