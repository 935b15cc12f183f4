"""Call values (inputs, init arguments, outputs) as a JSON tree beside raw bytes.

    pack(value, write) -> tree                write(memoryview) -> offset of those bytes where the caller put them
    unpack(tree, read) -> value               read(offset, nbytes) -> an object with the buffer protocol
    refill(value, tree, read) -> bool         new content into the storage of an unpacked value of the same layout
    packOutput(value, write) -> (tree, observations)
    tensorsOf(value) -> [(path, tensor)];   sameContent(a, b) -> bool

A node is {"kind": ...} with
    tensor   dtype, shape, stride (elements), offset, nbytes, lead, device ("cpu"), requiresGrad
    tuple    items, and name + fields for a named tuple;   list   items
    dict     keys (scalar nodes), items
    none, bool, str   value;   int   value (decimal text);   float   value (float.hex text: keeps nan, inf, every bit)
    other    type: an output of a kind that cannot be compared; only packOutput makes it
The bytes of a tensor are its storage from its first to its last element, native byte order, so that unpack gives
the same strides and, through lead (elements before the first, modulo 64 bytes), the same alignment. packOutput
writes contiguous bytes instead: what is compared is the content; the strides are an observation.

A candidate may have replaced methods of torch.Tensor before its output arrives here, so everything is done through
the C descriptors taken when this module was imported: import it before any candidate.
"""

import ctypes
import math

import torch

_maxDepth = 32
_maxNodes = 20000
_alignment = 64

_Base = torch._C.TensorBase
_contiguous = _Base.contiguous
_detach = _Base.detach
_dataPtr = _Base.data_ptr
_asStrided = _Base.as_strided
_storageOf = torch.Tensor.untyped_storage
_copyInto = _Base.copy_
_elementSize = _Base.element_size
_empty = torch.empty
_plainTypes = (torch.Tensor, torch.nn.Parameter)
_isTensor = lambda value: isinstance(value, _Base)  # noqa: E731
_dtypes = {str(v).removeprefix("torch."): v for v in vars(torch).values() if isinstance(v, torch.dtype)}


class ValuesError(ValueError):
    """A value that cannot cross between processes. code: unsupported, too_large, layout."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message

    def asDict(self):
        return {"code": self.code, "message": self.message}


def pack(value, write):
    """The tree of an input or init value; raises ValuesError for what cannot be carried over."""
    return _Packer(write, _packStrided, None).node(value, 0)


def packOutput(value, write):
    """(tree, observations) of a call's result. Never raises for what the candidate returned."""
    observations = []
    packer = _Packer(write, _packContiguous, observations)
    try:
        tree = packer.node(value, 0)
    except ValuesError as error:
        tree = {"kind": "other", "type": error.message}
    return tree, observations


def unpack(tree, read):
    """The value of a tree, its tensors in fresh storage on the CPU."""
    return _unpackNode(tree, read, 0)


def refill(value, tree, read):
    """Overwrites the tensors of value with the content of tree. False, and nothing done, when the layouts differ."""
    targets, nodes = tensorsOf(value), list(_tensorNodes(tree))
    if len(targets) != len(nodes) or any(not _hasLayout(t, n) for (_, t), n in zip(targets, nodes)):
        return False
    for (_, target), node in zip(targets, nodes):
        _bytesOf(target, node["nbytes"])[:] = _asBytes(read(node["offset"], node["nbytes"]))
    return True


def tensorsOf(value, path=""):
    """Every tensor of a nested value with its path ("[0].mask"), in order; deeper than 32 levels is left out."""
    found = []
    _collect(value, path, found, 0)
    return found


def sameContent(first, second):
    """Whether two values hold tensors of the same paths, shapes, types and bits."""
    left, right = tensorsOf(first), tensorsOf(second)
    if [path for path, _ in left] != [path for path, _ in right]:
        return False
    for (_, a), (_, b) in zip(left, right):
        if _Base.size(a) != _Base.size(b) or _dtypeName(a) != _dtypeName(b):
            return False
        a, b = _contiguous(a), _contiguous(b)  # held by a name: a view of their memory does not keep them alive
        if memoryOf(a) != memoryOf(b):
            return False
    return True


def storageExtent(shape, stride):
    """Number of elements between the first and the last one of a strided layout, both included."""
    if any(size == 0 for size in shape):
        return 0
    return 1 + sum((size - 1) * step for size, step in zip(shape, stride))


def memoryOf(tensor):
    """A writable memoryview of a dense CPU tensor's extent. It is valid as long as the tensor lives."""
    extent = storageExtent(_Base.size(tensor), _Base.stride(tensor))
    return _bytesOf(tensor, extent * _elementSize(tensor))


class _Packer:
    def __init__(self, write, packTensor, observations):
        self._write = write
        self._packTensor = packTensor
        self._observations = observations
        self._numNodes = 0

    def node(self, value, depth):
        self._numNodes += 1
        if depth > _maxDepth or self._numNodes > _maxNodes:
            raise ValuesError("too_large", f"a value nested over {_maxDepth} levels or of over {_maxNodes} parts")
        if value is None:
            return {"kind": "none"}
        if type(value) in _scalarNodes:
            return _scalarNodes[type(value)](value)
        if _isTensor(value):
            return self._tensor(value)
        if isinstance(value, torch.Size):
            value = tuple(value)
        if isinstance(value, (tuple, list)):
            return self._sequence(value, depth)
        if isinstance(value, dict):
            return self._mapping(value, depth)
        return self._other(type(value))

    def _tensor(self, value):
        with torch._C.DisableTorchFunction():
            return self._packTensor(value, self._write, self._observations)

    def _sequence(self, value, depth):
        items = [self.node(item, depth + 1) for item in value]
        node = {"kind": "tuple" if isinstance(value, tuple) else "list", "items": items}
        fields = getattr(type(value), "_fields", None)
        if isinstance(value, tuple) and isinstance(fields, tuple) and all(isinstance(f, str) for f in fields):
            node.update(name=type(value).__name__, fields=list(fields))
        return node

    def _mapping(self, value, depth):
        keys = [self.node(key, depth + 1) for key in value]
        if any(key["kind"] not in ("none", "bool", "int", "float", "str") for key in keys):
            return self._other(type(value), "a dict whose keys are no plain values")
        return {"kind": "dict", "keys": keys, "items": [self.node(item, depth + 1) for item in value.values()]}

    def _other(self, kind, sentence=None):
        name = sentence or f"an object of type {kind.__name__[:80]}"
        if self._observations is None:
            raise ValuesError("unsupported", f"{name} cannot be passed to a model in another process")
        return {"kind": "other", "type": name}


_scalarNodes = {
    bool: lambda value: {"kind": "bool", "value": value},
    int: lambda value: {"kind": "int", "value": _decimal(value)},
    float: lambda value: {"kind": "float", "value": value.hex()},
    str: lambda value: {"kind": "str", "value": value.encode("utf-8", "replace").decode()},
}


def _decimal(value):
    if value.bit_length() > 4096:
        raise ValuesError("too_large", "an integer of over 4096 bits")
    return str(value)


def _packStrided(original, write, _observations):
    tensor = _denseOrNone(original)
    if tensor is None:
        raise ValuesError("unsupported", "a tensor that is sparse, quantised, nested or has no storage")
    shape, stride = list(_Base.size(tensor)), list(_Base.stride(tensor))
    itemSize = _elementSize(tensor)
    memory = memoryOf(tensor)
    lead = (_Base.storage_offset(tensor) * itemSize) % _alignment // itemSize
    return _tensorNode(original, shape, stride, write(memory), len(memory), lead)


def _packContiguous(tensor, write, observations):
    kind = type(tensor)
    if kind not in _plainTypes:
        observations.append(_observation(
            "SEAL", "tensor_subclass", f"an output is a {kind.__name__[:80]}, not exactly a torch.Tensor"))
    dense = _denseOrNone(tensor)
    if dense is None:
        return {"kind": "other", "type": f"a tensor without plain storage ({_layoutName(tensor)})"}
    shape, stride = list(_Base.size(dense)), list(_Base.stride(dense))
    numElements = math.prod(shape)
    if numElements and any(step == 0 and size > 1 for size, step in zip(shape, stride)):
        observations.append(_observation(
            "SEAL", "stride_zero", f"an output repeats elements through stride 0 (shape {shape}, stride {stride})"))
    needed = (_Base.storage_offset(dense) + storageExtent(shape, stride)) * _elementSize(dense)
    if needed > _storageOf(dense).nbytes():
        observations.append(_observation("SEAL", "storage_too_small", "an output's storage is smaller than its shape"))
        return {"kind": "other", "type": "a tensor whose storage is smaller than its shape"}
    flat = _contiguous(dense)
    memory = _bytesOf(flat, numElements * _elementSize(flat))
    node = _tensorNode(tensor, shape, list(_Base.stride(flat)), write(memory), len(memory), 0)
    node["originalStride"] = stride
    return node


def _tensorNode(tensor, shape, stride, offset, sizeBytes, lead):
    return {
        "kind": "tensor", "dtype": _dtypeName(tensor), "shape": shape, "stride": stride,
        "offset": offset, "nbytes": sizeBytes, "lead": lead, "device": "cpu",
        "requiresGrad": bool(_Base.requires_grad.__get__(tensor)),
    }


def _dtypeName(tensor):
    return str(_Base.dtype.__get__(tensor)).removeprefix("torch.")


def _denseOrNone(tensor):
    """The tensor detached, conjugation and negation bits resolved; None when it has no plain CPU storage."""
    if _Base.layout.__get__(tensor) is not torch.strided or _Base.is_quantized.__get__(tensor):
        return None
    if _Base.device.__get__(tensor).type != "cpu" or _Base.is_nested.__get__(tensor):
        return None
    dense = _detach(tensor)
    return _Base.resolve_neg(_Base.resolve_conj(dense))


def _layoutName(tensor):
    return f"{_Base.layout.__get__(tensor)}, {_Base.device.__get__(tensor).type}".removeprefix("torch.")


def _observation(check, what, detail):
    return {"check": check, "what": what, "detail": detail}


def _bytesOf(tensor, sizeBytes):
    if sizeBytes == 0:
        return memoryview(bytearray())
    return memoryview((ctypes.c_ubyte * sizeBytes).from_address(_dataPtr(tensor))).cast("B")


def _asBytes(buffer):
    view = memoryview(buffer)
    return view if view.format == "B" and view.ndim == 1 else view.cast("B")


def _unpackNode(node, read, depth):
    kind = node["kind"]
    if depth > _maxDepth:
        raise ValuesError("too_large", f"a value nested over {_maxDepth} levels")
    if kind == "none":
        return None
    if kind in ("bool", "str"):
        return node["value"]
    if kind == "int":
        return int(node["value"])
    if kind == "float":
        return float.fromhex(node["value"])
    if kind == "tensor":
        return _unpackTensor(node, read)
    if kind not in ("tuple", "list", "dict"):
        raise ValuesError("unsupported", f"a value of kind {kind} cannot be recreated")
    items = [_unpackNode(item, read, depth + 1) for item in node["items"]]
    if kind == "dict":
        return dict(zip([_unpackNode(key, read, depth + 1) for key in node["keys"]], items))
    return items if kind == "list" else _asTuple(items, node)


def _asTuple(items, node):
    if "name" not in node:
        return tuple(items)
    import collections
    return collections.namedtuple(node["name"], node["fields"], rename=True)(*items)


def _unpackTensor(node, read):
    dtype, shape, stride = _dtypes.get(node["dtype"]), node["shape"], node["stride"]
    if dtype is None or len(shape) != len(stride) or min([*shape, *stride, node["lead"]], default=0) < 0:
        raise ValuesError("layout", f"a tensor description cannot be read: {str(node)[:200]}")
    extent, lead = storageExtent(shape, stride), node["lead"]
    base = _empty(lead + extent, dtype=dtype)
    if extent * base.element_size() != node["nbytes"]:
        raise ValuesError("layout", f"a tensor of shape {shape} and stride {stride} cannot have {node['nbytes']} bytes")
    tensor = _asStrided(base, shape, stride, lead)
    if extent:
        _bytesOf(tensor, node["nbytes"])[:] = _asBytes(read(node["offset"], node["nbytes"]))
    if node.get("requiresGrad") and (dtype.is_floating_point or dtype.is_complex):
        tensor = _detach(tensor).requires_grad_()
    return tensor


def _tensorNodes(node):
    if node["kind"] == "tensor":
        yield node
    for item in node.get("items", ()):
        yield from _tensorNodes(item)


def _hasLayout(tensor, node):
    return (list(_Base.size(tensor)) == node["shape"] and list(_Base.stride(tensor)) == node["stride"]
            and _dtypeName(tensor) == node["dtype"])


def _collect(value, path, found, depth):
    if _isTensor(value):
        found.append((path, value))
    elif depth < _maxDepth and isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _collect(item, f"{path}[{index}]", found, depth + 1)
    elif depth < _maxDepth and isinstance(value, dict):
        for key, item in value.items():
            _collect(item, f"{path}.{str(key)[:40]}", found, depth + 1)
