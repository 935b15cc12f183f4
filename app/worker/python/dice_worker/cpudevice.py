"""Code that names CUDA runs on the CPU: install() once, after `import torch` and before any task text.

To a task's code the machine then has one GPU and every tensor is on it (is_cuda, device, get_device); tensors
really are CPU tensors, and torch's own modules and this package still see that. Factories, Tensor.to, generators,
autocast, streams, events and the rest of torch.cuda are replaced one by one: a TorchFunctionMode would cost time on
every call, would be local to a thread, and does not reach .cuda(), streams, events and generators anyway.

What has no meaning without a GPU (CUDA graphs, IPC, the CUDA runtime) raises cudastandins.NeedsGpu.
"""

import functools
import sys

import torch
import torch.utils._device

from . import cudastandins as standins

_cpu = torch.device("cpu")
_Base = torch._C.TensorBase
_insiders = ("torch.", "dice_worker.")
_isInstalled = False

_factories = (
    "arange as_tensor asarray bartlett_window blackman_window empty empty_like empty_permuted empty_quantized "
    "empty_strided eye full full_like hamming_window hann_window kaiser_window linspace logspace ones ones_like rand "
    "rand_like randint randint_like randn randn_like randperm range scalar_tensor sparse_bsc_tensor sparse_bsr_tensor "
    "sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor sparse_csr_tensor tensor tril_indices triu_indices "
    "zeros zeros_like").split()
_newMethods = "new_empty new_empty_strided new_full new_ones new_tensor new_zeros new".split()
_quiet = (
    "synchronize empty_cache init set_device reset_peak_memory_stats reset_max_memory_allocated reset_max_memory_cached "
    "reset_accumulated_memory_stats ipc_collect set_per_process_memory_fraction _lazy_init set_sync_debug_mode "
    "caching_allocator_delete _sleep").split()
_zero = ("memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_cached max_memory_cached "
         "memory_usage utilization get_sync_debug_mode").split()
_refused = ("CUDAGraph graph graph_pool_handle make_graphed_callables MemPool cudart _compile_kernel "
            "caching_allocator_alloc CUDAPluggableAllocator").split()


def install():
    """Puts everything in place. A second call changes nothing."""
    global _isInstalled
    if _isInstalled:
        return
    _isInstalled = True
    torch.utils._device._device_constructors()  # it caches the originals: `with torch.device(...)` looks for them
    _replaceFactories()
    _replaceTensorMembers()
    _replaceDeviceContexts()
    _replaceGenerator()
    _replaceAutocast()
    _replaceCudaModule()


def hostDevice(device):
    """The device that stands for the named one: the CPU for every CUDA device; others as they are."""
    if isinstance(device, bool) or device is None:
        return device
    if isinstance(device, int):
        return _cpu
    if isinstance(device, str):
        return _cpu if device == "cuda" or device.startswith("cuda:") else device
    return _cpu if isinstance(device, torch.device) and device.type == "cuda" else device


def _isCalledFromInside():
    """Whether the Python code two frames up belongs to torch or to this package."""
    name = sys._getframe(2).f_globals.get("__name__", "")
    return name.startswith(_insiders) or name == "torch"


def _onHost(function):
    """The function with its device argument mapped and pinning dropped (pages are pinned for a GPU)."""

    @functools.wraps(function)
    def mapped(*arguments, **named):
        if "device" in named:
            named["device"] = hostDevice(named["device"])
        if "pin_memory" in named:
            named["pin_memory"] = False
        return function(*arguments, **named)

    return mapped


def _replaceFactories():
    for name in _factories:
        setattr(torch, name, _onHost(getattr(torch, name)))
    torch.fft.fftfreq = _onHost(torch.fft.fftfreq)
    torch.fft.rfftfreq = _onHost(torch.fft.rfftfreq)


def _replaceTensorMembers():
    tensor = torch.Tensor
    for name in _newMethods:
        setattr(tensor, name, _onHost(getattr(tensor, name)))
    tensor.to = _mappedTo(tensor.to)
    tensor.type = _mappedType(tensor.type)
    tensor.cpu = _copyingCpu(tensor.cpu)
    tensor.cuda = lambda self, device=None, non_blocking=False, memory_format=torch.preserve_format: self
    tensor.pin_memory = lambda self, device=None: self
    tensor.is_pinned = lambda self, device=None: False
    tensor.record_stream = lambda self, stream: None
    tensor.get_device = lambda self: _index(self) if _isCalledFromInside() else 0
    _replaceLocation(tensor)
    module = torch.nn.Module
    module.cuda = lambda self, device=None: self


def _replaceLocation(tensor):
    """is_cuda, is_cpu and device answer as on a GPU, except to torch itself."""
    realDevice, realIsCuda, realIsCpu = _Base.device.__get__, _Base.is_cuda.__get__, _Base.is_cpu.__get__
    gpu = torch.device("cuda", 0)

    def device(self):
        real = realDevice(self)
        return gpu if real.type == "cpu" and not _isCalledFromInside() else real

    def isCuda(self):
        return realIsCuda(self) if _isCalledFromInside() else realDevice(self).type in ("cpu", "cuda")

    def isCpu(self):
        return realIsCpu(self) if _isCalledFromInside() else False

    tensor.device, tensor.is_cuda, tensor.is_cpu = property(device), property(isCuda), property(isCpu)


def _index(tensor):
    return _Base.get_device(tensor)


def _mappedTo(original):
    @functools.wraps(original)
    def to(self, *arguments, **named):
        if arguments and isinstance(arguments[0], (str, int, torch.device)) and not isinstance(arguments[0], bool):
            arguments = (hostDevice(arguments[0]), *arguments[1:])
        if "device" in named:
            named["device"] = hostDevice(named["device"])
        return original(self, *arguments, **named)

    return to


def _mappedType(original):
    @functools.wraps(original)
    def type_(self, dtype=None, non_blocking=False, **named):
        if dtype is None:
            return original(self)
        if isinstance(dtype, str):
            dtype = dtype.replace("torch.cuda.", "torch.")
        return original(self, dtype, non_blocking, **named)

    return type_


def _copyingCpu(original):
    @functools.wraps(original)
    def cpu(self, *arguments, **named):
        """A copy, as from a GPU: writing to it must not change the original."""
        result = original(self, *arguments, **named)
        return result.clone() if result is self and not _isCalledFromInside() else result

    return cpu


def _replaceDeviceContexts():
    context = torch.utils._device.DeviceContext
    original = context.__init__
    context.__init__ = lambda self, device: original(self, hostDevice(device))
    setDefault = torch.set_default_device
    torch.set_default_device = functools.wraps(setDefault)(lambda device: setDefault(hostDevice(device)))


def _replaceGenerator():
    original = torch.Generator

    class AnyGenerator(type(original)):
        def __instancecheck__(cls, instance):
            return isinstance(instance, original)

    class Generator(original, metaclass=AnyGenerator):
        def __new__(cls, device="cpu"):
            return super().__new__(cls, hostDevice(device))

    Generator.__module__, Generator.__qualname__ = original.__module__, "Generator"
    torch.Generator = Generator


def _replaceAutocast():
    """autocast on CUDA defaults to float16; on the CPU the same casts are done by its own autocast."""
    original = torch.amp.autocast_mode.autocast

    class autocast(original):
        def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
            if device_type == "cuda":
                device_type, dtype = "cpu", dtype or torch.float16
            super().__init__(device_type, dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)

    class cudaAutocast(autocast):
        def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
            super().__init__("cuda", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)

    cudaAutocast.__name__ = cudaAutocast.__qualname__ = "autocast"
    torch.autocast = torch.amp.autocast = autocast
    torch.cuda.amp.autocast = cudaAutocast


def _replaceCudaModule():
    cuda = torch.cuda
    for name in _quiet:
        _replace(name, lambda *_arguments, **_named: None)
    for name in _zero:
        _replace(name, lambda *_arguments, **_named: 0)
    for name in _refused:
        _replace(name, standins.needsGpu(f"torch.cuda.{name}"))
    for name, value in {"is_available": True, "device_count": 1, "current_device": 0, "is_initialized": True}.items():
        _replace(name, _outsideOnly(getattr(cuda, name), value))
    for name, new in _cudaFunctions().items():
        _replace(name, new)
    for name in ("FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "IntTensor", "LongTensor", "ShortTensor",
                 "CharTensor", "ByteTensor", "BoolTensor"):
        setattr(cuda, name, getattr(torch, name))
    for name in ("range_push", "range_pop", "mark", "range_start", "range_end"):
        setattr(cuda.nvtx, name, lambda *_arguments, **_named: 0)
    torch.Stream, torch.Event = standins.Stream, standins.Event


def _cudaFunctions():
    seed = lambda value: torch.default_generator.manual_seed(value) and None  # noqa: E731
    return {
        "Stream": standins.Stream, "ExternalStream": standins.ExternalStream, "Event": standins.Event,
        "StreamContext": standins.StreamContext, "stream": standins.StreamContext,
        "device": standins.DeviceContext, "device_of": standins.DeviceContext, "_DeviceGuard": standins.DeviceContext,
        "current_stream": standins.streams.current, "set_stream": standins.streams.set,
        "default_stream": lambda device=None: standins.streams.default,
        "get_device_name": lambda device=None: standins.deviceName,
        "get_device_properties": standins.properties,
        "get_device_capability": lambda device=None: standins.capability,
        "get_arch_list": lambda: [f"sm_{standins.capability[0]}{standins.capability[1]}"],
        "is_bf16_supported": lambda including_emulation=True: True,
        "is_current_stream_capturing": lambda: False,
        "can_device_access_peer": lambda device, peer_device: True,
        "mem_get_info": lambda device=None: (8 << 30, 8 << 30),
        "memory_stats": lambda device=None: {}, "memory_summary": lambda device=None, abbreviated=False: "",
        "manual_seed": seed, "manual_seed_all": seed, "seed": torch.seed, "seed_all": torch.seed,
        "initial_seed": torch.initial_seed,
        "get_rng_state": lambda device="cuda": torch.get_rng_state(),
        "set_rng_state": lambda new_state, device="cuda": torch.set_rng_state(new_state),
        "get_rng_state_all": lambda: [torch.get_rng_state()],
        "set_rng_state_all": lambda new_states: torch.set_rng_state(new_states[0]),
    }


def _outsideOnly(original, value):
    @functools.wraps(original)
    def answer(*arguments, **named):
        return original(*arguments, **named) if _isCalledFromInside() else value

    return answer


def _replace(name, new):
    """Replaces a name of torch.cuda, also where its submodules hold the same object under that name."""
    old = getattr(torch.cuda, name, None)
    for module in [m for key, m in sys.modules.items() if key.startswith("torch.cuda.")]:
        if old is not None and vars(module).get(name) is old:
            setattr(module, name, new)
    setattr(torch.cuda, name, new)
