"""Fixtures of these tests."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from balance import simulate
from tests.balance.command import Balance
from tests.balance.scenario_files import Files
from tests.coin import coin_entry_points


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


@pytest.fixture
def coin_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenario files can play `game: coin` and `game: share_coin`."""
    monkeypatch.setattr("balance.games.registry.entry_points", coin_entry_points)


@pytest.fixture
def quick_coins(coin_game: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins, played in the largest batches at once."""
    monkeypatch.setattr(simulate, "FIRST_BATCH", simulate.LARGEST_BATCH)
