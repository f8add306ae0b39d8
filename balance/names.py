"""Names of scenarios, variants and policies on their way out, one function per place they reach."""

import hashlib
import re

__all__ = ["cell", "file_name", "terminal"]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
LIKE_A_DIGEST = re.compile(r"(^|-)[0-9a-f]{16}$")
DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))}


def terminal(name: str) -> str:
    """A name for a terminal: rich's markup is escaped, control characters are shown."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name))


def cell(name: str) -> str:
    """A name for a CSV or spreadsheet cell: never a formula."""
    return "'" + name if name.startswith(FORMULA_STARTS) else name


def file_name(name: str) -> str:
    """A safe file name that two different names never share."""
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-").lower()[:40].strip("-")
    if name and safe == name and not LIKE_A_DIGEST.search(name) and name not in DEVICES:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{safe}-{digest}" if safe else digest
