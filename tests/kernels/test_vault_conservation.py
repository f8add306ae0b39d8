"""No card and no token is lost or doubled, whatever the rules, the cards and the players."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games.vault import COLUMNS, VAULT, VaultRules
from kernels.vault import layout, play
from tests.oracles import vault_checker
from tests.vault_random import (
    SEATS,
    Played,
    any_rules,
    any_table,
    deck_of,
    hand_of,
    lively_rules,
    loot_of,
    pile_of,
    traced,
)

CARD_PLACES = layout.KING + 1
SHARE = 60
MOST_WASTED = 10  # an ace of 11 where a single point is missing
DECKS = (layout.ACTION, layout.REACTION)

chance = st.integers(0, 2**32).map(Random)
all_rules = st.one_of(chance.map(any_rules), chance.map(lively_rules))
tables = chance.map(any_table)
seeds = st.integers(0, 2**63 - 1)
few = settings(max_examples=40, deadline=None, derandomize=True)


def cards_of(game: Played, deck: int) -> list[int]:
    """The kinds of the cards of the action or the reaction deck."""
    kinds: list[int] = game.rules.card[0, deck, : game.rules.cards[0, deck]].tolist()
    return kinds


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("V2")
def test_after_every_step_each_training_card_is_in_one_place(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 0)
    number = int(game.rules.training_cards[0])
    assert number == 52 * rules.training_decks
    whole = Counter(game.rules.training[0, :number].tolist())
    assert set(whole.values()) == {rules.training_decks}
    for state in game.steps():
        found = Counter(deck_of(state))
        for seat in range(SEATS):
            found.update(hand_of(state, seat))
        assert found == whole


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("V3")
def test_after_every_step_each_token_is_in_one_place(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 1)
    for state in game.steps():
        assert state.supply.min() >= 0
        assert state.token.min() >= 0
        assert (state.supply + state.token.sum(axis=0)).tolist() == [rules.tokens_each] * 4
        assert state.supply.sum() + state.tokens.sum() == 4 * rules.tokens_each
        assert state.tokens.tolist() == state.token.sum(axis=1).tolist()


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("V4")
def test_after_every_step_each_loot_card_is_in_one_place_or_gone_for_good(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 2)
    number = sum(rules.loot.values())
    whole = Counter(rules.loot)
    assert int(game.rules.loot_cards[0]) == number
    gone: Counter[int] = Counter()
    for state in game.steps():
        top = int(state.vault_top)
        assert 0 <= top <= number
        assert top <= rules.loot_per_break * state.breaks
        found = Counter(state.vault[top:number].tolist())
        for seat in range(SEATS):
            held = loot_of(state, seat)
            assert state.vp[seat] == sum(held)
            found.update(held)
        assert found <= whole
        now = whole - found
        assert gone <= now
        assert now.total() <= SEATS * state.count[layout.FAILURES + layout.ONE_LOOT - 1]
        gone = now


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("V5")
def test_after_every_step_each_action_and_reaction_is_in_one_place(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 3)
    for state in game.steps():
        for deck in DECKS:
            held = [int(kind) for kind in state.holds[deck] if kind != layout.NO_CARD]
            assert sorted(pile_of(state, deck) + held) == cards_of(game, deck)


@few
@given(all_rules, tables, seeds)
def test_after_every_step_what_is_kept_of_a_hand_is_true(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 4)
    for state in game.steps():
        for seat in range(SEATS):
            hand = hand_of(state, seat)
            assert state.cards[seat] == len(hand)
            assert seat < rules.players or not hand
            for suit in range(layout.SUITS):
                places = [card % layout.PLACES for card in hand if card // layout.PLACES == suit]
                assert all(place < CARD_PLACES for place in places)
                assert state.ranks[seat][suit] == sum(1 << place for place in {*places})
                values = [place + 1 for place in places if place < layout.VALUES]
                assert state.points[seat][suit] == sum(values)
                assert max(Counter(places).values(), default=0) <= rules.training_decks


@few
@given(all_rules, tables, seeds)
def test_after_every_step_turns_seats_and_flags_are_as_they_must(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 5)
    turn = 0
    for state in game.steps():
        assert turn <= state.turn <= turn + 1
        turn = int(state.turn)
        assert turn <= rules.max_turns
        if state.phase == layout.TURN_START:
            assert state.seat == turn % rules.players
            assert state.breaks < len(rules.thresholds)
        elif turn > 0:
            assert state.seat == (turn - 1) % rules.players
        assert state.breaks == state.count[layout.BREAKS]
        assert set(state.skips.tolist()) <= {0, 1}
        assert 0 <= state.seen.min() <= state.seen.max() <= sum(rules.loot.values())
        for seat in range(rules.players, SEATS):
            assert not state.tokens[seat]
            assert not state.loots[seat]
            assert not state.skips[seat]
            assert state.holds[:, seat].tolist() == [layout.NO_CARD] * 2


@few
@given(all_rules, tables, seeds, st.integers(1, 40))
def test_a_game_taken_up_from_a_copied_state_ends_as_the_original(
    rules: VaultRules, table: list[Any], seed: int, every: int
) -> None:
    game = Played(rules, table, seed, 6)
    copies = []
    for step, state in enumerate(game.steps()):
        if step % every == 0 and state.phase != layout.OVER:
            copies.append(game.states.copy().view(np.recarray))
    for copy in copies:
        game.until(copy, layout.OVER)
        assert copy.tobytes() == game.states.tobytes()


@few
@given(all_rules, tables, seeds)
def test_a_game_played_step_by_step_ends_as_one_of_a_batch(
    rules: VaultRules, table: list[Any], seed: int
) -> None:
    """The batch plays other games before, with the same arrays."""
    game = Played(rules, table, seed, 9)
    for _ in game.steps():
        pass
    outcome = np.zeros(layout.COLUMNS, np.int32)
    play.finish(game.rules[0], game.states[0], outcome, game.events[0])
    batch = np.zeros((3, layout.COLUMNS), np.int32)
    VAULT.pack(rules, table[: rules.players]).play(seed, 7, batch)
    assert batch[2].tolist() == outcome.tolist()


@few
@given(all_rules, tables, seeds)
def test_the_outcome_keeps_to_its_bounds(rules: VaultRules, table: list[Any], seed: int) -> None:
    game = Played(rules, table, seed, 8)
    for _ in game.steps():
        pass
    values = np.zeros((1, len(COLUMNS)), np.int32)
    VAULT.pack(rules, table[: rules.players]).play(seed, 8, values)
    out = dict(zip((column.name for column in COLUMNS), values[0].tolist(), strict=True))
    state = game.state
    check_wins(out, rules)
    check_breaks(out, rules)
    check_tokens(out, rules, state)
    assert all(value >= 0 for value in out.values())
    assert out["turns"] == state.turn <= rules.max_turns
    assert not any(out[name] for name in VAULT.absent(rules) if name in out)


def listed(out: dict[str, int], name: str) -> list[int]:
    """The columns of a name per seat, threshold or die."""
    return [value for column, value in out.items() if column.rpartition(".")[0] == name]


def check_wins(out: dict[str, int], rules: VaultRules) -> None:
    vp, shares = listed(out, "vp"), listed(out, "win_share")
    seats = range(rules.players)
    winners = [seat for seat in seats if vp[seat] == max(vp)]
    assert [seat for seat in range(SEATS) if shares[seat]] == winners
    assert sum(shares) == len(winners) * (SHARE // len(winners))
    assert sum(vp) <= sum(value * copies for value, copies in rules.loot.items())
    assert sum(listed(out, "loot")) <= min(
        sum(rules.loot.values()), rules.loot_per_break * out["breaks"]
    )


def check_breaks(out: dict[str, int], rules: VaultRules) -> None:
    ended = ("breaks", "reveal", "stalled")[out["ended_by"]]
    assert out["stalled"] == (ended == "stalled")
    assert (out["breaks"] == len(rules.thresholds)) == (ended == "breaks")
    assert ended != "reveal" or max(listed(out, "vp")) >= rules.reveal_at
    assert ended != "stalled" or out["turns"] == rules.max_turns
    assert out["attempts"] == sum(listed(out, "attempts_at"))
    broken = listed(out, "broken_at")
    assert out["breaks"] == sum(broken)
    assert broken == [1] * out["breaks"] + [0] * (len(broken) - out["breaks"])
    cut = out["attempts"] - out["breaks"] - sum(listed(out, "failures"))
    assert cut in ((0, 1) if ended == "reveal" else (0,))  # revealed by a reaction to the break
    first = out["attempts_at.1"] * rules.first_break_needs_partner
    assert out["attempts"] + first <= out["participants"] <= rules.players * out["attempts"]
    assert out["dice"] >= out["participants"] - cut * rules.players
    assert out["attempts"] <= out["turns"]


def check_tokens(out: dict[str, int], rules: VaultRules, state: Any) -> None:
    """What was earned and not spent is held or was lost."""
    lost = out["tokens_earned"] - out["tokens_spent"] - int(state.tokens.sum())
    assert lost >= 0
    if not rules.actions and not rules.reactions:
        assert out["tokens_spent"] == out["dice"]
        if out["failures.4"] == out["failures.5"] == 0:
            assert lost == 0
    assert out["wasted"] <= MOST_WASTED * out["tokens_earned"]


@few
@given(all_rules, tables, seeds)
def test_the_outcome_agrees_with_the_trace(rules: VaultRules, table: list[Any], seed: int) -> None:
    told = traced(rules, table, seed, 10)
    out = told[-1]["outcome"]
    lines = Counter(line["event"] for line in told)
    assert out["turns"] == lines["turn"]
    assert out["attempts"] == lines["break"]
    assert out["breaks"] == lines["broken"]
    assert out["dice"] == sum(len(line["dice"]) for line in told if line["event"] == "roll")
    parts = sum(len(line["parts"]) for line in told if line["event"] == "break")
    assert out["participants"] == parts + lines["join"]
    gained = sum(len(line["tokens"]) for line in told if line["event"] == "gain")
    assert out["tokens_earned"] == lines["combine"] + gained
    paid = sum(len(line["paid"]) for line in told if line["event"] in ("act", "react"))
    paid += sum(
        len(part["paid"]) for line in told if line["event"] == "break" for part in line["parts"]
    )
    assert out["tokens_spent"] == paid
    assert out["wasted"] == sum(line["wasted"] for line in told if line["event"] == "combine")
    for die in range(1, 7):
        failed = sum(line["die"] == die for line in told if line["event"] == "failed")
        assert out[f"failures.{die}"] == failed
    vault_checker.check(told)


def test_the_random_games_reach_the_cards_and_the_ends_that_matter() -> None:
    """What the other tests hold is not held of games in which nothing happens."""
    met: Counter[str] = Counter()
    for rollout in range(200):
        rng = Random(rollout)
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        told = traced(rules, any_table(rng), 1, rollout)
        met.update({line["event"] for line in told} | {told[-1]["ended_by"]})
    wanted = (
        "act react steal_token destroy_token steal_training discard_training steal_loot swap_loot"
        " peek_loot join reroll broken hit skipped decline breaks reveal stalled"
    )
    for name in wanted.split():
        assert met[name] >= 5, f"{name}: {met[name]} games"
