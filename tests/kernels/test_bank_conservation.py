"""No card is lost or doubled and no coin comes from nowhere, whatever rules, players and chance."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from balance.games.bank import BANK, COLUMNS, SPECIALS, BankRules, pack_rules
from kernels.bank import banks, happenings, layout, play
from kernels.bank.robbery import resolve
from tests.bank_random import (
    SEATS,
    Played,
    any_rules,
    any_switches,
    any_table,
    bank_of,
    hand_of,
    lively_rules,
    traced,
)
from tests.oracles import bank_checker, bank_robbery

SHARE = 60
FLAGS = {
    "paid": layout.PAID,
    "short": layout.SHORT,
    "guarded": layout.GUARDED,
    "thieved": layout.THIEVED,
    "lady": layout.LADIES,
}

chance = st.integers(0, 2**32).map(Random)
all_rules = st.one_of(chance.map(any_rules), chance.map(lively_rules))
tables = chance.map(any_table)
seeds = st.integers(0, 2**63 - 1)
few = settings(max_examples=30, deadline=None, derandomize=True)


def places_of(bits: int) -> set[int]:
    """The places that are set in these bits."""
    return {place for place in range(63) if bits >> place & 1}


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K3")
def test_after_every_step_each_card_is_in_one_place_or_gone_for_good(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 0)
    whole = Counter(game.cards)
    assert whole.total() == rules.players * rules.hand + rules.banks + len(game.deck_of(game.state))
    gone: Counter[int] = Counter()
    for state in game.steps():
        now = Counter({kind: n for kind, n in enumerate(state.gone.tolist()) if n})
        assert gone <= now
        gone = now
        found = Counter(game.deck_of(state)) + now
        for seat in range(SEATS):
            found.update(hand_of(state, seat))
        for bank in range(rules.banks):
            found.update(bank_of(state, bank))
        assert found == whole


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K1", "K5")
def test_after_every_step_hands_are_full_while_the_deck_lasts(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 1)
    for state in game.steps():
        held = state.cards.tolist()
        assert held[rules.players :] == [0] * (SEATS - rules.players)
        assert all(0 <= n <= rules.hand for n in held)
        if game.deck_of(state):
            assert held[: rules.players] == [rules.hand] * rules.players
        elif 0 in held[: rules.players]:  # K20
            assert state.phase == layout.OVER


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K10", "K14", "K15", "K22")
def test_after_every_step_each_coin_is_accounted_for(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 2)
    robberies = staked = 0
    for state in game.steps():
        count = state.count
        taken = count[layout.COINS_PAID] + count[layout.REWARDS]
        lost = count[layout.COINS_THIEVED] + count[layout.COINS_LOST]
        assert state.coins.sum() == rules.players * rules.coins + taken - lost
        assert not state.coins[rules.players :].any()
        assert count[layout.COINS_PAID] <= count[layout.POT]
        assert lost <= count[layout.STAKES] == state.staked.sum()
        assert rules.stake_on_shortfall == "lost" or count[layout.COINS_LOST] == 0
        if not rules.credit_to:
            assert state.coins.min() >= 0
        more = int(count[layout.ROBBERIES]) - robberies
        if not more:
            assert count[layout.STAKES] == staked
        assert state.coins.min() >= -rules.credit_to * count[layout.ROBBERIES]
        robberies, staked = robberies + more, int(count[layout.STAKES])


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K2", "K7")
def test_after_every_step_what_is_kept_of_a_bank_is_true(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 3)
    value = game.rules.value[0]
    for state in game.steps():
        hidden = 0
        for bank in range(rules.banks):
            cards = bank_of(state, bank)
            assert state.money[bank] == sum(int(value[card]) for card in cards)
            specials = Counter(card for card in cards if card < layout.SPECIALS)
            packed = int(state.specials[bank])
            for kind in range(layout.SPECIALS):
                assert packed >> kind * layout.COUNT_BITS & layout.COUNT == specials[kind]
            assert packed >> layout.SPECIALS * layout.COUNT_BITS == 0
            there = {*range(len(cards))}
            up = places_of(int(state.open[bank]))
            assert up <= there
            assert all(places_of(int(bits)) <= there for bits in state.seen[:, bank])
            assert not state.seen[rules.players :, bank].any()
            down = [bank * 64 + place for place in sorted(there - up)]
            assert banks.closed(state, bank) == len(down)
            for place, spot in enumerate(down, hidden):
                assert banks.find_face_down(game.rules[0], state, place) == spot
            hidden += len(down)
        assert banks.face_down(game.rules[0], state) == hidden
        assert banks.find_face_down(game.rules[0], state, hidden) == -1
        assert banks.deck_left(game.rules[0], state) == len(game.deck_of(state))


class Known:
    """What lies face up and what each seat has seen face down, by what is told of the game."""

    def __init__(self, game: Played) -> None:
        self.size = [1] * game.banks
        self.up: list[set[int]] = [set() for _ in range(game.banks)]
        self.seen: list[list[set[int]]] = [[set() for _ in range(game.banks)] for _ in range(SEATS)]

    def hear(self, rows: list[list[int]]) -> None:
        bank = kept = 0
        for kind, _, _, seat, one, two, _ in rows:
            match kind:
                case happenings.PLAYED:
                    self.seen[seat][two].add(self.size[two])
                    self.size[two] += 1
                case happenings.LOOKED:
                    self.seen[seat][one].add(two)
                case happenings.REVEALED:
                    self.up[one].add(two)
                case happenings.ROBBED:
                    bank, kept = one, 0
                    self.size[bank] = 0
                    for places in (self.up, *self.seen):
                        places[bank] = set()
                case happenings.KEPT:
                    kept = 1
                case happenings.CARD if kept:
                    self.up[bank].add(self.size[bank])
                    self.size[bank] += 1
                case happenings.REFILLED:
                    self.size[one] = 1


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K5", "K6", "K7", "K19")
def test_after_every_step_seats_have_seen_what_they_played_and_looked_at(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 4)
    known = Known(game)
    while game.state.phase != layout.OVER:
        known.hear(game.told(game.states).tolist())
        state = game.state
        for bank in range(rules.banks):
            assert state.bank_size[bank] == known.size[bank]
            assert places_of(int(state.open[bank])) == known.up[bank]
            for seat in range(SEATS):
                assert places_of(int(state.seen[seat, bank])) == known.seen[seat][bank]


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K4", "K20", "K23")
def test_after_every_step_turns_seats_and_tiles_are_as_they_must(
    rules: BankRules, table: list[Any], seed: int
) -> None:
    game = Played(rules, table, seed, 5)
    number = int(game.rules.tiles[0])
    whole = Counter(game.rules.tile[0, :number].tolist())
    turn = 0
    for state in game.steps():
        assert turn <= state.turn <= turn + 1
        turn = int(state.turn)
        assert turn <= rules.max_turns
        if state.phase == layout.TURN_START:
            assert state.seat == turn % rules.players
        else:
            assert state.seat == (turn - 1) % rules.players
        assert state.tiles_left == (-turns_done(state) % number if number else 0)
        if state.tile_shuffles:
            assert Counter(state.tile[:number].tolist()) == whole
        assert state.tile_shuffles == (-(-turns_done(state) // number) if number else 0)
    ended = not game.deck_of(game.state) and 0 in game.state.cards[: rules.players]
    assert game.state.count[layout.STALLED] == (not ended)
    assert ended or turn == rules.max_turns


def turns_done(state: Any) -> int:
    """How many turns have had their action."""
    return int(state.turn) - (state.phase == layout.CHOOSE)


@few
@given(all_rules, tables, seeds, st.integers(1, 40))
def test_a_game_taken_up_from_a_copied_state_ends_as_the_original(
    rules: BankRules, table: list[Any], seed: int, every: int
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
    rules: BankRules, table: list[Any], seed: int
) -> None:
    """The batch plays other games before, with the same arrays."""
    game = Played(rules, table, seed, 9)
    for _ in game.steps():
        pass
    outcome = np.zeros(layout.COLUMNS, np.int32)
    play.finish(game.rules[0], game.states[0], outcome, game.events[0])
    batch = np.zeros((3, layout.COLUMNS), np.int32)
    BANK.pack(rules, table[: rules.players]).play(seed, 7, batch)
    assert batch[2].tolist() == outcome.tolist()


def listed(out: dict[str, int], name: str) -> list[int]:
    """The columns of a name, per seat."""
    return [value for column, value in out.items() if column.rpartition(".")[0] == name]


@few
@given(all_rules, tables, seeds)
@pytest.mark.rule("K21")
def test_the_outcome_keeps_to_its_bounds(rules: BankRules, table: list[Any], seed: int) -> None:
    values = np.zeros((1, len(COLUMNS)), np.int32)
    BANK.pack(rules, table[: rules.players]).play(seed, 8, values)
    out = dict(zip((column.name for column in COLUMNS), values[0].tolist(), strict=True))
    coins, shares = listed(out, "coins"), listed(out, "win_share")
    winners = [seat for seat in range(rules.players) if coins[seat] == max(coins[: rules.players])]
    assert [seat for seat in range(SEATS) if shares[seat]] == winners
    assert {shares[seat] for seat in winners} == {SHARE // len(winners)}
    assert sum(shares) == SHARE
    assert all(value >= 0 for name, value in out.items() if not name.startswith("coins."))
    assert not any(out[name] for name in BANK.absent(rules))
    stopped = out["robberies"] - out["paid"] - out["short"]
    assert max(out["guarded"], out["thieved"]) <= stopped <= out["guarded"] + out["thieved"]
    assert out["ladies"] <= out["robberies"]
    final = out["robberies"] - sum(listed(out, "robbed"))
    assert 0 <= final <= (0 if out["stalled"] else rules.banks)
    assert sum(listed(out, "robbed")) <= out["turns"] <= rules.max_turns
    assert not out["stalled"] or out["turns"] == rules.max_turns
    gained = out["coins_paid"] + out["rewards"] - out["coins_thieved"] - out["coins_lost"]
    assert sum(coins) == rules.players * rules.coins + gained
    assert rules.credit_to or min(coins) >= 0
    assert out["rewards"] <= out["guarded"] * rules.guard_reward * rules.players


@few
@given(all_rules, tables, seeds)
def test_the_outcome_agrees_with_the_trace(rules: BankRules, table: list[Any], seed: int) -> None:
    told = traced(rules, table, seed, 10)
    out = told[-1]["outcome"]
    lines = Counter(line["event"] for line in told)
    results = [line for line in told if line["event"] == "result"]
    assert out["turns"] == lines["turn"]
    assert out["robberies"] == lines["rob"] == lines["stakes"] == lines["open"] == len(results)
    for name, column in zip(FLAGS, "paid short guarded thieved ladies".split(), strict=True):
        assert out[column] == sum(line[name] for line in results)
    stopped = sum(line["guarded"] or line["thieved"] for line in results)
    assert out["paid"] + out["short"] + stopped == out["robberies"]
    final = sum("final" in line for line in told if line["event"] == "rob")
    assert sum(listed(out, "robbed")) + final == out["robberies"]
    assert out["pot"] == sum(line["pot"] for line in told if line["event"] == "open")
    staked = [line["stakes"] for line in told if line["event"] == "stakes"]
    assert out["stakes"] == sum(map(sum, staked))
    gained = [sum(line["gains"][seat] for line in results) for seat in range(rules.players)]
    assert told[-1]["coins"] == [rules.coins + gain for gain in gained]
    bank_checker.check(told)


# The resolution alone

switches = chance.map(any_switches)
stakes_of = st.lists(st.integers(0, 14), min_size=2, max_size=SEATS)
many_specials = st.lists(st.integers(0, 3), min_size=5, max_size=5)
few_specials = st.lists(st.sampled_from([0, 0, 0, 1]), min_size=5, max_size=5)
some_specials = st.one_of(many_specials, few_specials)
often = settings(max_examples=300, deadline=None, derandomize=True)


class Settled:
    """A robbery, resolved by the kernel."""

    def __init__(
        self, fields: dict[str, Any], pot: int, specials: list[int], robber: int, stakes: list[int]
    ) -> None:
        players = len(stakes)
        packed = pack_rules(BankRules(players=players, **fields))
        row = np.zeros(SEATS, np.int64)
        row[:players] = stakes
        gains, order = np.full(SEATS, 77, np.int64), np.full(SEATS, 77, np.int64)
        laid = sum(n << kind * layout.COUNT_BITS for kind, n in enumerate(specials))
        self.what = int(resolve(packed[0], players, pot, laid, robber, row, gains, order))
        assert row[:players].tolist() == stakes
        self.gains: list[int] = gains[:players].tolist()
        self.order: list[int] = order[:players].tolist()

    def is_(self, name: str) -> bool:
        return self.what & FLAGS[name] != 0


@often
@given(switches, st.integers(0, 40), some_specials, st.integers(0, 4), stakes_of)
@pytest.mark.rule("K10", "K11", "K12", "K13", "K14", "K15", "K16", "K17", "K18")
def test_a_robbery_pays_no_coin_from_nowhere(
    fields: dict[str, Any], pot: int, specials: list[int], robber: int, stakes: list[int]
) -> None:
    players, robber = len(stakes), robber % len(stakes)
    settled = Settled(fields, pot, specials, robber, stakes)
    assert sorted(settled.order) == [*range(players)]
    stopped = settled.is_("guarded") or settled.is_("thieved")
    assert settled.is_("paid") + settled.is_("short") + stopped == 1
    assert not settled.what & ~sum(FLAGS.values())
    won = sum(gain for gain in settled.gains if gain > 0)
    for stake, gain in zip(stakes, settled.gains, strict=True):
        may = {0, stake}
        if stopped:
            rewarded = settled.is_("guarded") and stake == 0
            may = {fields["guard_reward"] if rewarded else -stake * settled.is_("thieved")}
        elif settled.is_("paid") and pot:
            may = {stake}
        elif fields["stake_on_shortfall"] == "lost":
            may = {stake, -stake}
        assert gain in may
    if not stopped:
        assert won <= pot << specials[layout.MULTIPLY]
    check_order(settled, stakes, robber, may_turn=specials[layout.JUDGE] > 0)


def check_order(settled: Settled, stakes: list[int], robber: int, may_turn: bool) -> None:
    """Lowest first, or highest with a Judge; equals clockwise; nobody is paid after a shortfall."""
    players = len(stakes)
    staked = [stakes[seat] for seat in settled.order]
    assert staked == sorted(stakes) or (may_turn and staked == sorted(stakes, reverse=True))
    for one, two in zip(settled.order, settled.order[1:], strict=False):
        if stakes[one] == stakes[two]:
            assert (one - robber) % players < (two - robber) % players
    if settled.is_("short"):
        gains = [settled.gains[seat] for seat in settled.order if stakes[seat]]
        paid = [gain > 0 for gain in gains]
        assert paid == sorted(paid, reverse=True)
        assert not all(paid)


@often
@given(switches, st.integers(0, 40), some_specials, st.integers(0, 4), stakes_of)
@pytest.mark.rule("K10", "K11", "K12", "K13", "K14", "K15", "K16", "K17", "K18")
def test_a_robbery_is_resolved_as_the_twin_does(
    fields: dict[str, Any], pot: int, specials: list[int], robber: int, stakes: list[int]
) -> None:
    robber %= len(stakes)
    settled = Settled(fields, pot, specials, robber, stakes)
    cards = [
        str(pot),
        *(name for name, n in zip(SPECIALS, specials, strict=True) for _ in range(n)),
    ]
    twin = bank_robbery.resolve(fields, cards, stakes, robber + 1)
    assert settled.gains == twin.gains
    assert [seat + 1 for seat in settled.order] == twin.order
    for name in FLAGS:
        assert settled.is_(name) == getattr(twin, name), name


@often
@given(switches, st.integers(0, 40), some_specials, st.integers(0, 4), stakes_of)
@pytest.mark.rule("K13")
def test_it_does_not_matter_where_a_robbery_is_seated(
    fields: dict[str, Any], pot: int, specials: list[int], robber: int, stakes: list[int]
) -> None:
    """Turning everybody and the robber round the table turns the gains."""
    players, robber = len(stakes), robber % len(stakes)
    one = Settled(fields, pot, specials, robber, stakes)
    for turn in range(1, players):
        turned = [stakes[(seat - turn) % players] for seat in range(players)]
        other = Settled(fields, pot, specials, (robber + turn) % players, turned)
        assert [other.gains[(seat + turn) % players] for seat in range(players)] == one.gains
        assert other.what == one.what


def test_the_random_games_reach_what_matters() -> None:
    """What the other tests hold is not held of games in which nothing happens."""
    met: Counter[str] = Counter()
    for rollout in range(200):
        rng = Random(rollout)
        rules = lively_rules(rng) if rollout % 2 else any_rules(rng)
        told = traced(rules, any_table(rng), 1, rollout)
        found = {line["event"] for line in told}
        for line in told:
            if line["event"] == "result":
                found |= {name for name in FLAGS if line[name]}
            if line.get("final"):
                found.add("final")
        end = told[-1]
        found |= {name for name in ("rewards", "coins_lost", "stalled") if end["outcome"][name]}
        found |= {"indebted"} if min(end["coins"]) < 0 else set()
        met.update(found)
    wanted = (
        "play draw look reveal nothing rob final kept refill paid short guarded thieved lady"
        " rewards coins_lost stalled indebted"
    )
    for name in wanted.split():
        assert met[name] >= 5, f"{name}: {met[name]} games"
