"""Values as options write them: ranges, lists, words, and a path alone."""

from typing import Any

import pytest

from balance.axes import Axis, parse_axis
from balance.errors import InputError
from balance.scenario import Variant
from tests.balance.scenario_files import BASE, Files

COIN = "game: coin\n"
FORM = "write a range like rules.stealth=1:4 or 0:0.5:0.1, or a list like [1, 2, 4]"


@pytest.fixture
def coin(files: Files, coin_game: None) -> Variant:
    """chance is a real number, trials and bonus are whole, flag is a bool."""
    return files.load(COIN).variants[0]


@pytest.fixture
def burgle(files: Files) -> Variant:
    return files.load(BASE).variants[0]


def same(values: tuple[Any, ...], wanted: list[Any]) -> bool:
    """Whether they are the same values of the same types: 1 is not 1.0, nor true."""
    return [(type(v), v) for v in values] == [(type(v), v) for v in wanted]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("rules.trials=1:4", [1, 2, 3, 4]),
        ("rules.trials=3:3", [3]),
        ("rules.trials=1:10:3", [1, 4, 7, 10]),
        ("rules.trials=1:9:3", [1, 4, 7]),
        ("rules.trials=1:2:5", [1]),
        ("rules.bonus=-2:2", [-2, -1, 0, 1, 2]),
        ("rules.bonus=-5:-1:2", [-5, -3, -1]),
        (" rules.bonus = -1 : 1 ", [-1, 0, 1]),
        ("rules.key=1e3:1_003", [1000, 1001, 1002, 1003]),
        ("rules.key=1e6:3_000_000:1e6", [1_000_000, 2_000_000, 3_000_000]),
        ("rules.trials=1.0:3.0:1.0", [1, 2, 3]),
    ],
)
def test_a_range_of_whole_numbers_goes_by_whole_steps(
    coin: Variant, text: str, values: list[int]
) -> None:
    axis = parse_axis(text, coin)
    assert same(axis.values, values)
    assert (axis.is_range, axis.whole, axis.numeric) == (True, True, True)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("rules.chance=0:1", [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
        ("rules.chance=0.2:0.3", [0.2, 0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28, 0.29, 0.3]),
        ("rules.chance=0:1:0.25", [0.0, 0.25, 0.5, 0.75, 1.0]),
        ("rules.chance=0:0.3:0.1", [0.0, 0.1, 0.2, 0.3]),  # 3 * 0.1 is not 0.3
        ("rules.chance=0.1:0.7:0.2", [0.1, 0.3, 0.5, 0.7]),
        ("rules.chance=0:1:1", [0.0, 1.0]),
        ("rules.chance=0.5:0.5", [0.5]),
        ("rules.chance=-0.5:.5:5e-1", [-0.5, 0.0, 0.5]),
        ("rules.trials=1:2:0.5", [1.0, 1.5, 2.0]),  # the rules refuse 1.5, not the axis
    ],
)
def test_a_range_of_real_numbers_goes_by_its_step_or_by_tenths(
    coin: Variant, text: str, values: list[float]
) -> None:
    axis = parse_axis(text, coin)
    assert same(axis.values, values)
    assert (axis.is_range, axis.whole, axis.numeric) == (True, False, True)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("rules.trials=[4, 1, 2]", [4, 1, 2]),
        ("rules.trials=4,1,2", [4, 1, 2]),
        ("rules.trials= 4 , 1 ", [4, 1]),
        ("rules.trials=7", [7]),
        ("rules.bonus=-3", [-3]),
        ("rules.bonus=[-3, -1]", [-3, -1]),
        ("rules.key=[1_000, 7]", [1000, 7]),
    ],
)
def test_a_list_is_taken_in_its_order(coin: Variant, text: str, values: list[int]) -> None:
    axis = parse_axis(text, coin)
    assert same(axis.values, values)
    assert (axis.is_range, axis.whole, axis.numeric) == (False, True, True)


@pytest.mark.parametrize(
    ("text", "values", "numeric"),
    [
        ("rules.chance=[0, 0.5]", [0, 0.5], True),
        ("rules.key=[1e3, 7]", [1000.0, 7], True),
        ("rules.flag=[false, true]", [False, True], False),
        ("rules.flag=true", [True], False),
        ("policies.all.name=simple,expert", ["simple", "expert"], False),
        ("rules.stealth_cap=[null, 3]", [None, 3], False),
        ("rules.tools=[[], [emp, donuts]]", [[], ["emp", "donuts"]], False),
        ("rules.crack=[{flush: 4}, {straight_flush: 3}]", [{"flush": 4}, {"straight_flush": 3}], 0),
        ("rules.crack={flush: 4}", [{"flush": 4}], False),
        ('rules.flag=["1", 1]', ["1", 1], False),
    ],
)
def test_values_may_be_words_and_anything_else(
    coin: Variant, text: str, values: list[Any], numeric: bool
) -> None:
    axis = parse_axis(text, coin)
    assert same(axis.values, values)
    assert (axis.is_range, axis.whole, axis.numeric) == (False, False, numeric)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("rules.trials", list(range(1, 41))),
        ("rules.bonus", list(range(-5, 6))),
        ("rules.chance", [place / 10 for place in range(11)]),
    ],
)
def test_a_path_alone_goes_from_the_lowest_to_the_highest_that_is_allowed(
    coin: Variant, path: str, values: list[Any]
) -> None:
    axis = parse_axis(path, coin)
    assert axis.path == path
    assert same(axis.values, values)
    assert axis.is_range


def test_a_bool_alone_is_false_and_true(coin: Variant) -> None:
    assert parse_axis("rules.flag", coin) == Axis("rules.flag", (False, True), False)


def test_the_field_of_a_policy_has_bounds_as_well(burgle: Variant) -> None:
    axis = parse_axis("policies.all.mistakes", burgle)
    assert same(axis.values, [place / 10 for place in range(11)])


def test_a_switch_that_is_off_has_the_bounds_of_its_numbers(burgle: Variant) -> None:
    assert same(parse_axis("rules.stealth_cap", burgle).values, list(range(100)))


def test_as_many_points_as_are_allowed_are_allowed(coin: Variant) -> None:
    assert len(parse_axis("rules.key=1:1000", coin).values) == 1000
    assert len(parse_axis(f"rules.key={','.join(map(str, range(1000)))}", coin).values) == 1000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules.trials=4:1", "rules.trials=4:1: the range goes down; write 1:4"),
        ("rules.bonus=1:-1", "rules.bonus=1:-1: the range goes down; write -1:1"),
        ("rules.trials=1:4:0", "rules.trials=1:4:0: the step must be more than 0 (got 0)"),
        ("rules.trials=1:4:-1", "rules.trials=1:4:-1: the step must be more than 0 (got -1)"),
        ("rules.trials=4:1:-1", "rules.trials=4:1:-1: the range goes down; write 1:4"),
        ("rules.key=1:1001", "rules.key=1:1001: 1,001 values are too many; 1,000 at most"),
        (
            "rules.chance=0:1:1e-6",
            "rules.chance=0:1:1e-6: 1,000,001 values are too many; 1,000 at most",
        ),
        ("rules.trials=[1, 2, 1]", "rules.trials=[1, 2, 1]: one value stands there twice"),
        ("rules.trials=2,2", "rules.trials=2,2: one value stands there twice"),
        ("rules.trials=[1, 1.0]", "rules.trials=[1, 1.0]: one value stands there twice"),
        ("rules.trials=[]", f"rules.trials=[]: {FORM}"),
        ("rules.trials=", f"rules.trials=: {FORM}"),
        ("=1:3", f"=1:3: must begin with rules. or policies.; {FORM}"),
        ("", f"must begin with rules. or policies.; {FORM}"),
        ("stealth=1:3", f"stealth=1:3: must begin with rules. or policies.; {FORM}"),
        ("rules.trials=a:b", f"rules.trials=a:b: {FORM}"),
        ("rules.trials=1:x", f"rules.trials=1:x: {FORM}"),
        ("rules.trials=1:true", f"rules.trials=1:true: {FORM}"),
        ("rules.trials=1:2:null", f"rules.trials=1:2:null: {FORM}"),
        ("rules.chance=0:.nan", f"rules.chance=0:.nan: {FORM}"),
        ("rules.chance=0:1e400:1", f"rules.chance=0:1e400:1: {FORM}"),
        ("rules.key=1:1\n:0", "rules.key=1:1 :0: the step must be more than 0 (got 0)"),
    ],
)
def test_what_is_no_axis_is_told_in_one_line(coin: Variant, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_axis(text, coin)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        f"rules.key=1:{'9' * 399}",
        "rules.key=0:1e300",
        "rules.chance=0:1:1e-320",
        f"rules.key={','.join(map(str, range(1001)))}",
        "rules.max_rounds",  # of burgle: 1 .. 10,000
        "rules.trials=[1, 2",
        "rules.trials={a: 1",
        "rules.trials=[1]]",
        "rules.trials=!!int 3",
        "rules.trials=\x00",
        "rules.guard_value",
        "rules.tools",
        "rules.nothing",
        "trials",
    ],
)
def test_nothing_ends_in_more_than_a_line(coin: Variant, burgle: Variant, text: str) -> None:
    variant = burgle if "max_rounds" in text else coin
    with pytest.raises(InputError) as caught:
        parse_axis(text, variant)
    assert len(str(caught.value).splitlines()) == 1
    assert str(caught.value).startswith(text.partition("=")[0])
