// Extraction of device code for NVRTC.
#include "gpuproof.h"

#include "gpucooperative.h"
#include "launchrewriter.h"
#include "tokens.h"

#include <algorithm>
#include <set>

namespace dice::build {

namespace {

using Tokens = std::vector<Token>;

// NVRTC has no standard headers; these are the parts that kernels use without naming a header of CUDA.
constexpr const char *prelude
    = R"(typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef unsigned long uintptr_t; typedef long intptr_t;
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880
#define M_2_SQRTPI 1.12837916709551257390
#define M_E 2.7182818284590452354
#define M_LN2 0.69314718055994530942
)";

bool hasWord(const Tokens &tokens, std::size_t begin, std::size_t end, std::initializer_list<std::string_view> words)
{
    for (std::size_t i = begin; i < end && i < tokens.size(); ++i) {
        if (std::find(words.begin(), words.end(), tokens[i].text) != words.end())
            return true;
    }
    return false;
}

class Extractor
{
public:
    explicit Extractor(const SourceText &source)
        : m_text(source.text)
        , m_tokens(tokenize(source.text))
    {
    }

    std::string run()
    {
        dropIncludes();
        std::size_t at = 0;
        while (at < m_tokens.size())
            at = takeItem(at);
        return m_edits.apply(m_text);
    }

private:
    // One declaration at namespace level; returns the index behind it.
    std::size_t takeItem(std::size_t begin)
    {
        if (m_tokens[begin].isInDirective || m_tokens[begin].is("}") || m_tokens[begin].is(";"))
            return begin + 1;
        if (m_tokens[begin].is("namespace")
            || (m_tokens[begin].is("inline") && hasWord(m_tokens, begin, begin + 2, {"namespace"})))
            return takeNamespace(begin);
        const Item item = measure(begin);
        if (!isDeviceCode(item))
            drop(item);
        return item.end;
    }

    std::size_t takeNamespace(std::size_t begin)
    {
        for (std::size_t i = begin; i < m_tokens.size(); ++i) {
            if (m_tokens[i].is("{") || m_tokens[i].is(";"))
                return i + 1; // the inside is taken item by item, the closing brace is skipped
        }
        return m_tokens.size();
    }

    struct Item
    {
        std::size_t begin = 0;
        std::size_t headEnd = 0; // the first '{', '=' or ';' outside of parentheses
        std::size_t end = 0; // behind the last token
        bool hasParameters = false;
    };

    Item measure(std::size_t begin) const
    {
        Item item{begin, 0, m_tokens.size(), false};
        for (std::size_t i = begin; i < m_tokens.size(); ++i) {
            if (m_tokens[i].isInDirective)
                continue;
            const bool isEndOfHead = m_tokens[i].is("{") || m_tokens[i].is("=") || m_tokens[i].is(";");
            if (isEndOfHead && item.headEnd == 0)
                item.headEnd = i;
            if (m_tokens[i].is("(") && item.headEnd == 0)
                item.hasParameters = item.hasParameters || !hasAttributeBefore(i);
            if (m_tokens[i].is("(") || m_tokens[i].is("[") || m_tokens[i].is("{")) {
                const bool isBody = m_tokens[i].is("{");
                i = closingBracket(m_tokens, i);
                if (isBody && item.hasParameters && (i + 1 >= m_tokens.size() || !m_tokens[i + 1].is(";")))
                    return withEnd(item, i + 1);
            } else if (m_tokens[i].is(";")) {
                return withEnd(item, i + 1);
            }
        }
        return item;
    }

    static Item withEnd(Item item, std::size_t end)
    {
        item.end = end;
        return item;
    }

    bool hasAttributeBefore(std::size_t parenthesis) const
    {
        return parenthesis > 0
            && hasWord(m_tokens, parenthesis - 1, parenthesis,
                       {"__launch_bounds__", "__align__", "alignas", "decltype"});
    }

    bool isDeviceCode(const Item &item) const
    {
        if (namesHost(item))
            return hasWord(m_tokens, item.begin, item.headEnd, {"__global__", "__device__", "__constant__"});
        if (hasWord(m_tokens, item.begin, item.headEnd,
                    {"__global__", "__device__", "__constant__", "__shared__", "constexpr"}))
            return true;
        if (hasWord(m_tokens, item.begin, item.begin + 1, {"PYBIND11_MODULE", "TORCH_LIBRARY"}))
            return false;
        if (hasWord(m_tokens, item.begin, item.headEnd + 1, {"struct", "class", "union", "enum", "typedef", "using"}))
            return true;
        return !item.hasParameters && hasWord(m_tokens, item.begin, item.headEnd, {"const"});
    }

    bool namesHost(const Item &item) const
    {
        for (std::size_t i = item.begin; i + 1 < item.end; ++i) {
            const bool isHostScope = hasWord(m_tokens, i, i + 1, {"torch", "at", "c10", "py", "pybind11", "std"});
            if (m_tokens[i].is("cudaStream_t") || (isHostScope && m_tokens[i + 1].is("::")))
                return true;
        }
        return false;
    }

    void drop(const Item &item)
    {
        if (item.begin >= m_tokens.size())
            return;
        const std::size_t from = m_tokens[item.begin].offset, to = m_tokens[item.end - 1].end();
        m_edits.replace(
            from, to - from,
            std::string(std::size_t(std::count(m_text.begin() + long(from), m_text.begin() + long(to), '\n')), '\n'));
    }

    void dropIncludes()
    {
        for (std::size_t at = 0; at < m_text.size();) {
            const std::size_t end = std::min(m_text.find('\n', at), m_text.size());
            const std::string line = m_text.substr(at, end - at);
            const std::size_t hash = line.find_first_not_of(" \t");
            const bool isInclude
                = hash != std::string::npos && line[hash] == '#' && line.find("include") != std::string::npos;
            const bool isKept
                = line.find("cuda_fp16.h") != std::string::npos || line.find("cuda_bf16.h") != std::string::npos;
            if (isInclude && !isKept)
                m_edits.replace(at, end - at, "");
            at = end + 1;
        }
    }

    const std::string &m_text;
    Tokens m_tokens;
    Edits m_edits;
};

// Instances that launches name, when every name in their arguments is known outside of the launching function.
void addInstances(const SourceText &source, std::vector<std::string> &expressions)
{
    static const std::set<std::string_view> known = {"float", "double", "int",  "unsigned", "long",    "short",
                                                     "char",  "bool",   "true", "false",    "int64_t", "int32_t"};
    const Tokens tokens = tokenize(source.text);
    std::set<std::string_view> constants;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].is("constexpr") && i + 2 < tokens.size())
            constants.insert(tokens[i + 2].text);
        if (tokens[i].isInDirective && (i == 0 || tokens[i - 1].line != tokens[i].line))
            constants.insert(tokens[i].text);
    }
    for (const LaunchExpression &launch : findLaunches(tokens)) {
        if (!tokens[launch.open - 1].is(">") || tokens[launch.kernelBegin].isInDirective)
            continue;
        std::string expression;
        bool isKnown = true;
        for (std::size_t i = launch.kernelBegin; i < launch.open; ++i) {
            const bool isScalar = tokens[i].is("scalar_t");
            if (i > launch.kernelBegin && tokens[i].isIdentifier() && !isScalar)
                isKnown = isKnown && (known.contains(tokens[i].text) || constants.contains(tokens[i].text));
            expression += isScalar ? "float" : std::string(tokens[i].text);
            expression += tokens[i].isIdentifier() ? " " : "";
        }
        if (isKnown && std::find(expressions.begin(), expressions.end(), expression) == expressions.end())
            expressions.push_back(expression);
    }
}

} // namespace

GpuSource extractGpuSource(const BuildRequest &request, const Toolchain &toolchain)
{
    GpuSource result;
    std::string text;
    for (const SourceText &source : request.cudaSources) {
        const std::string device = Extractor(source).run();
        const Tokens tokens = tokenize(device);
        if (!hasWord(tokens, 0, tokens.size(), {"__global__", "__device__"}))
            continue;
        text += "#line 1 \"" + source.name + "\"\n" + device + "\n";
        addInstances(source, result.nameExpressions);
    }
    if (text.empty() || toolchain.cudaInclude.empty())
        return {};
    const bool isCooperative = text.find("cooperative_groups") != std::string::npos;
    result.text = std::string(prelude) + (isCooperative ? gpuCooperativeGroups : "") + text;
    // The definitions are those with which Torch's load_inline calls nvcc.
    result.options = {"--std=c++17",
                      "-default-device",
                      "-I" + toolchain.cudaInclude,
                      "-D__CUDA_NO_HALF_OPERATORS__",
                      "-D__CUDA_NO_HALF_CONVERSIONS__",
                      "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                      "-D__CUDA_NO_HALF2_OPERATORS__"};
    for (const auto *flags : {&request.extraCudaCflags, &request.extraCflags}) {
        for (const std::string &flag : *flags) {
            if (flag.starts_with("-D") || flag == "--use_fast_math" || flag == "-use_fast_math")
                result.options.push_back(flag);
        }
    }
    return result;
}

} // namespace dice::build
