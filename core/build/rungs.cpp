#include "rungs.h"

#include "artefactkey.h"
#include "devicerewriter.h"
#include "precompiledheaders.h"
#include "standardheaders.h"
#include "tokens.h"
#include "unitflags.h"

#include <algorithm>

namespace dice::build {

namespace {

struct Unit
{
    std::string name; // of the object, without extension
    std::string text;
    bool hasKernels = false;
};

std::string asSource(const SourceText &source, const std::string &text)
{
    return "#line 1 \"" + source.name + "\"\n" + text + "\n";
}

// load_inline writes the bindings itself when functions are named.
std::string bindingText(const BuildRequest &request)
{
    if (request.functions.empty())
        return {};
    std::string text = "#line 1 \"functions\"\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n";
    for (const std::string &function : request.functions)
        text += "m.def(\"" + function + "\", torch::wrap_pybind_function(" + function + "), \"" + function + "\");\n";
    return text + "}\n";
}

bool declaresNothingElse(const std::vector<SourceText> &sources)
{
    return std::none_of(sources.begin(), sources.end(), [](const SourceText &source) {
        const std::vector<Token> tokens = tokenize(source.text);
        return std::any_of(tokens.begin(), tokens.end(), [](const Token &t) { return t.is("{") || t.is("="); })
            || source.text.find('#') != std::string::npos;
    });
}

// What load_inline's binding unit sees are the C++ sources alone: a function they do not name cannot be bound.
bool areFunctionsDeclared(const BuildRequest &request)
{
    return std::all_of(request.functions.begin(), request.functions.end(), [&](const std::string &function) {
        return std::any_of(request.cppSources.begin(), request.cppSources.end(), [&](const SourceText &source) {
            const std::vector<Token> tokens = tokenize(source.text);
            return std::any_of(tokens.begin(), tokens.end(), [&](const Token &t) { return t.is(function); });
        });
    });
}

std::vector<Unit> makeUnits(const BuildRequest &request, const std::string &prologue)
{
    std::vector<Unit> units;
    int site = 0, index = 0;
    std::string cpp;
    for (const SourceText &source : request.cppSources) {
        const RewrittenSource rewritten = rewriteForCpu(source, index++, site);
        site += rewritten.launches;
        cpp += asSource(source, rewritten.text);
        if (!request.isInline) {
            units.push_back({"cpp" + std::to_string(index), prologue + standardHeadersFor(cpp) + cpp, true});
            cpp.clear();
        }
    }
    std::string cuda;
    for (const SourceText &source : request.cudaSources) {
        const RewrittenSource rewritten = rewriteForCpu(source, index++, site);
        site += rewritten.launches;
        cuda += asSource(source, rewritten.text);
        if (!request.isInline) {
            units.push_back({"cuda" + std::to_string(index), prologue + standardHeadersFor(cuda) + cuda, true});
            cuda.clear();
        }
    }
    if (!request.isInline)
        return units;
    // One unit when the C++ part only declares: half the work, since headers are most of it.
    if (!cuda.empty() && declaresNothingElse(request.cppSources) && areFunctionsDeclared(request)) {
        const std::string all = cuda + cpp + bindingText(request);
        return {{"extension", prologue + standardHeadersFor(all) + all, true}};
    }
    cpp += bindingText(request);
    units.push_back({"main", prologue + standardHeadersFor(cpp) + cpp, cuda.empty()});
    if (!cuda.empty())
        units.push_back({"cuda", prologue + standardHeadersFor(cuda) + cuda, true});
    return units;
}

void addUnitCommands(Rung &rung, const Unit &unit, const Toolchain &toolchain, const UnitFlags &flags)
{
    const std::string file = unit.name + ".cpp";
    rung.files[file] = unit.text;
    const auto command = [&](const std::vector<std::string> &special, const std::string &object) {
        CompileCommand result = beginCommand(toolchain, special, flags);
        result.argv.insert(result.argv.end(), {"-c", file, "-o", object});
        rung.commands.push_back(std::move(result));
    };
    command(flags.fast, unit.name + ".o");
    if (unit.hasKernels)
        command(flags.checked, unit.name + ".checked.o");
}

std::vector<std::string> objectsOf(const std::vector<Unit> &units, const std::string &ending)
{
    std::vector<std::string> objects;
    for (const Unit &unit : units) {
        if (ending == ".o" || unit.hasKernels)
            objects.push_back(unit.name + ending);
    }
    return objects;
}

void addLinkCommands(Rung &rung, const std::vector<Unit> &units, const Toolchain &toolchain,
                     const std::vector<std::string> &libraries)
{
    std::vector<std::string> fast = {toolchain.compiler, "-shared", "-o", "candidate.so"};
    const std::vector<std::string> fastObjects = objectsOf(units, ".o"),
                                   checkedObjects = objectsOf(units, ".checked.o");
    fast.insert(fast.end(), fastObjects.begin(), fastObjects.end());
    rung.outputs = {"candidate.so"};
    if (!checkedObjects.empty()) {
        // The dynamic linker takes a library of a name that is loaded already: each checked copy has its own.
        std::string all;
        for (const Unit &unit : units)
            all += unit.text;
        const std::string name = "checked-" + sha256Hex(all).substr(0, 16);
        // Its own functions, but the variables of the fast copy, which is looked at first.
        std::vector<std::string> checked
            = {toolchain.compiler, "-shared", "-Wl,-Bsymbolic-functions", "-o", name + ".so"};
        checked.insert(checked.end(), checkedObjects.begin(), checkedObjects.end());
        rung.commands.push_back({std::move(checked), 1});
        rung.commands.push_back(
            {{"sh", "-c", toolchain.objdump + " --dwarf=decodedline " + name + ".so > " + name + ".lines"}, 2});
        rung.outputs.insert(rung.outputs.end(), {name + ".so", name + ".lines"});
        // Needed although the fast copy refers to it only weakly.
        fast.insert(fast.end(), {"-Wl,--no-as-needed", name + ".so", "-Wl,-rpath,$ORIGIN"});
    }
    fast.insert(fast.end(), libraries.begin(), libraries.end());
    rung.commands.push_back({std::move(fast), 2});
}

} // namespace

Rung planShimRung(const BuildRequest &request, const Toolchain &toolchain)
{
    Rung rung;
    rung.kind = RungKind::Shim;
    const std::vector<Unit> units = makeUnits(request, "#include <torch/extension.h>\n");
    UnitFlags flags = unitFlags(request, toolchain);
    if (!toolchain.precompiled.empty())
        addPrecompiled(flags, toolchain.precompiled);
    for (const Unit &unit : units)
        addUnitCommands(rung, unit, toolchain, flags);
    addLinkCommands(rung, units, toolchain, {});
    return rung;
}

Rung planRealHeadersRung(const BuildRequest &request, const Toolchain &toolchain)
{
    Rung rung;
    rung.kind = RungKind::RealHeaders;
    std::vector<Unit> units = makeUnits(request, "#include <dice/realheaders.h>\n");
    UnitFlags flags = unitFlags(request, toolchain);
    flags.common.push_back("-DDICE_REAL_HEADERS=1");
    for (const std::string &folder : {toolchain.torchRoot + "/include",
                                      toolchain.torchRoot + "/include/torch/csrc/api/include", toolchain.pythonInclude})
        flags.common.insert(flags.common.end(), {"-isystem", folder});
    // No checked copy: Torch's headers would cost another half minute. Guard bands still tell an overrun.
    for (Unit &unit : units) {
        unit.hasKernels = false;
        addUnitCommands(rung, unit, toolchain, flags);
    }
    addLinkCommands(rung, units, toolchain,
                    {"-L" + toolchain.torchRoot + "/lib", "-ltorch", "-ltorch_cpu", "-lc10", "-ltorch_python"});
    return rung;
}

} // namespace dice::build
