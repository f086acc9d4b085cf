"""Where kernels run: on the processor, or on a GPU (`--device cuda`). What comes out is the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

DEVICES = ("cpu", "cuda")
_device: ContextVar[str] = ContextVar("device", default="cpu")


def on_gpu() -> bool:
    """Whether what follows runs on a GPU."""
    return _device.get() == "cuda"


@contextmanager
def using(device: str) -> Iterator[None]:
    """Run what follows on this device; that it is there is found out now, before any work."""
    if device == "cuda":
        from irassay.compute.gpu import cupy

        cupy()
    token = _device.set(device)
    try:
        yield
    finally:
        _device.reset(token)
