"""What torch.cuda offers besides tensors, on a machine without a GPU: streams, events, properties.

Work on the CPU device is done when the call returns, so every stream is in order and always idle. Times are the
host's clock, taken when an event is recorded. cpudevice puts these in place; nothing here changes torch by itself.
"""

import time
import types

_now = time.perf_counter_ns

deviceName = "DICE Studio CPU device"
capability = (9, 0)
"""The architecture whose feature branches host code takes; the device code itself is compiled for the CPU."""


class NeedsGpu(RuntimeError):
    """The code uses what only a GPU can do; never a reproach to the kernel."""


def properties(_device=None):
    """Limits as CUDA reports them, those that launch code reads to choose a grid."""
    return types.SimpleNamespace(
        name=deviceName, major=capability[0], minor=capability[1], total_memory=8 << 30, multi_processor_count=8,
        warp_size=32, max_threads_per_block=1024, max_threads_per_multi_processor=2048,
        regs_per_multiprocessor=65536, shared_memory_per_block=48 << 10, shared_memory_per_block_optin=227 << 10,
        shared_memory_per_multiprocessor=228 << 10, L2_cache_size=32 << 20, is_integrated=False,
        is_multi_gpu_board=False, gcnArchName="", pci_bus_id=0, pci_device_id=0, pci_domain_id=0)


class Stream:
    """A queue of work; here work is done when it is issued."""

    _count = 0

    def __init__(self, device=None, priority=0, **named):
        self.priority = priority
        self.stream_id = named.get("stream_id", Stream._count)
        self.cuda_stream = named.get("stream_ptr", self.stream_id)
        self.device_index = 0
        Stream._count += 1

    @property
    def device(self):
        import torch
        return torch.device("cuda", 0)

    @property
    def _as_parameter_(self):
        import ctypes
        return ctypes.c_void_p(self.cuda_stream)

    @staticmethod
    def priority_range():
        return (0, -5)

    def synchronize(self):
        pass

    def query(self):
        return True

    def wait_stream(self, stream):
        pass

    def wait_event(self, event):
        pass

    def record_event(self, event=None):
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self):
        streams.enter(self)
        return self

    def __exit__(self, *_error):
        streams.leave()

    def __eq__(self, other):
        return isinstance(other, Stream) and other.stream_id == self.stream_id

    def __hash__(self):
        return hash(self.stream_id)


class ExternalStream(Stream):
    def __init__(self, stream_ptr, device=None, **named):
        super().__init__(device, stream_ptr=stream_ptr, **named)


class Event:
    """A point in a stream's work, with the host's time when timing is asked for."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False, device=None):
        self._hasTiming = enable_timing
        self._recordedNs = None
        self.cuda_event = 0
        self.event_id = 0

    @property
    def device(self):
        import torch
        return torch.device("cuda", 0)

    def record(self, stream=None):
        self._recordedNs = _now()

    def wait(self, stream=None):
        pass

    def query(self):
        return True

    def synchronize(self):
        pass

    def elapsed_time(self, end_event):
        """Milliseconds between the two records."""
        if not (self._hasTiming and end_event._hasTiming):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._recordedNs is None or end_event._recordedNs is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return max(end_event._recordedNs - self._recordedNs, 0) / 1e6

    def ipc_handle(self):
        raise NeedsGpu("Sharing an event between processes needs a GPU.")


class StreamContext:
    """torch.cuda.stream(s): makes s current inside the block; None changes nothing."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        streams.enter(self.stream if self.stream is not None else streams.current())

    def __exit__(self, *_error):
        streams.leave()


class DeviceContext:
    """torch.cuda.device(i): there is one device."""

    def __init__(self, device=None):
        self.idx = 0

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass


class _Streams:
    def __init__(self):
        self.default = Stream()
        self._stack = [self.default]

    def current(self, _device=None):
        return self._stack[-1]

    def set(self, stream):
        if stream is not None:
            self._stack[-1] = stream

    def enter(self, stream):
        self._stack.append(stream)

    def leave(self):
        if len(self._stack) > 1:
            self._stack.pop()


streams = _Streams()


def needsGpu(what):
    """A function or constructor that says that it needs a GPU whenever it is called."""

    class Refused:
        def __new__(cls, *_arguments, **_named):
            raise NeedsGpu(f"{what} needs a GPU.")

    Refused.__name__ = Refused.__qualname__ = what.rpartition(".")[2]
    return Refused
