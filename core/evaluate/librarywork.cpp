#include "core/evaluate/librarywork.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace dice::evaluate {

namespace {

// Names without "aten::"; an in-place variant ends in "_".
constexpr std::array noArithmetic{"empty",
                                  "empty_like",
                                  "empty_strided",
                                  "new_empty",
                                  "new_empty_strided",
                                  "empty_permuted",
                                  "zeros",
                                  "zeros_like",
                                  "new_zeros",
                                  "ones",
                                  "ones_like",
                                  "new_ones",
                                  "full",
                                  "full_like",
                                  "new_full",
                                  "zero",
                                  "fill",
                                  "copy",
                                  "clone",
                                  "contiguous",
                                  "to",
                                  "_to_copy",
                                  "view",
                                  "reshape",
                                  "_unsafe_view",
                                  "_reshape_alias",
                                  "expand",
                                  "expand_as",
                                  "permute",
                                  "transpose",
                                  "t",
                                  "numpy_T",
                                  "squeeze",
                                  "unsqueeze",
                                  "flatten",
                                  "unflatten",
                                  "slice",
                                  "select",
                                  "narrow",
                                  "as_strided",
                                  "detach",
                                  "alias",
                                  "resize",
                                  "set",
                                  "item",
                                  "_local_scalar_dense",
                                  "size",
                                  "stride",
                                  "is_nonzero",
                                  "numel",
                                  "data",
                                  "type_as",
                                  "view_as",
                                  "split",
                                  "split_with_sizes",
                                  "chunk",
                                  "unbind",
                                  "lift_fresh",
                                  "equal",
                                  "arange",
                                  "scalar_tensor",
                                  "result_type",
                                  "movedim",
                                  "swapaxes",
                                  "mT",
                                  "mH",
                                  "float",
                                  "half",
                                  "is_floating_point",
                                  "diagonal",
                                  "unfold",
                                  "resolve_conj",
                                  "resolve_neg",
                                  "real",
                                  "imag",
                                  "view_as_real",
                                  "view_as_complex",
                                  "requires_grad",
                                  "set_data",
                                  "is_contiguous",
                                  "dim",
                                  "storage_offset",
                                  "record_stream",
                                  "pin_memory",
                                  "is_same_size",
                                  "_has_compatible_shallow_copy_type",
                                  "output_nr",
                                  "_version",
                                  "retain_grad",
                                  "is_leaf",
                                  "cpu",
                                  "cuda"};

bool isArithmetic(std::string_view name)
{
    if (name.starts_with("aten::"))
        name.remove_prefix(6);
    if (const auto dot = name.find('.'); dot != std::string_view::npos)
        name = name.substr(0, dot);
    while (name.ends_with('_') && name.size() > 1)
        name.remove_suffix(1);
    return std::find(noArithmetic.begin(), noArithmetic.end(), name) == noArithmetic.end();
}

} // namespace

LibraryWork libraryWork(const std::vector<OperationCount> &operations)
{
    LibraryWork work;
    std::int64_t most = 0;
    for (const OperationCount &operation : operations) {
        if (!isArithmetic(operation.name))
            continue;
        const std::int64_t elements = operation.elementsIn + operation.elementsOut;
        work.elements += elements;
        if (elements <= most)
            continue;
        most = elements;
        work.largest = operation.name.starts_with("aten::") ? operation.name.substr(6) : operation.name;
    }
    return work;
}

} // namespace dice::evaluate
