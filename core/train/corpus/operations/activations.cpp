#include "unary.h"

namespace dice::corpus {

namespace {

constexpr UnaryRow rows[] = {
    {"relu",
     "torch.relu({a})|F.relu({a})|nn.ReLU()|{x}.relu()|torch.clamp({a}, "
     "min=0)|nn.ReLU(inplace=True)|F.relu({a})|torch.relu({a})",
     "v = v > 0.0f ? v : 0.0f;"},
    {"leaky_relu",
     "F.leaky_relu({a}, negative_slope={0})|F.leaky_relu({a}, "
     "{0})|nn.LeakyReLU({0})|nn.LeakyReLU(negative_slope={0})|F.leaky_relu({a})|nn.LeakyReLU()|torch.where({a} > 0, "
     "{a}, {a} * {0})",
     "v = v > 0.0f ? v : v * $0;",
     0,
     {"negative_slope|slope|alpha|leak", "0.01|0.1|0.2|0.3|0.05", "0.01"}},
    {"sigmoid",
     "torch.sigmoid({a})|F.sigmoid({a})|nn.Sigmoid()|{x}.sigmoid()|torch.sigmoid({a})|T:1.0 / (1.0 + torch.exp(-{f}))",
     "v = 1.0f / (1.0f + expf(-v));", GivesPositive | Bounds},
    {"tanh", "torch.tanh({a})|F.tanh({a})|nn.Tanh()|{x}.tanh()|torch.tanh({a})", "v = tanhf(v);", Bounds},
    {"gelu",
     "F.gelu({a})|torch.nn.functional.gelu({a})|nn.GELU()|F.gelu({a}, approximate='none')|T:0.5 * {a} * (1.0 + "
     "torch.erf({a} / 1.4142135623730951))|T:{x} * 0.5 * (1.0 + torch.erf({a} * 0.7071067811865476))",
     "v = 0.5f * v * (1.0f + erff(v * 0.70710678f));"},
    {"gelu_tanh",
     "F.gelu({a}, approximate='tanh')|nn.GELU(approximate='tanh')|T:0.5 * {a} * (1.0 + torch.tanh(0.7978845608028654 * "
     "({a} + 0.044715 * {a} ** 3)))|T:0.5 * {a} * (1.0 + torch.tanh(0.79788456 * ({a} + 0.044715 * torch.pow({a}, "
     "3.0))))|T:0.5 * {a} * (1 + torch.tanh((2 / torch.pi) ** 0.5 * ({a} + 0.044715 * {a} ** 3)))|"
     "T:0.5 * {a} * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * ({a} + 0.044715 * torch.pow({a}, 3.0))))|"
     "T:0.5 * {a} * (1 + torch.tanh(math.sqrt(2 / math.pi) * ({a} + 0.044715 * {a} ** 3)))",
     "v = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));"},
    {"silu",
     "F.silu({a})|nn.SiLU()|T:{x} * torch.sigmoid({a})|T:torch.sigmoid({a}) * {y}|T:{x} * F.sigmoid({a})|T:{x} * "
     "{a}.sigmoid()|T:{x} * torch.sigmoid({a})",
     "v = v / (1.0f + expf(-v));"},
    {"swish_beta",
     "T:{x} * torch.sigmoid({0} * {a})|T:{x} * torch.sigmoid({a} * {0})",
     "v = v / (1.0f + expf(-v * $0));",
     0,
     {"beta|scale", "1.5|2.0|0.5|1.702|1.25", "1.702"}},
    {"selu", "F.selu({a})|torch.selu({a})|nn.SELU()", "v = 1.05070098f * (v > 0.0f ? v : 1.67326324f * expm1f(v));"},
    {"elu",
     "F.elu({a}, alpha={0})|F.elu({a})|nn.ELU(alpha={0})|nn.ELU({0})|nn.ELU()|F.elu({a}, {0})",
     "v = v > 0.0f ? v : $0 * expm1f(v);",
     0,
     {"alpha|a", "1.0|0.5|1.5|2.0|0.8", "1.0"}},
    {"celu",
     "F.celu({a}, alpha={0})|nn.CELU({0})|nn.CELU(alpha={0})|F.celu({a})|torch.celu({a})|nn.CELU()",
     "v = v > 0.0f ? v : $0 * expm1f(v / $0);",
     0,
     {"alpha|a", "1.0|0.5|1.5|2.0", "1.0"}},
    {"hardsigmoid", "F.hardsigmoid({a})|nn.Hardsigmoid()|T:torch.clamp({a} + 3, 0, 6) / 6|T:F.relu6({a} + 3.0) / 6.0",
     "v = fminf(fmaxf(v / 6.0f + 0.5f, 0.0f), 1.0f);", Bounds},
    {"hardswish",
     "F.hardswish({a})|nn.Hardswish()|T:{x} * F.hardsigmoid({a})|T:{x} * torch.clamp({a} + 3, 0, 6) / 6|T:{x} * "
     "F.relu6({a} + 3) / 6|T:{x} * torch.clamp((3 + {a}) / 6, 0, 1)",
     "v = v * fminf(fmaxf(v / 6.0f + 0.5f, 0.0f), 1.0f);"},
    {"hardtanh",
     "F.hardtanh({a}, min_val={0}, max_val={1})|nn.Hardtanh({0}, {1})|nn.Hardtanh(min_val={0}, "
     "max_val={1})|F.hardtanh({a})|nn.Hardtanh()",
     "v = fminf(fmaxf(v, $0), $1);",
     Bounds,
     {"min_val|low", "-1.0|-2.0|-0.5", "-1.0"},
     {"max_val|high", "1.0|2.0|0.5|1.5", "1.0"}},
    {"relu6", "F.relu6({a})|nn.ReLU6()", "v = fminf(fmaxf(v, 0.0f), 6.0f);", Bounds},
    {"softplus", "F.softplus({a})|nn.Softplus()|torch.nn.functional.softplus({a})",
     "v = v > 20.0f ? v : log1pf(expf(v));", GivesPositive},
    {"softplus_beta",
     "F.softplus({a}, beta={0})|nn.Softplus(beta={0})",
     "v = v * $0 > 20.0f ? v : log1pf(expf(v * $0)) / $0;",
     0,
     {"beta", "2.0|0.5|3.0|1.5", "2.0"}},
    {"softsign",
     "F.softsign({a})|nn.Softsign()|T:{x} / (1 + torch.abs({a}))|T:{x} / (1.0 + {a}.abs())|T:{x} / (torch.abs({a}) + "
     "1)",
     "v = v / (1.0f + fabsf(v));", Bounds},
    {"mish",
     "F.mish({a})|nn.Mish()|T:{x} * torch.tanh(F.softplus({a}))|T:{x} * "
     "torch.tanh(torch.nn.functional.softplus({a}))|T:{x} * torch.tanh(torch.log(1 + torch.exp({a})))",
     "v = v * tanhf(v > 20.0f ? v : log1pf(expf(v)));", NeedsSmall},
    {"logsigmoid", "F.logsigmoid({a})|nn.LogSigmoid()|torch.log(torch.sigmoid({a}))",
     "v = fminf(v, 0.0f) - log1pf(expf(-fabsf(v)));", NeedsSmall},
    {"tanhshrink", "F.tanhshrink({a})|nn.Tanhshrink()|A:{x} - torch.tanh({a})", "v = v - tanhf(v);"},
    {"hardshrink",
     "F.hardshrink({a}, lambd={0})|F.hardshrink({a})|nn.Hardshrink({0})|nn.Hardshrink(lambd={0})|nn.Hardshrink()",
     "v = fabsf(v) > $0 ? v : 0.0f;",
     Jumps,
     {"lambd|threshold", "0.5|0.3|0.25|1.0", "0.5"}},
    {"softshrink",
     "F.softshrink({a}, lambd={0})|F.softshrink({a})|nn.Softshrink({0})|nn.Softshrink(lambd={0})|nn.Softshrink()",
     "v = v > $0 ? v - $0 : (v < -$0 ? v + $0 : 0.0f);",
     0,
     {"lambd|threshold", "0.5|0.3|0.25|1.0", "0.5"}},
    {"threshold",
     "F.threshold({a}, {0}, {1})|nn.Threshold({0}, {1})",
     "v = v > $0 ? v : $1;",
     Jumps,
     {"threshold|limit", "0.1|0.5|0.0|1.0", "0.1"},
     {"value|fill", "0.0|-1.0|20.0|0.5", "0.0"}},
    {"quick_gelu", "T:{x} * torch.sigmoid(1.702 * {a})", "v = v / (1.0f + expf(-1.702f * v));"},
    {"squared_relu",
     "T:torch.relu({a}) * torch.relu({a})|P:torch.relu({a}) ** "
     "2|torch.square(torch.relu({a}))|torch.square(F.relu({a}))|F.relu({a}).pow(2)",
     "v = v > 0.0f ? v * v : 0.0f;", Grows},
    {"sigmoid_scale",
     "T:torch.sigmoid({a}) * {0}|T:{0} * torch.sigmoid({a})",
     "v = $0 / (1.0f + expf(-v));",
     GivesPositive | Bounds,
     {"scale|factor|gain", "2.0|0.5|3.0|4.0", "2.0"}},
    {"scaled_tanh",
     "T:{0} * torch.tanh({a})|T:torch.tanh({a}) * {0}",
     "v = $0 * tanhf(v);",
     Bounds,
     {"scale|factor|gain|amplitude", "2.0|0.5|1.7159|3.0", "2.0"}},
    {"identity", "nn.Identity()|nn.Dropout(0.0)", ""},
};

} // namespace

std::vector<Operation> activationOperations()
{
    std::vector<Operation> operations;
    for (const UnaryRow &row : rows)
        operations.push_back(unaryOperation(row, "activation", row.name == "relu" ? 40 : 10));
    return operations;
}

} // namespace dice::corpus
