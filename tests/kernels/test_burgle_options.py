"""What players can do without: trading, bailing, peeking, tools. Held to it in whole games."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from balance.games.burgle import BURGLE, BurgleRules, ExpertPolicy, RandomPolicy, SimplePolicy
from kernels.burgle import layout
from tests.burgle_tables import Table, key_of

PLAYERS: dict[str, Callable[..., Any]] = {
    "random": RandomPolicy,
    "simple": SimplePolicy,
    "expert": ExpertPolicy,
    "simple, mistakes": partial(SimplePolicy, mistakes=0.3),
    "expert, mistakes": partial(ExpertPolicy, mistakes=0.3),
}
OPTIONS = ("trading", "bailing", "peeking", "using_tools")
TABLES: dict[str, dict[str, Any]] = {
    "four seats": {"characters": "random", "stealth": 4},
    "three and the Van": {"characters": "random", "stealth": 4, "players": 3},
}
EVERYBODY = (1, 2, 3, 4)
SEED = 21
GAMES = 300
TRACES = 40
# what each seat does without where they differ, by table
OWN = {
    "four seats": {1: "trading", 2: "bailing", 3: "peeking", 4: "using_tools"},
    "three and the Van": {1: "trading", 2: "peeking", 3: "bailing"},
}

EVERY_PLAYER = pytest.mark.parametrize("player", PLAYERS)
EVERY_TABLE = pytest.mark.parametrize("table", TABLES)

Event = dict[str, Any]


def seated(player: str, *options: str) -> list[Any]:
    """Four of a player who do without these options."""
    return [PLAYERS[player](**dict.fromkeys(options, False)) for _ in EVERYBODY]


def each_without_its_own(player: str, table: str) -> list[Any]:
    return [PLAYERS[player](**{option: False}) for option in OWN[table].values()]


def outcomes(who: list[Any], table: str, **rules: Any) -> Any:
    """The outcome columns of GAMES games, one row for each."""
    rows = np.zeros((GAMES, layout.COLUMNS), np.int32)
    model = BurgleRules(**{**TABLES[table], **rules})
    BURGLE.pack(model, who[: model.players]).play(SEED, 0, rows)
    return rows


@cache
def told(player: str, table: str, without: str) -> list[list[Event]]:
    """The traces of games without nothing, without each seat's own option, or without all."""
    who = {
        "nothing": seated(player),
        "its own": each_without_its_own(player, table),
        "all": seated(player, *OPTIONS),
    }[without]
    rules = BurgleRules(**TABLES[table], crack={"flush": 3})
    packed = BURGLE.pack(rules, who[: rules.players])
    return [packed.trace(SEED, rollout) for rollout in range(TRACES)]


def seat_without(option: str, table: str) -> int:
    return next(seat for seat, name in OWN[table].items() if name == option)


def events(traces: Iterable[list[Event]], *kinds: str) -> Iterator[Event]:
    return (event for trace in traces for event in trace if event["event"] in kinds)


# all of them


@EVERY_PLAYER
@EVERY_TABLE
def test_with_every_option_on_the_game_is_the_one_without_options(player: str, table: str) -> None:
    on = [PLAYERS[player](**dict.fromkeys(OPTIONS, True)) for _ in EVERYBODY]
    assert (outcomes(on, table) == outcomes(seated(player), table)).all()


@EVERY_PLAYER
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_that_is_off_makes_another_game(player: str, option: str) -> None:
    """But for tools in the hands of `simple`, which uses none but by mistake."""
    off, on = seated(player, option), seated(player)
    easy = {"crack": {"flush": 3}}
    same = bool((outcomes(off, "four seats", **easy) == outcomes(on, "four seats", **easy)).all())
    assert same == ((player, option) == ("simple", "using_tools"))


@EVERY_PLAYER
@EVERY_TABLE
@pytest.mark.parametrize(
    ("option", "rules"),
    [
        ("using_tools", {"tools": []}),
        ("peeking", {"peek_totals": [], "jackpot_total": 62}),
    ],
)
def test_to_do_without_what_the_rules_do_not_have_changes_nothing(
    player: str, table: str, option: str, rules: dict[str, Any]
) -> None:
    off = outcomes(seated(player, option), table, **rules)
    assert (off == outcomes(seated(player), table, **rules)).all()


# trading


def movers(event: Event) -> set[int | str]:
    """Who gives a card in a trade, and so who gets one."""
    return {move["from"] for move in event["moves"]} | {move["to"] for move in event["moves"]}


@EVERY_PLAYER
@EVERY_TABLE
def test_where_nobody_trades_no_card_changes_hands(player: str, table: str) -> None:
    assert outcomes(seated(player, "trading"), table)[:, layout.TRADES].sum() == 0
    assert outcomes(seated(player), table)[:, layout.TRADES].sum() > 100
    assert not list(events(told(player, table, "all"), "trade"))


@pytest.mark.rule("B14")
@pytest.mark.parametrize("player", ["random", "simple", "simple, mistakes"])
@EVERY_TABLE
def test_players_who_never_trade_play_as_if_the_rules_had_no_trade(player: str, table: str) -> None:
    """Game by game; `expert` knows the rules and plays otherwise where nobody may trade."""
    nobody = outcomes(seated(player, "trading"), table)
    assert (nobody == outcomes(seated(player), table, trading=False)).all()


@EVERY_PLAYER
@EVERY_TABLE
def test_a_seat_that_does_not_trade_decides_no_trade(player: str, table: str) -> None:
    """The first seat that may trade decides (B14): had seat 1 given a card, it were seat 1."""
    assert seat_without("trading", table) == 1
    trades = [movers(event) for event in events(told(player, table, "its own"), "trade")]
    assert trades
    assert not any(1 in who for who in trades)
    assert any(1 in movers(event) for event in events(told(player, table, "nothing"), "trade"))


@pytest.mark.rule("B14")
@pytest.mark.parametrize("kind", [SimplePolicy, ExpertPolicy, RandomPolicy])
@pytest.mark.parametrize(("first", "second"), [(False, True), (True, False)])
def test_it_is_the_option_of_the_seat_that_decides(kind: Any, first: bool, second: bool) -> None:
    """Seat 1 (clubs) and seat 2 (diamonds) hold each other's suit; the others are out."""
    traded = 0
    for rollout in range(20):
        table = Table([kind(trading=first), kind(trading=second), kind(), kind()])
        table.key = key_of(2, rollout)
        table.inactive(2, 3)
        table.display(0, "2D")
        table.display(1, "2C")
        table.play(layout.TRADE, layout.PEEK)
        traded += table.counted(layout.TRADES)
    assert (traded > 0) == first


# bailing


def bails(traces: list[list[Event]]) -> Iterator[tuple[int, bool]]:
    """Every bail: the seat, and whether it drew a card in that turn."""
    for trace in traces:
        turn = ("round", "turn", "seat")
        empty = {tuple(event[key] for key in turn) for event in events([trace], "no_card")}
        for event in events([trace], "bail"):
            yield event["seat"], tuple(event[key] for key in turn) not in empty


@pytest.mark.rule("R3")
@EVERY_PLAYER
@EVERY_TABLE
def test_a_seat_that_does_not_bail_leaves_only_where_it_drew_nothing(
    player: str, table: str
) -> None:
    assert not any(drew for _, drew in bails(told(player, table, "all")))
    own = list(bails(told(player, table, "its own")))
    seat = seat_without("bailing", table)
    assert not any(drew for who, drew in own if who == seat)
    assert sum(drew for who, drew in own if who != seat) > 20
    assert any(drew for who, drew in bails(told(player, table, "nothing")) if who == seat)


@pytest.mark.parametrize("bailing", [True, False])
@pytest.mark.parametrize("kind", [SimplePolicy, ExpertPolicy, RandomPolicy])
def test_a_seat_that_drew_nothing_leaves_whether_it_bails_or_not(kind: Any, bailing: bool) -> None:
    """Of 20 tables; one that drew stays at all of them if it does not bail."""
    stayed = 0
    for rollout in range(20):
        table = Table(kind(bailing=bailing))
        table.key = key_of(3, rollout)
        table.inactive(2, 3)
        table.display(0, "9C", "9H")
        table.display(1, "9D", "9S")
        table.deck(0, "8C", "JC")
        table.deck(1, "8D", "JD")
        table.state.drew[1] = 0
        table.play(layout.BAIL, layout.NEXT)
        assert table.state.active[1] == 0
        stayed += int(table.state.active[0])
    assert (stayed == 20) == (not bailing)


# peeking


def discards(event: Event) -> bool:
    """Whether a look at a deck ended with a discard; the Hawk's line names a card if it did."""
    return bool(event.get("discarded"))


@EVERY_PLAYER
@EVERY_TABLE
def test_a_seat_without_peeking_discards_nothing_that_it_sees(player: str, table: str) -> None:
    looks = list(events(told(player, table, "all"), "peek", "hawk", "rook"))
    assert len(looks) > 50
    assert not any(discards(event) or event["event"] == "rook" for event in looks)
    looks = list(events(told(player, table, "its own"), "peek", "hawk", "rook"))
    mine = [event for event in looks if event["seat"] == seat_without("peeking", table)]
    assert len(mine) > 20
    assert not any(discards(event) or event["event"] == "rook" for event in mine)
    assert any(discards(event) for event in looks if event not in mine)


@EVERY_PLAYER
def test_a_seat_that_peeks_discards_some_of_what_it_sees(player: str) -> None:
    traces = [trace for table in TABLES for trace in told(player, table, "nothing")]
    looks = list(events(traces, "peek", "hawk", "rook"))
    kinds = {event["event"] for event in looks if discards(event)}
    # `simple` looks at one card, and at no other seat's deck but by mistake
    wanted = {"peek"} | ({"rook"} if player != "simple" else set())
    wanted |= set() if player.startswith("simple") else {"hawk"}
    assert kinds == wanted


# tools


@EVERY_PLAYER
@EVERY_TABLE
def test_where_nobody_uses_tools_none_is_used(player: str, table: str) -> None:
    easy = {"crack": {"flush": 3}}
    nobody = outcomes(seated(player, "using_tools"), table, **easy)
    assert nobody[:, layout.TOOLS_USED].sum() == 0
    assert nobody[:, layout.USED : layout.USED + layout.TOOLS].sum() == 0
    used = outcomes(seated(player), table, **easy)[:, layout.TOOLS_USED].sum()
    assert (used > 0) == (player != "simple")
    traces = told(player, table, "all")
    assert not list(events(traces, "use"))
    assert list(events(traces, "tool"))


@EVERY_PLAYER
def test_a_seat_keeps_its_tools_while_others_use_theirs(player: str) -> None:
    traces = told(player, "four seats", "its own")
    assert seat_without("using_tools", "four seats") == 4
    assert 4 in {event["seat"] for event in events(traces, "tool")}
    used = {event["seat"] for event in events(traces, "use")}
    assert 4 not in used
    assert bool(used) == (player != "simple")
