"""The games' rules and policies as compiled loops over NumPy arrays.

This package imports numba and numpy only: no YAML, no pandas, no files but the compiler's own
cache, no printing. Importing it decides where compiled code is cached, before anything is
compiled; each game is a subpackage that is imported only when it is asked for.
"""

from kernels.jit import use_cache_folder

use_cache_folder()
