"""The policies that the package ships as files beside the games."""

from importlib import resources
from typing import Any

from balance.yaml_text import parse_yaml

__all__ = ["shipped"]


def shipped(name: str) -> dict[str, Any]:
    """What a shipped policy file says, such as `burgle_expert`."""
    file = resources.files("balance.games").joinpath(f"{name}.yaml")
    return dict(parse_yaml(file.read_text(encoding="utf-8"), str(file)).value)
