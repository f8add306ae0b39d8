"""The knobs of `expert`: one list in YAML, names and kernel, and every one of them matters."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import BURGLE, TOOLS, BurgleRules, ExpertPolicy
from balance.games.burgle_expert import KNOBS, TOOL_WORTH
from balance.games.shipped import shipped
from kernels.burgle import knobs, layout

SEED = 7
ROLLOUTS = 300
CHUNKS = 4  # of so many rollouts, tried one after the other
CHANGES = (-1000.0, 1000.0)
WHOLE: dict[str, dict[str, Any]] = {
    "whole": {"characters": "random", "stealth": 2},
    "with the Van": {"characters": "random", "stealth": 1, "players": 3},
    "straights": {
        "characters": "random",
        "stealth": 3,
        "crack": {"straight_flush": 4},
        "burn": 2,
    },
    "short": {"characters": "random", "stealth": 0, "crack": {"flush": 4}},
}


def test_the_named_knobs_are_the_kernels_constants_in_the_same_places() -> None:
    places = [getattr(knobs, name.upper()) for name in KNOBS]
    assert places == list(range(len(KNOBS)))
    assert len(KNOBS) <= layout.KNOBS


def test_the_kernel_has_no_knob_without_a_name() -> None:
    constants = {name for name in vars(knobs) if name.isupper()}
    assert constants - {"TOOL_WORTH"} == {name.upper() for name in KNOBS}


def test_the_worths_of_tools_stand_in_the_order_of_the_tools() -> None:
    assert list(TOOL_WORTH) == [f"worth_{tool}" for tool in TOOLS]
    assert list(KNOBS).index("worth_crowbar") == knobs.TOOL_WORTH


def test_the_shipped_file_names_exactly_the_knobs_in_their_order() -> None:
    found = shipped("burgle_expert")
    assert list(found) == ["name", *KNOBS]
    assert found["name"] == "expert"
    assert all(getattr(ExpertPolicy(), name) == found[name] for name in KNOBS)


@cache
def outcomes(variant: str, chunk: int, knob: str = "", value: float = 0.0) -> Any:
    policy = ExpertPolicy(**({knob: value} if knob else {}))
    found = np.zeros((ROLLOUTS, len(BURGLE.columns)), np.int32)
    packed = BURGLE.pack(BurgleRules(**WHOLE[variant]), [policy] * 4)
    packed.play(SEED, chunk * ROLLOUTS, found)
    return found


@pytest.mark.parametrize("knob", KNOBS)
def test_every_knob_changes_some_game(knob: str) -> None:
    shipped = getattr(ExpertPolicy(), knob)
    tries = (
        (variant, chunk, shipped + change)
        for chunk in range(CHUNKS)
        for change in CHANGES
        for variant in WHOLE
    )
    assert any(
        not np.array_equal(outcomes(variant, chunk, knob, value), outcomes(variant, chunk))
        for variant, chunk, value in tries
    )
