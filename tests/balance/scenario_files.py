"""Scenario files in a folder of their own, for the tests that load them."""

from pathlib import Path

import pytest

from balance.errors import InputError
from balance.scenario import Override, Scenario, load_scenario

BASE = """\
game: burgle
rules: {tools: []}
policies: {all: {name: simple}}
"""
SHIPPED = Path(__file__).parents[2] / "scenarios" / "burgle" / "advanced_missions.yaml"


class Files:
    """Scenario files in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, text: str, name: str = "s.yaml") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def load(self, text: str, *sets: str) -> Scenario:
        return load_scenario(self.write(text), [Override.from_set(one) for one in sets])

    def fault(self, text: str, *sets: str) -> str:
        """The message, with the folder's own path left out."""
        with pytest.raises(InputError) as caught:
            self.load(text, *sets)
        message = str(caught.value)
        assert len(message.splitlines()) == 1
        return message.replace(f"{self.folder}/", "")
