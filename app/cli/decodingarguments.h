// The options that say how a model decodes, shared by the commands that ask one.
#pragma once

#include "core/data/decodingoptions.h"

#include <string>

namespace CLI {
class App;
}

namespace dice::cli {

class DecodingArguments
{
public:
    void addTo(CLI::App &command);

    // InvalidArgument with the option that is out of its range.
    Result<DecodingOptions> options() const;

private:
    DecodingOptions m_options;
    std::string m_strategy = toString(DecodingOptions{}.strategy);
};

} // namespace dice::cli
