#include "unary.h"

namespace dice::corpus {

namespace {

constexpr std::string_view factors = "0.5|2.0|0.1|1.5|3.0|0.25|10.0|0.125|0.75|4.0|0.01|1.2|2|0.3333|5.0|0.8";
constexpr std::string_view terms = "1.0|0.5|2.0|0.1|3.0|0.25|1.5|1|0.01|2.5|0.3";

constexpr UnaryRow rows[] = {
    {"mul",
     "T:{x} * {0}|T:{0} * {y}|T:{x} * {0}|torch.mul({a}, {0})|{x}.mul({0})",
     "v = v * $0;",
     0,
     {"scaling_factor|scale|factor|scale_factor|multiplier|gain|alpha|constant|s", factors, "2.0"}},
    {"div",
     "T:{x} / {0}|torch.div({a}, {0})|T:{x} / {0}",
     "v = v / $0;",
     0,
     {"divisor|scale|factor|denominator|temperature|constant", factors, "2.0"}},
    {"add",
     "A:{x} + {0}|A:{0} + {y}|torch.add({a}, {0})|A:{x} + {0}",
     "v = v + $0;",
     0,
     {"add_value|bias_value|offset|shift|constant|value|c", terms, "1.0"}},
    {"sub",
     "A:{x} - {0}|torch.sub({a}, {0})|A:{x} - {0}",
     "v = v - $0;",
     0,
     {"subtract_value|offset|shift|constant|value|sub_value", terms, "1.0"}},
    {"rsub", "A:{0} - {y}", "v = $0 - v;", 0, {"constant|value|upper|start", terms, "1.0"}},
    {"axpb",
     "A:{m} * {0} + {1}|A:{0} * {f} + {1}",
     "v = v * $0 + $1;",
     0,
     {"scale|weight|slope|gain|mul_value", factors, "2.0"},
     {"shift|offset|intercept|add_value", terms, "1.0"}},
    {"clamp",
     "torch.clamp({a}, {0}, {1})|torch.clamp({a}, min={0}, max={1})|{x}.clamp({0}, {1})|{x}.clamp(min={0}, "
     "max={1})|torch.clip({a}, {0}, {1})",
     "v = fminf(fmaxf(v, $0), $1);",
     Bounds,
     {"min_value|low|lower|clamp_min|min_val|lo", "-1.0|-0.5|0.0|-2.0|-0.1|0.1|-10.0", "0"},
     {"max_value|high|upper|clamp_max|max_val|hi", "1.0|0.5|2.0|6.0|0.9|10.0", "1"}},
    {"clamp_min",
     "torch.clamp({a}, min={0})|{x}.clamp(min={0})|torch.clamp_min({a}, {0})|{x}.clamp_min({0})",
     "v = fmaxf(v, $0);",
     0,
     {"min_value|low|floor|clamp_min", "-1.0|-0.5|0.1|0.5|1e-06", "0"}},
    {"clamp_max",
     "torch.clamp({a}, max={0})|{x}.clamp(max={0})|torch.clamp_max({a}, {0})|torch.min({a}, torch.tensor({0}))",
     "v = fminf(v, $0);",
     0,
     {"max_value|high|ceiling|clamp_max|constant", "1.0|0.5|2.0|6.0", "1"}},
    {"abs", "torch.abs({a})|{x}.abs()|torch.abs({a})", "v = fabsf(v);"},
    {"neg", "torch.neg({a})|F:-{f}|{x}.neg()|T:{x} * -1.0", "v = -v;"},
    {"exp", "torch.exp({a})|{x}.exp()|torch.exp({a})", "v = expf(v);", NeedsSmall | GivesPositive | Grows},
    {"exp_neg", "torch.exp(-{f})|torch.exp(-{f})", "v = expf(-v);", NeedsSmall | GivesPositive | Grows},
    {"expm1", "torch.expm1({a})|{x}.expm1()|A:torch.exp({a}) - 1|A:torch.exp({a}) - 1.0", "v = expm1f(v);",
     NeedsSmall | Grows},
    {"log", "torch.log({a})|{x}.log()", "v = logf(v);", NeedsPositive | Bounds},
    {"log_eps",
     "torch.log({a} + {0})|torch.log({a} + {0})",
     "v = logf(v + $0);",
     NeedsPositive | Bounds,
     {"eps|epsilon", "1e-06|1e-08|0.001|1.0", "1e-06"}},
    {"log1p", "torch.log1p({a})|torch.log(1 + {a})|torch.log1p({a})", "v = log1pf(v);",
     NeedsPositive | Bounds | GivesPositive},
    {"log2", "torch.log2({a})|{x}.log2()", "v = log2f(v);", NeedsPositive | Bounds},
    {"sqrt", "torch.sqrt({a})|{x}.sqrt()|P:{x} ** 0.5|torch.pow({a}, 0.5)", "v = sqrtf(v);",
     NeedsPositive | GivesPositive},
    {"rsqrt", "torch.rsqrt({a})|{x}.rsqrt()|T:1.0 / torch.sqrt({a})|P:{x} ** (-0.5)", "v = 1.0f / sqrtf(v);",
     NeedsPositive | GivesPositive | Grows},
    {"reciprocal", "torch.reciprocal({a})|T:1.0 / {y}|{x}.reciprocal()|T:1 / {y}", "v = 1.0f / v;",
     NeedsPositive | GivesPositive | Grows},
    {"square", "torch.square({a})|{x}.pow(2)|P:{x} ** 2|torch.pow({a}, 2)|T:{x} * {y}|{x}.square()|torch.pow({a}, 2.0)",
     "v = v * v;", NeedsSmall | Grows},
    {"cube", "P:{x} ** 3|torch.pow({a}, 3)|{x}.pow(3)|T:{x} * {y} * {y}", "v = v * v * v;", NeedsSmall | Grows},
    {"pow",
     "torch.pow({a}, {0})|{x}.pow({0})|P:{x} ** {0}",
     "v = powf(v, $0);",
     NeedsPositive | GivesPositive | Grows,
     {"exponent|power|p", "1.5|2.5|0.75|3.0|0.3", "2.0"}},
    {"sin", "torch.sin({a})|{x}.sin()", "v = sinf(v);", NeedsSmall | Bounds},
    {"cos", "torch.cos({a})|{x}.cos()", "v = cosf(v);", NeedsSmall | Bounds},
    {"erf", "torch.erf({a})|{x}.erf()", "v = erff(v);", Bounds},
    {"atan", "torch.atan({a})|{x}.atan()|torch.arctan({a})", "v = atanf(v);", Bounds},
    {"sinh", "torch.sinh({a})", "v = sinhf(v);", NeedsSmall | Grows},
    {"cosh", "torch.cosh({a})", "v = coshf(v);", NeedsSmall | Grows | GivesPositive},
    {"asinh", "torch.asinh({a})|torch.arcsinh({a})", "v = asinhf(v);", NeedsSmall | Bounds},
    {"sign", "torch.sign({a})|{x}.sign()", "v = (v > 0.0f) - (v < 0.0f);", Jumps | Bounds},
    {"floor", "torch.floor({a})|{x}.floor()", "v = floorf(v);", Jumps},
    {"ceil", "torch.ceil({a})|{x}.ceil()", "v = ceilf(v);", Jumps},
    {"step",
     "({a} > {0}).float()|torch.where({a} > {0}, 1.0, 0.0)",
     "v = v > $0 ? 1.0f : 0.0f;",
     Jumps | Bounds,
     {"threshold|cutoff|limit", "0.0|0.5|0|0.1|1.0", "0"}},
    {"binary_mask",
     "T:{x} * ({a} > {0})|T:{x} * ({a} > {0}).float()|{x}.masked_fill({a} <= {0}, 0.0)",
     "v = v > $0 ? v : 0.0f;",
     Jumps,
     {"threshold|cutoff|limit", "0.5|0.1|1.0|0.2", "0"}},
};

} // namespace

std::vector<Operation> arithmeticOperations()
{
    std::vector<Operation> operations;
    for (const UnaryRow &row : rows) {
        const bool isFrequent = row.name == "mul" || row.name == "add" || row.name == "clamp";
        operations.push_back(unaryOperation(row, "arithmetic", isFrequent ? 25 : 6));
    }
    return operations;
}

} // namespace dice::corpus
