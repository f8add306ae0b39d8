"""Settings of all tests."""

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from balance.games import load_game

# The machine may be busy and the kernels may have to compile: time says nothing about a test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")

FIRST_GAMES: dict[str, dict[str, Any]] = {"burgle": {"tools": []}, "vault": {}, "bank": {}}


@pytest.fixture(scope="session", autouse=True)
def compiled_kernels(request: pytest.FixtureRequest) -> None:
    """Compile the games before the first test, so that no test meets the first use by chance.

    A game is left out where no test that was asked for names it.
    """
    asked = {item.path.name for item in request.session.items}
    named = [name for name in FIRST_GAMES if any(name in file for file in asked)]
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":  # two workers: each compiles other games
        named.reverse()
    for name in named or ["burgle"]:
        game = load_game(name)
        rules = game.rules(**FIRST_GAMES[name])
        packed = game.pack(rules, [game.policies["simple"]()] * game.seats(rules))
        packed.play(0, 0, np.zeros((1, len(game.columns)), np.int32))
