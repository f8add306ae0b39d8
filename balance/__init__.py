"""The toolkit: scenario -> kernel arguments -> batches -> tallies -> statistics -> results.

May import kernels and reports, pydantic, ruamel.yaml, numpy, and, where they are used, pandas,
scipy, typer and rich.
"""

from importlib.util import find_spec
from pathlib import Path

__version__ = "0.1.0"


def _check_siblings() -> None:
    """Stop if `kernels` or `reports` would be somebody else's package of the same name."""
    here = Path(__file__).resolve().parent.parent
    for name in ("kernels", "reports"):
        spec = find_spec(name)
        found = Path(spec.origin).resolve().parent if spec and spec.origin else None
        if found != here / name:
            where = found or "nowhere"
            raise ImportError(
                f"heist-balance needs its own package {name!r} in {here}, but Python finds it in "
                f"{where}: install heist-balance in an environment of its own, and start it with "
                "the command `balance`"
            )


_check_siblings()
