"""Fixtures of these tests."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.balance.command import Balance
from tests.balance.scenario_files import Files


@pytest.fixture
def balance(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Balance]:
    handler = signal.getsignal(signal.SIGTERM)
    monkeypatch.setenv("COLUMNS", "80")
    yield Balance(monkeypatch, capsys)
    signal.signal(signal.SIGTERM, handler)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)
