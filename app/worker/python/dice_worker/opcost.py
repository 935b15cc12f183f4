"""What one library operation costs: its kind, the elements it writes and an estimate of its arithmetic.

    kindOf(func) -> "view" | "allocation" | "copy" | "compute"
    costOf(func, arguments, named, result) -> (kind, elements, flops)

Matrix products, convolutions and attention are counted by torch.utils.flop_counter's formulas; pooling by its
window; everything else as one operation for each element it reads or writes, whichever are more. Works on real,
meta and fake tensors alike. An estimate to compare sizes by, not a measurement.
"""

import math

import torch
from torch.utils.flop_counter import flop_registry

aten = torch.ops.aten
_Base = torch._C.TensorBase
_numelOf = _Base.numel

_allocations = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "empty_permuted", "resize_",
                "set_", "_resize_output_", "lift_fresh", "lift_fresh_copy", "_local_scalar_dense", "is_same_size",
                "is_pinned", "_pin_memory", "record_stream"}
_copies = {"clone", "copy_", "_to_copy", "fill_", "zero_", "zeros", "ones", "full", "zeros_like", "ones_like", "full_like",
           "new_zeros", "new_ones", "new_full", "arange", "cat", "stack", "constant_pad_nd", "scalar_tensor", "contiguous",
           "_copy_from", "masked_fill", "masked_fill_", "repeat", "tril", "triu", "eye", "roll", "flip", "index_select"}
_views = {"_unsafe_view", "_reshape_alias", "detach", "detach_", "alias", "view_as_real", "view_as_complex"}
_attention = {"_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_fused_attention_overrideable",
              "_fused_sdp_choice"}


def kindOf(func):
    """The kind of an operator overload: only "compute" does arithmetic, "copy" moves or fills memory."""
    kind = _kinds.get(func)
    if kind is None:
        kind = _kinds[func] = _classify(func)
    return kind


def costOf(func, arguments, named, result):
    """(kind, elements written, operations) of one call; elements and operations of a view are 0."""
    kind = kindOf(func)
    if kind in ("view", "allocation"):
        return kind, 0, 0
    written = _elements(result)
    if kind == "copy":
        return kind, written, 0
    return kind, written, _flops(func, arguments, named, result, written)


_kinds = {}


def _classify(func):
    name = func.name().removeprefix("aten::").partition(".")[0]
    if name in _allocations:
        return "allocation"
    if name in _copies:
        return "copy"
    if name in _views or _isView(func):
        return "view"
    return "compute"


def _isView(func):
    """An operator whose results alias an argument that it does not write to."""
    returns = func._schema.returns
    return bool(returns) and all(r.alias_info is not None and not r.alias_info.is_write for r in returns)


def _elements(value):
    if isinstance(value, torch.Tensor):
        return _numelOf(value)
    if isinstance(value, (list, tuple)):
        return sum(_elements(item) for item in value)
    return 0


def _flops(func, arguments, named, result, written):
    formula = flop_registry.get(func._overloadpacket)
    name = func._overloadpacket.__name__
    if formula is not None:
        return int(formula(*arguments, **named, out_val=result))
    if name in _attention:
        return _attentionFlops(arguments)
    touched = max(written, _elements(arguments))
    if "pool" in name and not name.startswith("_adaptive") and "adaptive" not in name:
        return max(touched, written * _window(arguments))
    if name.startswith(("sort", "topk", "argsort", "kthvalue", "median")):
        return int(touched * max(math.log2(touched), 1)) if touched else 0
    if name.startswith(("_cdist", "cdist", "linalg")) and isinstance(arguments[0], torch.Tensor) and arguments[0].dim():
        return touched * arguments[0].shape[-1]
    return touched


def _attentionFlops(arguments):
    query, key, value = (list(tensor.shape) for tensor in arguments[:3])
    return 2 * math.prod(query[:-1]) * key[-2] * (query[-1] + value[-1])


def _window(arguments):
    kernel = arguments[1] if len(arguments) > 1 else 1
    return math.prod(kernel) if isinstance(kernel, (list, tuple)) else 1
