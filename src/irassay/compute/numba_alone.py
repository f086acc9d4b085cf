"""numba imported without what only other programs need of it: a tenth of a start.

The compiled code is the same. Kernels multiply no matrices, so scipy.linalg is not missed; of scipy numba only looks up
the version; yaml reads a file of settings that seldom is there.
"""

import importlib
import os
import sys

from irassay.compute import compilation

NOT_NEEDED = ("scipy", "scipy.linalg", "yaml")


def import_numba() -> None:
    absent = {name: None for name in NOT_NEEDED if name not in sys.modules}
    if os.path.exists(".numba_config.yaml"):
        absent.pop("yaml", None)
    sys.modules.update(absent)  # type: ignore[arg-type]
    try:
        importlib.import_module("numba")
        importlib.import_module("numba.np.arraymath")
    finally:
        for name in absent:
            del sys.modules[name]


if compilation.alone:  # where nobody else's code is compiled: `np.dot` would be missing there
    import_numba()
