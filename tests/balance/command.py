"""The command, run in this process: what it printed and how it ended."""

import json
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from balance import cli


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        def refuse(word: str) -> Any:
            raise AssertionError(f"{word} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


class Balance:
    """Runs the command in this process."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.patch = patch
        self.capture = capture

    def __call__(self, *words: object) -> Done:
        self.patch.setattr(sys, "argv", ["balance", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = self.capture.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, out, err)

    def fault(self, *words: object) -> str:
        """What a command with bad input says: one line on stderr and nothing else."""
        done = self(*words)
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith("balance: ")
        assert len(done.err.splitlines()) == 1
        return done.err.removeprefix("balance: ").rstrip("\n")
