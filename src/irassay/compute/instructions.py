"""Instructions for kernels: LLVM's, or with `IRASSAY_PLAIN=1` the same in plain Python."""

from irassay.compute.kernel import PLAIN

if PLAIN:
    from irassay.compute.plain import (
        between64,
        byte_swapped,
        load64,
        load_item,
        many_arrays,
        prefetch,
        trailing_zeros,
    )
else:
    from irassay.compute.intrinsics import (
        between64,
        byte_swapped,
        load64,
        load_item,
        many_arrays,
        prefetch,
        trailing_zeros,
    )

__all__ = [
    "between64",
    "byte_swapped",
    "load64",
    "load_item",
    "many_arrays",
    "prefetch",
    "trailing_zeros",
]
