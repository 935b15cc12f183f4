// Matrix products of inputs. A two-dimensional product reads both operands through their strides, so transposed
// views need no copy; sums in double.
#include "core/train/corpus/operation.h"
#include "core/train/corpus/operations/sharedkernels.h"
#include "core/train/corpus/text.h"

namespace dice::corpus {

namespace {

constexpr Kernel matmul = {
    "matmul",
    R"(__global__ void matmul_kernel(const float* a, const float* b, float* out, int64_t M, int64_t N, int64_t K, int64_t am, int64_t ak, int64_t bk, int64_t bn) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= M * N) return;
    const float* p = a + i / N * am;
    const float* q = b + i % N * bn;
    double s = 0.0;
    for (int64_t k = 0; k < K; ++k) s += p[k * ak] * q[k * bk];
    out[i] = s;
}

torch::Tensor matmul_cuda(torch::Tensor a, torch::Tensor b) {
    int64_t M = a.size(0), K = a.size(1), N = b.size(1);
    auto out = torch::empty({M, N}, a.options());
    matmul_kernel<<<(M * N + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), M, N, K, a.stride(0), a.stride(1), b.stride(0), b.stride(1));
    return out;
}
)"};

constexpr Kernel matmulNd = {
    "matmul_nd",
    R"(__global__ void matmul_nd_kernel(const float* a, const float* b, float* out, int64_t n, int64_t N, int64_t K, int64_t bk, int64_t bn) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* p = a + i / N * K;
    const float* q = b + i % N * bn;
    double s = 0.0;
    for (int64_t k = 0; k < K; ++k) s += p[k] * q[k * bk];
    out[i] = s;
}

torch::Tensor matmul_nd_cuda(torch::Tensor a, torch::Tensor b) {
    a = a.contiguous();
    int64_t K = b.size(0), N = b.size(1);
    std::vector<int64_t> shape;
    for (int64_t k = 0; k < a.dim() - 1; ++k) shape.push_back(a.size(k));
    shape.push_back(N);
    auto out = torch::empty(shape, a.options());
    int64_t n = out.numel();
    matmul_nd_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, N, K, b.stride(0), b.stride(1));
    return out;
}
)"};

constexpr Kernel mv
    = {"mv", R"(__global__ void mv_kernel(const float* a, const float* v, float* out, int64_t M, int64_t K) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= M) return;
    double s = 0.0;
    for (int64_t k = 0; k < K; ++k) s += a[i * K + k] * v[k];
    out[i] = s;
}

torch::Tensor mv_cuda(torch::Tensor a, torch::Tensor v) {
    a = a.contiguous();
    v = v.contiguous();
    int64_t M = a.size(0), K = a.size(1);
    auto out = torch::empty({M}, a.options());
    mv_kernel<<<(M + 255) / 256, 256>>>(a.data_ptr<float>(), v.data_ptr<float>(), out.data_ptr<float>(), M, K);
    return out;
}
)"};

constexpr Kernel diagonal
    = {"diag_matmul",
       R"(__global__ void diag_matmul_kernel(const float* a, const float* b, float* out, int64_t n, int64_t M) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = a[i / M] * b[i];
}

torch::Tensor diag_matmul_cuda(torch::Tensor a, torch::Tensor b) {
    a = a.contiguous();
    b = b.contiguous();
    auto out = torch::empty_like(b);
    int64_t n = b.numel();
    diag_matmul_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, b.size(1));
    return out;
}
)"};

constexpr Kernel outer
    = {"outer", R"(__global__ void outer_kernel(const float* a, const float* b, float* out, int64_t n, int64_t N) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = a[i / N] * b[i % N];
}

torch::Tensor outer_cuda(torch::Tensor a, torch::Tensor b) {
    a = a.contiguous();
    b = b.contiguous();
    int64_t M = a.numel(), N = b.numel(), n = M * N;
    auto out = torch::empty({M, N}, a.options());
    outer_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>(), n, N);
    return out;
}
)"};

constexpr std::string_view rowRoles = "M|m|rows|n;M|N|R";
constexpr std::string_view innerRoles = "K|k|inner|d;K|D";
constexpr std::string_view columnRoles = "N|n|cols|p;N|P|C";
constexpr std::string_view smallSide = "5|8|12|16|20|24|32|40|48|60|64|100|120";
constexpr std::string_view largeSide = "64|128|256|512|1000|1024|2048|4096|8192|8205|16384|205|2949|5921";
constexpr std::string_view largeInner = "16|32|64|128|256|512|1024|2048|4096|8192|131072|524288";

Dim side(Task &task, std::string_view roles, std::string_view large = largeSide)
{
    return task.newDim(roles, task.pickSize(smallSide, large));
}

struct PairNames
{
    const char *first;
    const char *second;
};

PairNames pairNames(Rng &rng)
{
    constexpr PairNames names[]
        = {{"A", "B"},       {"A", "B"},        {"A", "B"},   {"a", "b"},      {"x", "y"}, {"x", "w"},
           {"mat1", "mat2"}, {"left", "right"}, {"m1", "m2"}, {"x", "weight"}, {"q", "k"}};
    return names[rng.below(11)];
}

std::string floatFill(Rng &rng)
{
    return rng.pick("torch.randn({})|torch.rand({})|torch.randn({})");
}

// Begins with a first operand, adds a second, and sets the product as the current value.
void product(Task &task, Shape first, Shape second, Shape result, std::string form, const Kernel &kernel,
             std::string_view arguments, std::string_view fill = {})
{
    const PairNames names = pairNames(task.rng());
    const std::string drawn = fill.empty() ? floatFill(task.rng()) : std::string(fill);
    task.begin(names.first, std::move(first), drawn);
    const std::string a = task.current().text;
    const std::string b = task.addInput(names.second, std::move(second), drawn).text;
    Precedence precedence = Precedence::Atom;
    if (form.rfind("T:", 0) == 0) {
        precedence = Precedence::Term;
        form.erase(0, 2);
    }
    std::string call(arguments);
    for (std::string *text : {&form, &call}) {
        replaceAll(*text, "{a}", a);
        replaceAll(*text, "{b}", b);
    }
    task.set(form, precedence, std::move(result));
    task.run(kernel, call);
    task.current().isLarge = true;
}

void emitMatmul(Task &task)
{
    Rng &rng = task.rng();
    const Dim m = side(task, rowRoles);
    const bool isSquare = rng.chance(20);
    const Dim k = isSquare ? m : side(task, innerRoles, largeInner);
    Dim n = isSquare ? m : side(task, columnRoles);
    if (!isSquare && rng.chance(10)) {
        product(task, {m, k}, {k, {1, -1}}, {m, {1, -1}},
                rng.pick("torch.matmul({a}, {b})|torch.mm({a}, {b})|T:{a} @ {b}"), matmul, "{a}, {b}");
        return;
    }
    product(
        task, {m, k}, {k, n}, {m, n},
        rng.pick(
            "torch.matmul({a}, {b})|torch.mm({a}, {b})|T:{a} @ {b}|torch.matmul({a}, {b})|{a}.matmul({b})|{a}.mm({b})"),
        matmul, "{a}, {b}");
}

void emitTransposed(Task &task)
{
    Rng &rng = task.rng();
    const Dim m = side(task, rowRoles);
    const Dim k = side(task, innerRoles, largeInner);
    const Dim n = side(task, columnRoles);
    const int which = rng.below(3);
    const bool isA = which != 1, isB = which != 0;
    const std::string view = rng.pick(".T|.T|.T|.t()|.transpose(0, 1)");
    const std::string a = isA ? "{a}" + view : "{a}", b = isB ? "{b}" + view : "{b}";
    std::string form = rng.pick("torch.matmul(1, 2)|torch.mm(1, 2)|T:1 @ 2|torch.matmul(1, 2)");
    replaceAll(form, "1", a);
    replaceAll(form, "2", b);
    product(task, isA ? Shape{k, m} : Shape{m, k}, isB ? Shape{n, k} : Shape{k, n}, {m, n}, form, matmul, a + ", " + b);
}

void emitBmm(Task &task)
{
    Rng &rng = task.rng();
    const Dim batch = task.newDim("batch_size|batch|b|bs;B|BATCH", task.pickSize("2|3|4|5|8", "4|8|16|32|64|128"));
    const Dim m = side(task, rowRoles, "64|128|256|512|1024"), k = side(task, innerRoles, "64|128|256|512|1024|2048"),
              n = side(task, columnRoles, "64|128|256|512|1024|2048");
    if (rng.chance(25)) {
        const Dim heads = task.newDim("num_heads|heads|h;H|HEADS", task.pickSize("2|3|4", "4|8|12|16"));
        product(task, {batch, heads, m, k}, {batch, heads, k, n}, {batch, heads, m, n},
                rng.pick("torch.matmul({a}, {b})|T:{a} @ {b}|torch.einsum('bhmk,bhkn->bhmn', {a}, {b})"), bmmKernel,
                "{a}, {b}");
        return;
    }
    product(task, {batch, m, k}, {batch, k, n}, {batch, m, n},
            rng.pick("torch.bmm({a}, {b})|torch.bmm({a}, {b})|torch.matmul({a}, {b})|T:{a} @ "
                     "{b}|torch.einsum('bmk,bkn->bmn', {a}, {b})|torch.einsum('bij,bjk->bik', {a}, {b})|{a}.bmm({b})"),
            bmmKernel, "{a}, {b}");
}

void emitBmmTransposed(Task &task)
{
    Rng &rng = task.rng();
    const Dim batch = task.newDim("batch_size|batch|b|bs;B|BATCH", task.pickSize("2|3|4|5|8", "4|8|16|32|64|128"));
    const Dim m = side(task, rowRoles, "64|128|256|512|1024"), k = side(task, innerRoles, "64|128|256|512"),
              n = side(task, columnRoles, "64|128|256|512|1024");
    const std::string view = rng.pick(".transpose(1, 2)|.transpose(-2, -1)|.transpose(-1, -2)|.transpose(2, 1)|.mT");
    const bool isA = rng.chance(35);
    std::string form = rng.pick("torch.bmm(1, 2)|torch.matmul(1, 2)|T:1 @ 2");
    const std::string a = isA ? "{a}" + view : "{a}", b = isA ? "{b}" : "{b}" + view;
    std::string call = a + ", " + b;
    replaceAll(form, "1, 2)", call + ")");
    replaceAll(form, "1 @ 2", a + " @ " + b);
    product(task, isA ? Shape{batch, k, m} : Shape{batch, m, k}, isA ? Shape{batch, k, n} : Shape{batch, n, k},
            {batch, m, n}, form, bmmKernel, call);
}

void emitMatmulNd(Task &task)
{
    Rng &rng = task.rng();
    const Dim batch = task.newDim("batch_size|batch|b|N;B|N", task.pickSize("2|3|4|8", "8|16|32|64"));
    const Dim m = side(task, "M|seq_len|i|rows;M|I|T", "64|128|256|512|1024"),
              k = side(task, "K|dim|l|in_dim;K|L|D", "64|128|256|512|768|2048"),
              n = side(task, "L|out_dim|N|k;N|L|P", "64|128|256|512|768");
    if (rng.chance(35)) {
        const Dim extra = side(task, "J|width|j|cols;J|W|C", "64|128|256|512");
        product(task, {batch, m, extra, k}, {k, n}, {batch, m, extra, n},
                rng.pick("torch.einsum('bijl,lk->bijk', {a}, {b})|torch.matmul({a}, {b})|torch.einsum('abcd,de->abce', "
                         "{a}, {b})|T:{a} @ {b}"),
                matmulNd, "{a}, {b}");
        return;
    }
    product(task, {batch, m, k}, {k, n}, {batch, m, n},
            rng.pick("torch.matmul({a}, {b})|T:{a} @ {b}|torch.einsum('bmk,kn->bmn', {a}, {b})|torch.matmul({a}, "
                     "{b})|torch.einsum('nmk,kl->nml', {a}, {b})"),
            matmulNd, "{a}, {b}");
}

void emitMv(Task &task)
{
    const Dim m = side(task, rowRoles), k = side(task, innerRoles, largeInner);
    product(task, {m, k}, {k}, {m}, task.rng().pick("torch.mv({a}, {b})|torch.matmul({a}, {b})|T:{a} @ {b}"), mv,
            "{a}, {b}");
}

void emitDiagonal(Task &task)
{
    const Dim n = side(task, "N|n|size;N|SIZE"), m = side(task, "M|m|cols;M|C");
    product(
        task, {n}, {n, m}, {n, m},
        task.rng().pick(
            "T:torch.diag({a}) @ {b}|torch.matmul(torch.diag({a}), {b})|T:{a}.unsqueeze(1) * {b}|T:{a}[:, None] * {b}"),
        diagonal, "{a}, {b}");
    task.current().isLarge = false;
}

void emitOuter(Task &task)
{
    const Dim m = side(task, rowRoles), n = side(task, columnRoles);
    product(
        task, {m}, {n}, {m, n},
        task.rng().pick(
            "torch.outer({a}, {b})|torch.ger({a}, {b})|T:{a}.unsqueeze(1) * {b}.unsqueeze(0)|torch.outer({a}, {b})"),
        outer, "{a}, {b}");
    task.current().isLarge = false;
}

void applyTriangle(Task &task, bool isUpper)
{
    Rng &rng = task.rng();
    const std::string name = isUpper ? "triu" : "tril";
    const std::string offset = rng.chance(70) ? "0" : rng.pick("1|-1|2");
    std::string text
        = rng.chance(75) ? "torch." + name + "(" + task.operand() : task.operand(Precedence::Atom) + "." + name + "(";
    if (offset != "0")
        text += (text.back() == '(' ? "" : ", ") + std::string(rng.chance(50) ? "diagonal=" : "") + offset;
    task.setCall(text + ")");
    task.apply(triangleKernel(isUpper), ", " + offset);
}

void emitTriangularProduct(Task &task)
{
    Rng &rng = task.rng();
    const Dim n = task.newDim("N|n|size|M;N|SIDE|SIZE|M", task.pickSize(smallSide, "256|512|1024|2048|4096"));
    const bool isUpper = rng.chance(50);
    const std::string name = isUpper ? "triu" : "tril";
    const std::string fill = rng.chance(70) ? "torch." + name + "(torch.randn({}))"
        : rng.chance(50)                    ? "torch." + name + "(torch.rand({}))"
                                            : "torch.randn({})";
    product(task, {n, n}, {n, n}, {n, n},
            rng.pick("torch.matmul({a}, {b})|torch.matmul({a}, {b})|torch.mm({a}, {b})|T:{a} @ {b}"), matmul,
            "{a}, {b}", fill);
    task.setCall("torch." + name + "(" + task.operand() + ")");
    task.apply(triangleKernel(isUpper), ", 0");
}

void emitSymmetric(Task &task)
{
    Rng &rng = task.rng();
    const Dim n = task.newDim("N|n|size;N|SIDE|SIZE", task.pickSize(smallSide, "256|512|1024|2048|4096"));
    task.begin(rng.pick("A|x|a|M"), {n, n}, floatFill(rng));
    const std::string x = task.current().text;
    const std::string form
        = rng.pick("torch.matmul(1, 1.T)|1 @ 1.T|torch.mm(1, 1.t())|torch.matmul(1, 1)|torch.matmul(1.T, 1)");
    std::string text = form;
    const bool isOperator = form.find(" @ ") != std::string::npos;
    replaceAll(text, "1", x);
    std::string call = form.find("1.T, 1)") != std::string::npos ? x + ".T, " + x
        : form.find("(1, 1)") != std::string::npos               ? x + ", " + x
        : form.find(".t()") != std::string::npos                 ? x + ", " + x + ".t()"
                                                                 : x + ", " + x + ".T";
    task.set(text, isOperator ? Precedence::Term : Precedence::Atom, {n, n});
    task.run(matmul, call);
    task.current().isLarge = true;
}

void emitScalarProduct(Task &task)
{
    const Dim m = side(task, rowRoles), n = side(task, columnRoles);
    task.begin(task.rng().pick("A|x|a|matrix"), {m, n}, floatFill(task.rng()));
    const std::string number
        = task.addNumberInput("s|scalar|c|alpha|factor", task.rng().pick("3.14|2.5|0.5|1.7|2.0|-1.5"));
    task.set(task.rng().chance(75) ? task.current().text + " * " + number : number + " * " + task.current().text,
             Precedence::Term, task.shape());
    task.elementwise({"mul", "v = v * $0;", {number}, {}});
}

// addmm, baddbmm: a product of two inputs and a third.
void emitAddmm(Task &task)
{
    Rng &rng = task.rng();
    const Dim m = side(task, rowRoles), k = side(task, innerRoles, largeInner), n = side(task, columnRoles);
    const bool isBias = rng.chance(40);
    const std::string fill = floatFill(rng);
    task.begin("c|C|bias_in|inp|base", isBias ? Shape{n} : Shape{m, n}, fill);
    const std::string c = task.current().text;
    const std::string a = task.addInput("a|A|mat1|left", {m, k}, fill).text;
    const std::string b = task.addInput("b|B|mat2|right", {k, n}, fill).text;
    const bool isSum = rng.chance(35);
    task.set(isSum ? "torch.matmul(" + a + ", " + b + ") + " + c : "torch.addmm(" + c + ", " + a + ", " + b + ")",
             isSum ? Precedence::Arithmetic : Precedence::Atom, {m, n});
    task.run(matmul, a + ", " + b);
    task.elementwise(
        {isBias ? "add_row" : "add", "v = v + @0;", {}, {{c, isBias ? Broadcast::Suffix : Broadcast::Same}}});
    task.current().isLarge = true;
}

} // namespace

std::vector<Operation> matrixOperations()
{
    using Start = Operation::Start;
    std::vector<Operation> operations = {
        {"matmul", "matrix", rank2, Start::Own, emitMatmul, {}, 20},
        {"matmul_transposed", "matrix", rank2, Start::Own, emitTransposed, {}, 10},
        {"bmm", "matrix", rank3, Start::Own, emitBmm, {}, 12},
        {"bmm_transposed", "matrix", rank3, Start::Own, emitBmmTransposed, {}, 6},
        {"matmul_nd", "matrix", rank3, Start::Own, emitMatmulNd, {}, 6},
        {"mv", "matrix", rank1, Start::Own, emitMv, {}, 4},
        {"diag_matmul", "matrix", rank2, Start::Own, emitDiagonal, {}, 3},
        {"outer", "matrix", rank2, Start::Own, emitOuter, {}, 3},
        {"triangular_matmul", "matrix", rank2, Start::Own, emitTriangularProduct, {}, 4},
        {"symmetric_matmul", "matrix", rank2, Start::Own, emitSymmetric, {}, 4},
        {"matrix_scalar", "matrix", rank2, Start::Own, emitScalarProduct, {}, 3},
        {"addmm", "matrix", rank2, Start::Own, emitAddmm, {}, 4},
    };
    for (bool isUpper : {true, false})
        operations.push_back({isUpper ? "triu" : "tril",
                              "layout",
                              rank2 | rank3 | rank4,
                              Start::Tensor,
                              [isUpper](Task &task) { applyTriangle(task, isUpper); },
                              {},
                              2});
    return operations;
}

} // namespace dice::corpus
