"""One measurement in its own process: `python -m benchmarks.probe MODULE:FUNCTION [ARGUMENT...]`.

The function prepares (imports, warm kernels, whatever is not to be timed) and returns the work, a function
without arguments; the work alone is timed. Peak memory is that of the whole process. The answer is one line
of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import time
from importlib import import_module

ENOUGH, MOST = 0.5, 9  # work of milliseconds is repeated, whoever's it is, and its median taken


def main() -> None:
    os.environ["IRASSAY_COMPILE"] = "always"  # work is warmed up on small collections, which need no kernels
    module, _, function = sys.argv[1].partition(":")
    work = getattr(import_module(module), function)(*sys.argv[2:])
    times: list[float] = []
    value: object = None
    while sum(times) < ENOUGH and len(times) < MOST:
        value = None  # one result at a time: peak memory is not to depend on how often there was time for it
        start = time.perf_counter()
        value = work()
        times.append(time.perf_counter() - start)
    seconds = statistics.median(times)
    number = value if isinstance(value, float) else None
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb(resource.RUSAGE_SELF), "value": number}))


def peak_mb(who: int) -> float:
    """Largest resident memory so far; Linux counts it in KiB, macOS in bytes."""
    return megabytes(resource.getrusage(who).ru_maxrss)


def megabytes(maxrss: int) -> float:
    return maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    main()
