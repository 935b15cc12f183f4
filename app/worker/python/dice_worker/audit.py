"""Is the task itself worth judging by: does the reference's output depend on its inputs and weights, is it finite?

    audit(module, className, seed, seconds=2.0) -> [observation]

Cheap: a handful of calls of the reference; seconds are processor time, so that a busy machine changes nothing. Observations ("check" is SWEEP, or TRUTH for not finite):
    output_not_finite      NaN or infinity in the outputs
    output_constant        outputs are the same for all inputs that get_inputs() draws (the mean of a softmax is always 1/C)
    inputs_constant        get_inputs() does not draw: fresh inputs are not fresh
    input_unused           one floating point input has no influence
    weights_unused         the module has weights and they have no influence
    output_random          two calls on the same inputs differ (dropout in training mode)
    audit_incomplete       time was up; the checks that were made say nothing bad
A task with output_constant cannot tell a kernel from a constant: a kernel that passes it has shown nothing.
"""

import time

import torch

from . import task, values, weights

_same = 1e-6


def audit(module, className, seed, seconds=2.0):
    """Observations about a loaded reference module (task.loadModule's result); raises TaskError as task does."""
    deadline = time.process_time() + seconds
    model = task.construct(module, className, task.initInputs(module), seed)
    inputs = task.makeInputs(module, seed + 1)
    first = _outputOf(model, inputs, seed)
    found = _notFinite(first)
    if not _isClose(first, _outputOf(model, inputs, seed + 2)):
        return found + [_observation("output_random", "two calls on the same inputs give different outputs")]
    fresh = task.makeInputs(module, seed + 3)
    areInputsFixed = values.sameContent(inputs, fresh)
    if areInputsFixed:
        found.append(_observation("inputs_constant", "get_inputs() gives the same values under every seed"))
        fresh = _scrambled(inputs, seed)
    if _givesSame(first, model, fresh, seed):
        found.append(_observation("output_constant", "the output is the same for all inputs"))
        return found
    steps = [lambda: _unusedInputs(model, inputs, first, seed), lambda: _unusedWeights(model, inputs, first, seed)]
    for step in steps:
        if time.process_time() > deadline:
            return found + [_observation("audit_incomplete", "not every check was made: the task is slow")]
        found += step()
    return found


def _outputOf(model, inputs, seed):
    """Tensors and numbers of an output, detached from what the next call may overwrite."""
    task.seedAll(seed)
    output = task.call(model, weights._copied(inputs))
    return [tensor.detach().clone() for _, tensor in values.tensorsOf(output)] or [torch.tensor(_number(output))]


def _givesSame(first, model, inputs, seed):
    """Whether inputs or weights of ours change nothing. A task that refuses them does depend on them."""
    try:
        return _isClose(first, _outputOf(model, inputs, seed))
    except task.TaskError:
        return False


def _number(output):
    return float(output) if isinstance(output, (bool, int, float)) else 0.0


def _isClose(first, second):
    if len(first) != len(second):
        return False
    for a, b in zip(first, second):
        if a.shape != b.shape:
            return False
        if not torch.allclose(_wide(a), _wide(b), rtol=_same, atol=_same, equal_nan=True):
            return False
    return True


def _wide(tensor):
    return tensor.to(torch.complex128) if tensor.is_complex() else tensor.double()


def _notFinite(outputs):
    bad = sum(int((~torch.isfinite(t)).sum()) for t in outputs if t.is_floating_point() or t.is_complex())
    if not bad:
        return []
    return [{"check": "TRUTH", "what": "output_not_finite", "detail": f"{bad} elements of the output are NaN or infinite"}]


def _scrambled(inputs, seed):
    """Inputs of other size and spread: what a constant output would have to survive."""
    generator = torch.Generator().manual_seed(seed)

    def change(value):
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            noise = torch.randn(value.shape, generator=generator).abs().to(value.dtype)
            return value * (1 + noise) + noise * (value >= 0)
        return value

    return [change(value) for value in inputs]


def _unusedInputs(model, inputs, first, seed):
    found = []
    for position, value in enumerate(inputs):
        if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not value.numel():
            continue
        changed = list(inputs)
        changed[position] = _scrambled([value], seed + position)[0]
        if _givesSame(first, model, changed, seed):
            found.append(_observation("input_unused", f"input {position + 1} of forward has no influence on the output"))
    return found


def _unusedWeights(model, inputs, first, seed):
    if not callable(getattr(model, "parameters", None)) or not any(p.numel() for p in model.parameters()):
        return []
    saved = [(t, t.detach().clone()) for kind in ("parameters", "buffers") for t in getattr(model, kind)()]
    try:
        weights.randomiseWeights(model, seed)
        isUnused = _givesSame(first, model, inputs, seed)
    finally:
        with torch.no_grad():
            for tensor, content in saved:
                tensor.copy_(content)
    if not isUnused:
        return []
    return [_observation("weights_unused", "the weights of the module have no influence on the output")]


def _observation(what, detail):
    return {"check": "SWEEP", "what": what, "detail": detail}
