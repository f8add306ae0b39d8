"""The end (V19-V21): the last break, revealing, who wins, and games that get nowhere."""

from typing import Any

import numpy as np
import pytest

from balance.games.vault import VAULT, ExpertPolicy, SimplePolicy, VaultRules
from kernels.vault import layout
from tests.vault_tables import Table, card

NO, YES = 0, 1


@pytest.mark.rule("V19")
@pytest.mark.parametrize("thresholds", [[1], [1, 1], [1, 1, 1, 1]])
def test_the_game_ends_with_the_last_break(thresholds: list[int]) -> None:
    table = Table(thresholds=thresholds)
    table.tokens(0, stealth=9)
    for left in range(len(thresholds), 0, -1):
        assert (table.over, left) == (None, left)
        table.break_in({0: 1})
    assert table.over == "breaks"
    assert table.counted("breaks") == len(thresholds)


@pytest.mark.rule("V19")
def test_a_failure_at_the_last_threshold_ends_nothing() -> None:
    table = Table(thresholds=[1, 300])
    table.tokens(0, stealth=9)
    table.break_in({0: 1})
    table.break_in({0: 1})
    assert table.over is None


@pytest.mark.rule("V19")
@pytest.mark.parametrize(
    ("rules", "vp", "over"),
    [
        ({}, 19, None),
        ({}, 20, "reveal"),
        ({}, 21, "reveal"),
        ({"reveal_at": 7}, 6, None),
        ({"reveal_at": 7}, 7, "reveal"),
    ],
)
@pytest.mark.parametrize("seat", range(4))
def test_any_seat_with_enough_vp_may_reveal_it_as_a_turn_starts(
    rules: dict[str, int], vp: int, over: str | None, seat: int
) -> None:
    table = Table(SimplePolicy(), **rules)
    table.loot(seat, vp - 1, 1)
    table.deck("2D")
    table.start_turn(1)
    assert table.over == over
    assert table.told_of("reveal") == ([{"seat": seat + 1, "vp": vp}] if over else [])
    assert table.in_deck() == ([] if over is None else ["2D"])


@pytest.mark.rule("V19")
def test_a_seat_that_must_skip_is_asked_before_its_turn_is_lost() -> None:
    table = Table(SimplePolicy())
    table.loot(0, 20)
    table.state.skips[0] = 1
    table.start_turn()
    assert table.kinds() == ["turn", "reveal"]


@pytest.mark.rule("V19")
def test_revealing_is_a_choice() -> None:
    for answer, over in ((NO, None), (YES, "reveal")):
        table = Table()
        table.loot(2, 20)
        table.says(2, answer)
        table.start_turn()
        assert table.over == over


@pytest.mark.rule("V19")
def test_seats_are_asked_clockwise_from_the_seat_whose_turn_it_is() -> None:
    for turn, first in ((0, 1), (1, 1), (2, 3), (3, 1)):
        table = Table(SimplePolicy())
        table.loot(1, 20)
        table.loot(3, 25) if turn in (0, 2) else None
        table.start_turn(turn)
        assert table.told_of("reveal")[0]["seat"] == first + 1


@pytest.mark.rule("V19")
@pytest.mark.parametrize("gets", range(3))
def test_seats_are_asked_after_a_break_that_gives_loot(gets: int) -> None:
    table = Table()
    table.tokens(0, stealth=3)
    table.loot(gets, 16)
    table.vault(4, 5)
    table.dice(6, 5, 4)
    table.says(gets, YES)
    table.break_in({0: 3}, [gets])
    assert table.kinds() == ["break", "roll", "broken", "reveal"]
    assert table.over == "reveal"


@pytest.mark.rule("V19", "V16")
def test_after_a_break_of_an_empty_vault_nobody_is_asked() -> None:
    table = Table()
    table.tokens(0, stealth=3)
    table.loot(0, 20)
    table.dice(6, 5, 4)
    table.says(0, YES)
    table.break_in({0: 3})
    assert table.over is None
    assert table.state.coins[0] == 0


@pytest.mark.rule("V19", "V21")
def test_a_last_break_that_also_gives_enough_vp_ends_the_game_by_breaks() -> None:
    table = Table(SimplePolicy(), thresholds=[1])
    table.tokens(0, stealth=1)
    table.vault(25)
    table.break_in({0: 1}, [0])
    assert table.over == "breaks"
    assert "reveal" not in table.kinds()


@pytest.mark.rule("V19", "E3")
@pytest.mark.parametrize(("effect", "vp"), [("steal_loot", 24), ("swap_loot", 20)])
def test_seats_are_asked_after_a_card_that_moves_loot(effect: str, vp: int) -> None:
    table = Table(actions=[card(effect, target="left")])
    table.holds(0, action=effect)
    table.loot(0, 4, 15)
    table.loot(1, 5)
    table.picks(1, (0, 2 if effect == "swap_loot" else 1), (0, 1))
    table.says(0, YES)
    table.act()
    assert table.told_of("reveal") == [{"seat": 1, "vp": vp}]
    assert table.over == "reveal"


@pytest.mark.rule("V19", "V17")
def test_seats_are_asked_after_loot_is_lost_and_the_others_are_then_not_hit() -> None:
    table = Table(thresholds=[300], failure_hits="everyone")
    for seat in range(3):
        table.tokens(seat, stealth=1)
        table.loot(seat, 20, 20)
    table.dies(layout.ONE_LOOT)
    table.says(0, NO)
    table.says(1, YES)
    table.break_in({0: 1, 1: 1, 2: 1})
    assert table.kinds()[-2:] == ["hit", "reveal"]
    assert [len(table.looted(seat)) for seat in range(3)] == [1, 2, 2]


@pytest.mark.rule("V20")
@pytest.mark.parametrize(
    ("vp", "shares"),
    [
        ((5, 9, 3, 8), (0, 60, 0, 0)),
        ((9, 9, 3, 8), (30, 30, 0, 0)),
        ((9, 1, 9, 9), (20, 0, 20, 20)),
        ((0, 0, 0, 0), (15, 15, 15, 15)),
        ((2, 2, 2, 2, 2), (12,) * 5),
        ((1,) * 6, (10,) * 6),
    ],
)
def test_most_vp_wins_and_equal_vp_share_the_win(
    vp: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    table = Table(players=len(vp))
    for seat, value in enumerate(vp):
        table.loot(seat, value)
    outcome = table.finish()
    assert tuple(outcome[f"win_share.{seat + 1}"] for seat in range(len(vp))) == shares
    assert tuple(outcome[f"vp.{seat + 1}"] for seat in range(len(vp))) == vp
    assert [outcome[f"loot.{seat + 1}"] for seat in range(len(vp))] == [1] * len(vp)


@pytest.mark.rule("V20")
def test_the_number_of_loot_cards_does_not_break_a_tie() -> None:
    table = Table(players=2)
    table.loot(0, 1, 1, 4)
    table.loot(1, 6)
    outcome = table.finish()
    assert (outcome["win_share.1"], outcome["win_share.2"]) == (30, 30)
    assert (outcome["loot.1"], outcome["loot.2"]) == (3, 1)


@pytest.mark.rule("V20")
def test_who_reveals_wins_only_with_most_vp() -> None:
    table = Table(players=2)
    table.loot(0, 20)
    table.loot(1, 25)
    table.says(0, YES)
    table.start_turn()
    assert table.over == "reveal"
    assert table.finish()["win_share.2"] == 60


@pytest.mark.rule("V21")
@pytest.mark.parametrize("turns", [1, 2, 7])
def test_a_game_over_the_turn_limit_is_stopped_scored_and_stalled(turns: int) -> None:
    table = Table(SimplePolicy(), max_turns=turns)
    table.loot(2, 5)
    table.play(layout.TURN_START, layout.OVER)
    assert table.over == "stalled"
    outcome = table.finish()
    assert (outcome["stalled"], outcome["turns"], outcome["win_share.3"]) == (1, turns, 60)


@pytest.mark.rule("V21")
def test_a_skipped_turn_may_be_the_last() -> None:
    table = Table(SimplePolicy(), max_turns=1)
    table.state.skips[0] = 1
    table.start_turn()
    assert table.over == "stalled"


@pytest.mark.rule("V21", "V19")
def test_a_break_in_the_last_turn_ends_the_game_by_breaks() -> None:
    table = Table(SimplePolicy(), max_turns=1, thresholds=[1], first_break_needs_partner=False)
    table.tokens(0, stealth=1)
    table.choose()
    assert table.over == "breaks"
    assert table.finish()["stalled"] == 0


@pytest.mark.rule("V21")
def test_four_hundred_turns_are_the_default_limit() -> None:
    packed = VAULT.pack(VaultRules(tokens_each=0), [SimplePolicy()] * 4)
    outcome = np.zeros((3, len(VAULT.columns)), np.int32)
    packed.play(1, 0, outcome)
    names = [column.name for column in VAULT.columns]
    assert outcome[:, names.index("turns")].tolist() == [400] * 3
    assert outcome[:, names.index("stalled")].tolist() == [1] * 3


def stalls(**rules: Any) -> float:
    packed = VAULT.pack(VaultRules(loot={0: 18}, **rules), [SimplePolicy()] * 4)
    outcome = np.zeros((300, len(VAULT.columns)), np.int32)
    packed.play(5, 0, outcome)
    names = [column.name for column in VAULT.columns]
    return float(outcome[:, names.index("stalled")].mean())


@pytest.mark.rule("V21", "V12")
def test_with_six_dice_for_the_whole_table_most_games_get_nowhere() -> None:
    assert stalls(dice_limit="table") > 0.9
    assert stalls(dice_limit="player") < 0.1


@pytest.mark.rule("V19")
def test_the_expert_reveals_when_it_is_ahead_by_its_knob() -> None:
    """It takes the two loot cards of the strongest other seat for average ones."""
    for lead, over in ((13.8, "reveal"), (13.9, None)):
        table = Table([ExpertPolicy(reveal_lead=lead), *[SimplePolicy()] * 3], loot={1: 9, 6: 9})
        table.loot(0, 6, 6, 6, 2)
        table.loot(1, 1, 1)
        table.start_turn()
        mean = (9 * 7 - 20) / (18 - 4)
        assert (20 - 2 * mean >= lead) is (over is not None)
        assert table.over == over
