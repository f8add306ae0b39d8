"""Names of scenarios, variants and policies on their way out, one function per place they reach."""

import hashlib
import re

__all__ = ["cell", "file_name", "terminal"]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def terminal(name: str) -> str:
    """A name for a terminal: rich's markup is escaped, control characters are shown."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name))


def cell(name: str) -> str:
    """A name for a CSV or spreadsheet cell: never a formula."""
    return "'" + name if name.startswith(FORMULA_STARTS) else name


def file_name(name: str) -> str:
    """A safe file name that two different names never share."""
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-").lower()[:40]
    if safe == name:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{safe}-{digest}" if safe else digest
