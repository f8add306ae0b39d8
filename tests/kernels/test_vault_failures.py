"""A failed break (V17): the failure die, whom it hits, and what is lost."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from balance.games.vault import SimplePolicy
from kernels.vault import hand, layout
from tests.vault_tables import Table

HAND = ("2D", "KC", "9H", "5S")


def failing(die: int, **rules: Any) -> Table:
    """A table whose next break fails with this failure die."""
    table = Table(**{"thresholds": [300, 300], **rules})
    for seat in range(table.model.players):
        table.tokens(seat, stealth=2, brawn=1)
        table.hand(seat, *HAND)
        table.loot(seat, 1 + seat, 3)
    table.dies(die)
    return table


def broken_in(die: int, parts: dict[int, int] | None = None, **rules: Any) -> Table:
    table = failing(die, **rules)
    table.break_in(parts or {0: 1})
    return table


@pytest.mark.rule("V17")
@pytest.mark.parametrize("die", range(1, 7))
def test_a_failed_break_rolls_one_failure_die_which_is_counted(die: int) -> None:
    table = broken_in(die)
    (line,) = table.told_of("failed")
    assert line["die"] == die
    assert line["total"] == table.told_of("roll")[0]["total"]
    assert [table.counted(f"failures.{n}") for n in range(1, 7)] == [n == die for n in range(1, 7)]


@pytest.mark.rule("V17")
def test_a_success_rolls_no_failure_die() -> None:
    table = Table()
    table.tokens(0, stealth=3)
    table.dice(6, 5, 4)
    table.break_in({0: 3})
    assert "failed" not in table.kinds()
    assert sum(table.counted(f"failures.{n}") for n in range(1, 7)) == 0


@pytest.mark.rule("V17")
def test_1_the_next_turn_is_skipped() -> None:
    table = broken_in(layout.SKIP)
    assert table.told_of("hit") == [{"seat": 1, "die": 1}]
    assert table.skippers() == [0]
    assert table.in_hand(0) == ["2D", "KC", "9H", "5S"]
    assert table.looted(0) == [1, 3]


@pytest.mark.rule("V17")
def test_a_skipped_turn_is_lost_as_a_whole_and_counts() -> None:
    table = Table(SimplePolicy())
    table.deck("2D", "3D", "4D", "5D")
    table.hand(0, "KS")
    table.state.skips[0] = 1
    table.start_turn()
    assert table.kinds() == ["turn", "skipped"]
    assert table.in_hand(0) == ["KS"]
    assert len(table.in_deck()) == 4
    assert (int(table.state.turn), int(table.state.seat)) == (1, 1)
    assert table.skippers() == []
    assert table.finish()["turns"] == 1


@pytest.mark.rule("V17")
def test_the_turn_after_a_skipped_one_is_played() -> None:
    table = Table(SimplePolicy(), players=2, max_turns=3)
    table.deck(*["2D"] * 20)
    table.state.skips[0] = 1
    table.play(layout.TURN_START, layout.OVER)
    turns = [kind for kind in table.kinds() if kind in ("turn", "skipped", "pass")]
    assert turns == ["turn", "skipped", "turn", "pass", "turn", "pass"]


@pytest.mark.rule("V17")
def test_two_hits_before_the_next_turn_cost_one_turn() -> None:
    table = failing(layout.SKIP)
    table.state.skips[0] = 1
    table.break_in({0: 1})
    assert int(table.state.skips[0]) == 1
    table.start_turn()
    assert table.kinds()[-1] == "skipped"
    assert table.skippers() == []


@pytest.mark.rule("V17")
@pytest.mark.parametrize("pick", range(4))
def test_2_one_random_training_card_goes_under_the_deck(pick: int) -> None:
    table = failing(layout.ONE_CARD)
    table.deck("AC")
    table.picks(0, (pick, 4))
    table.break_in({0: 1})
    lost = HAND[pick]
    assert table.told_of("hit") == [{"seat": 1, "die": 2, "cards": [lost]}]
    assert table.in_deck() == ["AC", lost]
    assert table.in_hand(0) == [name for name in HAND if name != lost]


@pytest.mark.rule("V17")
def test_each_card_of_a_hand_is_picked_equally_often() -> None:
    """n = 1600 failures, every one of four cards within four standard errors of 1/4."""
    n = 1600
    found: Counter[str] = Counter()
    table = Table()
    table.hand(0, *HAND)
    for times in range(n):
        hand.lose_cards(np.uint64(times), table.state, 0, 1, table.events[0])
        (lost,) = table.in_deck()
        table.deck()
        table.hand(0, lost)
        found[lost] += 1
    error = (n * (1 / 4) * (3 / 4)) ** 0.5
    assert set(found) == set(HAND)
    assert all(abs(times - n / 4) < 4 * error for times in found.values())


@pytest.mark.rule("V17")
@pytest.mark.parametrize("picks", [(0, 0, 0, 0), (3, 2, 1, 0), (1, 2, 0, 0)])
def test_3_all_training_cards_go_under_the_deck_in_random_order(picks: tuple[int, ...]) -> None:
    table = failing(layout.ALL_CARDS)
    table.deck("AC")
    table.picks(0, *zip(picks, (4, 3, 2, 1), strict=True))
    table.break_in({0: 1})
    left, lost = list(HAND), []
    for pick in picks:
        lost.append(left.pop(pick))
    assert table.told_of("hit") == [{"seat": 1, "die": 3, "cards": lost}]
    assert table.in_deck() == ["AC", *lost]
    assert table.in_hand(0) == []


@pytest.mark.rule("V17")
def test_4_one_token_of_the_colour_held_most_goes_to_the_supply() -> None:
    table = failing(layout.ONE_TOKEN)
    table.tokens(0, brawn=2, charisma=3)  # 2 stealth, 3 brawn, 3 charisma; one brawn is paid
    table.break_in({0: 1})
    assert table.told_of("hit") == [{"seat": 1, "die": 4, "tokens": ["charisma"]}]
    assert table.purse(0) == {"brawn": 2, "charisma": 2, "stealth": 2}
    assert table.left()["charisma"] == 18
    assert table.counted("tokens_spent") == 1


@pytest.mark.rule("V17")
def test_5_all_tokens_go_to_the_supply() -> None:
    table = failing(layout.ALL_TOKENS)
    table.tokens(0, brawn=1)
    table.break_in({0: 1})
    hit = {"seat": 1, "die": 5, "tokens": ["stealth", "brawn", "stealth"]}
    assert table.told_of("hit") == [hit]
    assert table.purse(0) == {}
    assert table.left()["stealth"] == 20 - 3 * 2
    assert table.counted("tokens_spent") == 1


@pytest.mark.rule("V17")
@pytest.mark.parametrize("pick", [0, 1, 2])
def test_6_a_random_loot_card_leaves_the_game(pick: int) -> None:
    table = failing(layout.ONE_LOOT)
    table.loot(0, 6)
    table.vault(2, 2)
    table.picks(0, (pick, 3))
    table.break_in({0: 1})
    lost = [1, 3, 6][pick]
    assert table.told_of("hit") == [{"seat": 1, "die": 6, "loot": lost}]
    assert table.looted(0) == [value for value in (1, 3, 6) if value != lost]
    assert table.in_vault() == [2, 2]


@pytest.mark.rule("V17")
@pytest.mark.parametrize(
    ("die", "fields"),
    [(2, {"cards": []}), (3, {"cards": []}), (4, {"tokens": []}), (5, {"tokens": []}), (6, {})],
)
def test_who_has_nothing_loses_nothing(die: int, fields: dict[str, Any]) -> None:
    table = Table(thresholds=[300])
    table.tokens(0, stealth=1)
    table.dies(die)
    table.break_in({0: 1})
    assert table.told_of("hit") == [{"seat": 1, "die": die, **fields}]
    assert (table.in_hand(0), table.purse(0), table.looted(0)) == ([], {}, [])


@pytest.mark.rule("V17")
def test_by_default_the_breaker_alone_is_hit() -> None:
    table = broken_in(layout.SKIP, {2: 1, 0: 1, 3: 1})
    assert table.told_of("hit") == [{"seat": 3, "die": 1}]
    assert table.skippers() == [2]


@pytest.mark.rule("V17")
@pytest.mark.parametrize("die", range(1, 7))
def test_where_everyone_is_hit_it_is_all_who_took_part_the_breaker_first_then_clockwise(
    die: int,
) -> None:
    table = broken_in(die, {2: 1, 0: 1, 3: 1}, failure_hits="everyone")
    assert [(line["seat"], line["die"]) for line in table.told_of("hit")] == [
        (3, die),
        (4, die),
        (1, die),
    ]
    assert table.counted(f"failures.{die}") == 1
    assert table.in_hand(1) == ["2D", "KC", "9H", "5S"]
    assert table.purse(1) == {"brawn": 1, "stealth": 2}
    assert table.looted(1) == [2, 3]
    if die == layout.SKIP:
        assert table.skippers() == [0, 2, 3]


@pytest.mark.rule("V17", "V18")
def test_the_dice_are_paid_before_tokens_are_lost() -> None:
    table = broken_in(layout.ALL_TOKENS, {0: 2})
    assert table.told_of("break")[0]["parts"][0]["paid"] == ["stealth", "brawn"]
    assert table.told_of("hit")[0]["tokens"] == ["stealth"]
    assert table.counted("tokens_spent") == 2


@pytest.mark.rule("V17")
def test_the_vault_stays_as_often_broken_as_it_was_and_the_next_seat_plays_on() -> None:
    table = Table(
        [SimplePolicy(break_at=0.0)] * 4, thresholds=[300], first_break_needs_partner=False
    )
    table.tokens(0, stealth=1)
    table.choose()
    assert table.kinds()[:3] == ["break", "roll", "failed"]
    assert (int(table.state.breaks), int(table.state.seat)) == (0, 1)
    assert table.state.phase == layout.TURN_START
