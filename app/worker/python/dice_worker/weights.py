"""New weights in place, by one rule for reference and candidate, and inputs that differ in one element.

    randomiseWeights(module, seed) -> {"parameters": n, "buffers": n, "shapes": [[kind, shape]]}
    nearDuplicate(inputs, seed) -> (inputs, {"path", "index"} | None)

The judge compares the two modules' "shapes": where they agree the weights are equal afterwards, element by element;
where they do not, the comparison under new weights says nothing about the candidate.
"""

import math

import torch

_smallStd = 0.1
_streamOfBuffers = 1 << 20


def randomiseWeights(module, seed):
    """Fills parameters, then floating point buffers, in the order of registration, from (seed, position) alone.

    The scale follows what a tensor holds now: its mean and standard deviation (0.1 where it is constant, so that
    weights that start at one or zero become visible). Buffers that hold only values from 0 up stay positive
    (variances). Integer buffers and masks stay: a kernel may know a causal mask without reading it. Shared tensors
    are filled once.
    """
    report = {"parameters": 0, "buffers": 0, "shapes": []}
    with torch.no_grad():
        for kind, start in (("parameters", 0), ("buffers", _streamOfBuffers)):
            for position, (name, tensor) in enumerate(_of(module, f"named_{kind}")):
                report["shapes"].append([kind[:-1], list(tensor.shape)])
                isBuffer = kind == "buffers"
                if tensor.is_floating_point() and tensor.numel() and not (isBuffer and _isMask(name, tensor)):
                    _fill(tensor, torch.Generator().manual_seed(_mixed(seed, start + position)), isBuffer)
                    report[kind] += 1
    return report


def nearDuplicate(inputs, seed):
    """A copy of the inputs in which one element of one floating point tensor has another value.

    The new value is as far off as the tensor's values are from each other, and stays inside their range, so that the
    task's assumptions (positive, probabilities) hold. Without a floating point tensor of two different values an
    integer or boolean one is changed, to a value that it already holds. None when nothing can be changed.
    """
    generator = torch.Generator().manual_seed(_mixed(seed, 0))
    copied = _copied(inputs)
    tensors = _changeable(copied)
    if not tensors:
        return copied, None
    path, tensor = tensors[_drawn(len(tensors), generator)]
    index = _drawn(tensor.numel(), generator)
    position = _position(tensor.shape, index)
    tensor[position] = _otherValue(tensor, tensor[position], generator)
    return copied, {"path": path, "index": list(position)}


def _of(module, kind):
    function = getattr(module, kind, None)
    return list(function()) if callable(function) else []


def _isMask(name, tensor):
    """Only zeros, ones and infinities, and no statistic: a constant of the computation, not a weight."""
    plain = (tensor == 0) | (tensor == 1) | torch.isinf(tensor)
    return "running" not in name and bool(plain.all())


def _mixed(seed, position):
    """A seed for one tensor: neighbours differ in every bit (SplitMix64's finaliser)."""
    value = (seed * 0x9E3779B97F4A7C15 + position * 0xBF58476D1CE4E5B9 + 1) % (1 << 64)
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) % (1 << 64)
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) % (1 << 64)
    return (value ^ (value >> 31)) % (1 << 63)


def _fill(tensor, generator, isBuffer):
    old = tensor.detach().double() if not tensor.is_complex() else tensor.detach().abs().double()
    mean = float(old.mean())
    std = float(old.std()) if tensor.numel() > 1 else 0.0
    if not math.isfinite(mean) or not math.isfinite(std):
        mean, std = 0.0, _smallStd
    fresh = torch.randn(tensor.shape, generator=generator, dtype=torch.float32)
    fresh = fresh * max(std, _smallStd if std < 1e-6 else 0.0) + mean
    if isBuffer and float(old.min()) >= 0 and mean > 0:
        fresh = fresh.abs() + _smallStd
    tensor.copy_(fresh)


def _copied(value):
    """The value with tensors copied, strides kept."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone(memory_format=torch.preserve_format)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_copied(item) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)(_copied(item) for item in value)
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return value


def _changeable(value):
    from .values import tensorsOf
    tensors = [(p, t) for p, t in tensorsOf(value) if t.layout is torch.strided and t.numel() and _hasTwoValues(t)]
    floating = [(p, t) for p, t in tensors if t.is_floating_point()]
    return floating or [(p, t) for p, t in tensors if not t.is_complex()]


def _hasTwoValues(tensor):
    flat = tensor.reshape(-1)
    return bool((flat != flat[0]).any())


def _drawn(limit, generator):
    return int(torch.randint(limit, (1,), generator=generator))


def _position(shape, index):
    position = []
    for size in reversed(shape):
        position.append(index % size)
        index //= size
    return tuple(reversed(position))


def _otherValue(tensor, value, generator):
    """One of the tensor's own values that differs from value, by at least half a standard deviation if floating."""
    others = tensor.reshape(-1)
    if tensor.is_floating_point():
        far = others[(others.float() - value.float()).abs() >= 0.5 * others.float().std()]
        others = far if far.numel() else others
    others = others[others != value]
    return others[_drawn(others.numel(), generator)]
