"""No policy uses what its seat cannot know: putting that in another order changes no decision.

Hidden from a seat are the order of the training deck and which of its cards others hold, the order
of the Vault below the cards at which it has peeked and the values of the loot of others (and of
loot that is gone), the order of the action and the reaction deck and which cards of them others
hold. In states reached in play, decisions are asked for on the state and on copies in which all
that is dealt anew.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.vault import VaultRules
from kernels.vault import decisions, expert, happenings, layout
from kernels.vault.hand import add_card
from tests.vault_random import (
    POLICIES,
    SEATS,
    Played,
    deck_of,
    hand_of,
    lively_rules,
    loot_of,
    pile_of,
)

SEED = 21
GAMES = 6
STEPS = 45
ASKED_EVERY = 2  # steps
COPIES = 2
DECKS = (layout.ACTION, layout.REACTION)
LATE = (layout.REROLL_LOWEST, layout.ADD_TO_ROLL)
AIMED = (
    *(layout.STEAL_TOKEN, layout.DESTROY_TOKEN, layout.STEAL_TRAINING, layout.DISCARD_TRAINING),
    *(layout.STEAL_LOOT, layout.SWAP_LOOT, layout.SKIP_PLAYER),
)
LIGHT = {  # rows in which cards and values come to light
    *(happenings.CARD, happenings.VALUE, happenings.LOOTED, happenings.SWAPPED),
    *(happenings.DRAWN_UP, happenings.DRAWN),
}
PLAYERS = [name for name in POLICIES if "without" not in name and "recluse" not in name]
UNDO = [
    {
        "name": f"undo for {price}",
        "effect": "cancel_action",
        "copies": 3,
        "cost": {"any": price},
        "when": "on_action",
    }
    for price in (2, 4, 6, 8)
]
Answer = tuple[Any, ...]


# Dealing anew what is hidden


def dealt_anew(game: Played, states: Any, me: int, rng: Random) -> Any:
    """A copy of the state in which all that seat ``me`` cannot know is dealt anew.

    With NOBODY, only what no seat knows. What lies in the arrays beyond their ends is overwritten.
    """
    copy = states.copy().view(np.recarray)
    state = copy[0]
    hide_training(state, me, game.players, rng)
    hide_loot(game.rules[0], state, me, game.players, rng)
    for deck in DECKS:
        hide_pile(state, deck, me, game.players, rng)
    return copy


def others(me: int, players: int) -> list[int]:
    """The seats of which ``me`` does not see everything."""
    return [] if me == layout.NOBODY else [seat for seat in range(players) if seat != me]


def hide_training(state: Any, me: int, players: int, rng: Random) -> None:
    cards = deck_of(state)
    hands = {seat: hand_of(state, seat) for seat in others(me, players)}
    for seat, hand in hands.items():
        cards += hand
        for name in ("copies", "ranks", "points"):
            state[name][seat] = 0
        state["cards"][seat] = 0
    rng.shuffle(cards)
    for seat, hand in hands.items():
        for _ in hand:
            add_card(state, seat, cards.pop())
    state.deck[:] = rng.randrange(layout.JACK)
    lay(state.deck, int(state.deck_top), cards)


def lay(row: Any, top: int, cards: list[int]) -> None:
    """Lay the cards of a ring, from its top."""
    row[(top + np.arange(len(cards))) % len(row)] = cards


def known_down_to(rules: Any, state: Any, me: int, players: int) -> int:
    """The first place of the Vault that ``me`` (NOBODY: any seat) has not seen."""
    seen = state.seen[:players] if me == layout.NOBODY else state.seen[me : me + 1]
    return min(max(int(state.vault_top), int(seen.max())), int(rules.loot_cards))


def hide_loot(rules: Any, state: Any, me: int, players: int, rng: Random) -> None:
    number = int(rules.loot_cards)
    top, below = int(state.vault_top), known_down_to(rules, state, me, players)
    known = Counter(state.vault[top:below].tolist())
    for seat in {*range(players)} - {*others(me, players)}:
        known.update(loot_of(state, seat))
    hidden = [*(Counter(rules.loot[:number].tolist()) - known).elements()]
    rng.shuffle(hidden)
    vault, loot = state.vault, state.loot
    vault[:top] = rng.randrange(9)
    vault[number:] = rng.randrange(9)
    vault[below:number] = [hidden.pop() for _ in range(below, number)]
    for seat, held in enumerate(state.loots.tolist()):
        if seat in others(me, players):
            loot[seat, :held] = [hidden.pop() for _ in range(held)]
            state.vp[seat] = loot[seat, :held].sum()
        loot[seat, held:] = rng.randrange(9)


def hide_pile(state: Any, deck: int, me: int, players: int, rng: Random) -> None:
    cards = pile_of(state, deck)
    holders = [seat for seat in others(me, players) if state.holds[deck][seat] != layout.NO_CARD]
    cards += [int(state.holds[deck][seat]) for seat in holders]
    rng.shuffle(cards)
    for seat in holders:
        state.holds[deck][seat] = cards.pop()
    state.pile[deck][:] = rng.randrange(4)
    lay(state.pile[deck], int(state.pile_top[deck]), cards)


# Decisions, and the situations in which they are asked for


@dataclass(frozen=True)
class Question:
    """A decision of a seat, in the situation that ``room`` describes."""

    what: str
    seat: int
    room: Any  # SCRATCH, shape (1,)
    ask: Callable[[Any, Any], Answer]  # of state and scratch


def offered(room: Any) -> Answer:
    """The offer of a break that stands in the scratch."""
    return tuple(room.part.tolist()), tuple(room.share[: room.shares].tolist())


class Asker:
    """Thinks up situations in a state of a game, and asks for decisions."""

    def __init__(self, game: Played, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.first = (game.rules[0], game.policies[0], game.key)
        decisions.prepare(game.rules[0], game.policies[0], game.rooms[0])

    def questions(self) -> Iterator[Question]:
        state = self.game.state
        if state.phase == layout.TURN_START:
            for seat in range(self.game.players):
                yield self.reveals(seat)
            yield from self.keeps_second(int(state.seat))
        elif state.phase == layout.TRAIN:
            yield from self.pick_set(int(state.seat))
        else:
            yield self.propose(int(state.seat))
            for seat in range(self.game.players):
                if seat != state.seat and state.tokens[seat] > 0:
                    yield self.joins(seat)
        for seat in range(self.game.players):
            if state.holds[layout.REACTION, seat] != layout.NO_CARD:
                yield from self.reacts(seat)

    def room(self) -> Any:
        return self.game.rooms.copy().view(np.recarray)

    def reveals(self, seat: int) -> Question:
        def ask(state: Any, room: Any) -> Answer:
            return (bool(decisions.reveals(*self.first, state, seat, room)),)

        return Question("reveals", seat, self.room(), ask)

    def keeps_second(self, seat: int) -> Iterator[Question]:
        for deck in DECKS:
            kinds = self.game.rules.card[0, deck, : self.game.rules.cards[0, deck]].tolist()
            held = int(self.game.state.holds[deck, seat])
            one = held if held != layout.NO_CARD else self.rng.choice(kinds)
            two = self.rng.choice(kinds)

            def ask(
                state: Any, room: Any, deck: int = deck, one: int = one, two: int = two
            ) -> Answer:
                args = (*self.first, state, seat, deck, one, two, room)
                return (bool(decisions.keeps_second(*args)),)

            yield Question("keeps_second", seat, self.room(), ask)

    def pick_set(self, seat: int) -> Iterator[Question]:
        state = self.game.state
        for suit in range(layout.SUITS):
            if state.points[seat, suit] < self.game.rules.combine_at[0]:
                continue

            def ask(state: Any, room: Any, suit: int = suit) -> Answer:
                n = int(decisions.pick_set(*self.first, state, seat, suit, room))
                return (n > 0, tuple(room.set[:n].tolist()))

            yield Question("pick_set", seat, self.room(), ask)

    def propose(self, seat: int) -> Question:
        room = self.room()
        for other in range(SEATS):
            room[0].refused[other] = self.rng.random() < 0.2

        def ask(state: Any, room: Any) -> Answer:
            choice = int(decisions.propose(*self.first, state, seat, room))
            return (choice, offered(room) if choice == layout.BREAK else None)

        return Question("propose", seat, room, ask)

    def joins(self, seat: int) -> Question:
        room = self.offer(seat)
        n = int(room[0].part.sum())

        def ask(state: Any, room: Any) -> Answer:
            return (bool(decisions.joins(*self.first, state, seat, n, room)),)

        return Question("joins", seat, room, ask)

    def offer(self, guest: int) -> Any:
        """A scratch with a break that the seat whose turn it is offers to ``guest`` and others."""
        room, rng, state = self.room(), self.rng, self.game.state
        made = room[0]
        made.extra = made.lowered = made.added = made.taken = made.total = 0
        for seat in range(SEATS):
            there = seat in (guest, state.seat)
            there |= seat < self.game.players and rng.random() < 0.2
            made.part[seat] = rng.randint(1, 3) if there else 0
        members = [seat for seat in range(SEATS) if made.part[seat] > 0]
        left = self.game.rules.loot_cards[0] - state.vault_top
        made.shares = min(self.game.rules.loot_per_break[0], left)
        for i in range(made.shares):
            made.share[i] = rng.choice(members)
        return room

    def reacts(self, seat: int) -> Iterator[Question]:
        """Whether the seat uses what it holds, when the moment of that comes."""
        state, rules, rng = self.game.state, self.game.rules[0], self.rng
        kind = int(state.holds[layout.REACTION, seat])
        moment = int(rules.moment[layout.REACTION, kind])
        effect = int(rules.effect[layout.REACTION, kind])
        room = self.offer(seat)
        made = room[0]
        made.who, made.what, made.how_much, made.aim = state.seat, layout.NO_CARD, 0, layout.NOBODY
        made.late = effect in LATE
        elsewhere = others(seat, self.game.players)
        if moment == layout.ON_ANY_BREAK:
            if effect == layout.JOIN_UNINVITED:
                if seat == state.seat:
                    return
                made.part[seat] = 0
            self.roll(made)
        elif moment == layout.ON_MY_FAILURE:
            self.roll(made)
            made.how_much = rng.randint(1, 6)
        else:
            made.who = rng.choice(elsewhere)
            made.what, made.how_much = rng.choice(AIMED), rng.randint(1, 4)
            made.aim = seat
            if moment == layout.ON_ACTION and rng.random() < 0.6:
                made.aim = rng.choice([s for s in range(self.game.players) if s != made.who])

        def ask(state: Any, room: Any) -> Answer:
            return (bool(decisions.reacts(*self.first, state, seat, moment, room)),)

        yield Question(f"reacts {moment}", seat, room, ask)

    def roll(self, made: Any) -> None:
        """Dice that fall, with pips or dice added by others."""
        made.extra, made.lowered = self.rng.choice([0, 0, 2]), self.rng.choice([0, 0, 3])
        n = int(made.part.sum() + made.extra)
        made.dice[:n] = [self.rng.randint(1, 6) for _ in range(n)]
        made.total = made.dice[:n].sum()
        made.added = self.rng.choice([0, 0, 2])


def answers(game: Played, question: Question, copies: list[Any]) -> list[Answer]:
    """What is decided in the state and in each copy; a decision changes nothing but the coins."""
    found = []
    for states in (game.states, *copies):
        state, room = states.copy().view(np.recarray), question.room.copy().view(np.recarray)
        answer = question.ask(state[0], room[0])
        tossed = int(state[0].coins[question.seat])
        found.append((*answer, tossed))
        state[0].coins[question.seat] = states[0].coins[question.seat]
        assert state.tobytes() == states.tobytes()
    return found


def states_of(player: Any, rules: VaultRules, rollout: int, steps: int = STEPS) -> Iterator[Played]:
    """A game of these players before many of its steps."""
    game = Played(rules, [player] * SEATS, SEED, rollout)
    for step, _ in zip(range(steps), game.steps(), strict=False):
        if game.state.phase != layout.OVER and step % ASKED_EVERY == rollout % ASKED_EVERY:
            yield game


class Copies(dict[int, Any]):
    """For each seat, when they are asked for, copies in which what it cannot know is dealt anew."""

    def __init__(self, game: Played, rng: Random) -> None:
        self.game, self.rng = game, rng

    def __missing__(self, seat: int) -> Any:
        game = self.game
        self[seat] = [dealt_anew(game, game.states, seat, self.rng) for _ in range(COPIES)]
        return self[seat]


BOTH_WAYS = {  # decisions that these players are to be met with, and both answers to them
    "random": {"reveals", "keeps_second", "pick_set", "joins"},
    "simple with mistakes": {"joins"},
    "patient": {"keeps_second", "joins"},
    "expert": {"keeps_second", "joins", "reveals"},
    "expert with mistakes": {"reveals", "keeps_second", "pick_set", "joins"},
    "expert at its ease": {"reveals", "keeps_second", "pick_set", "joins"},
}


@pytest.mark.parametrize("player", PLAYERS)
def test_what_a_seat_cannot_know_changes_none_of_its_decisions(player: str) -> None:
    rng = Random(1)
    met: dict[str, set[Any]] = {}
    for rollout in range(GAMES):
        rules = lively_rules(rng, reveal_at=30)
        for game in states_of(POLICIES[player], rules, rollout):
            copies = Copies(game, rng)
            for question in Asker(game, rng).questions():
                found = answers(game, question, copies[question.seat])
                assert found == [found[0]] * (1 + COPIES), f"{question.what}, {question.seat}"
                met.setdefault(question.what, set()).add(found[0][0])
    assert {"reveals", "keeps_second", "pick_set", "propose", "joins"} <= set(met)
    assert {f"reacts {moment}" for moment in range(4)} <= set(met)
    assert {layout.PASS, layout.BREAK} <= met["propose"]
    for what in BOTH_WAYS.get(player, set()):
        assert met[what] == {True, False}, what
    if player in ("random", "expert"):
        assert layout.ACT in met["propose"]
        for moment in range(4):
            assert met[f"reacts {moment}"] == {True, False}, moment


@pytest.mark.parametrize("player", ["hasty", "expert"])
def test_what_a_seat_cannot_know_does_not_change_what_it_undoes(player: str) -> None:
    """Actions that take or swap the loot of a third seat, among others."""
    rng = Random(1)
    for rollout in range(2 * GAMES):
        rules = lively_rules(rng, reactions=UNDO, reveal_at=200)
        for game in states_of(POLICIES[player], rules, rollout):
            copies = Copies(game, rng)
            for question in Asker(game, rng).questions():
                if question.what == f"reacts {layout.ON_ACTION}":
                    found = answers(game, question, copies[question.seat])
                    assert found == [found[0]] * (1 + COPIES)


def alike(rows: Any, twins: Any) -> bool:
    """Whether two tales are the same up to the first card or value that came to light otherwise."""
    for row, twin in zip(rows.tolist(), twins.tolist(), strict=False):
        if row != twin:
            return row[0] == twin[0] and row[0] in LIGHT
    return len(rows) == len(twins)


@pytest.mark.parametrize("player", PLAYERS)
def test_what_nobody_knows_changes_nothing_until_it_comes_to_light(player: str) -> None:
    """As above for whole steps, in which decisions come up as the game asks for them."""
    rng = Random(2)
    kinds: Counter[int] = Counter()
    for rollout in range(2 * GAMES):
        for game in states_of(POLICIES[player], lively_rules(rng), rollout):
            tales = []
            for keep in range(1 + COPIES):
                states = game.states.copy().view(np.recarray)
                if keep:
                    states = dealt_anew(game, game.states, layout.NOBODY, rng)
                game.events.recording, game.events.used = 1, 0
                game.until(states, layout.NEXT)
                tales.append(game.events.rows[0, : game.events.used[0]].copy())
            game.events.recording = 0
            assert all(alike(tales[0], tale) for tale in tales[1:])
            kinds.update(tales[0][:, 0].tolist())
    assert kinds[happenings.BROKE_IN] > 5
    assert kinds[happenings.FAILED] + kinds[happenings.BROKEN] > 5
    if player in ("random", "expert"):
        assert kinds[happenings.ACTED] > 5
        assert kinds[happenings.REACTED] > (5 if player == "random" else 0)


def test_only_what_comes_to_light_may_differ() -> None:
    drawn = [happenings.CARD, 0, 3, 1, 17, 0, 0]
    turn = [happenings.TURN, 0, 3, 1, 0, 0, 0]
    passed = [happenings.PASSED, 0, 3, 1, 0, 0, 0]

    def same(*tales: list[list[int]]) -> bool:
        return alike(*(np.array(tale) for tale in tales))

    assert same([turn, passed], [turn, passed])
    assert same([turn, drawn, passed], [turn, [*drawn[:4], 18, 0, 0], turn])
    assert not same([turn, passed], [turn, turn])
    assert not same([turn, passed], [turn, drawn])
    assert not same([turn, passed], [turn])


# The copies, and players that cheat


def test_the_copies_deal_anew_what_is_hidden_and_nothing_else() -> None:
    rng = Random(5)
    hidden: Counter[str] = Counter()
    peeked = 0
    for rollout in range(GAMES):
        for game in states_of(POLICIES["random"], lively_rules(rng, reveal_at=200), rollout):
            for me in range(game.players):
                copy = dealt_anew(game, game.states, me, rng)[0]
                hidden.update(compare(game, game.state, copy, me))
                peeked += game.state.seen[me] > game.state.vault_top
    assert peeked > 5
    for name in ("deck", "hand", "vault", "loot", "vp", "pile", "holds"):
        assert hidden[name] > 20, name


def compare(game: Played, state: Any, copy: Any, me: int) -> set[str]:
    """What differs in the copy, once it is held that only what is hidden may."""
    assert all(
        (state[name] == copy[name]).all()
        for name in (
            *("phase", "turn", "seat", "breaks", "count", "deck_top", "deck_size", "cards"),
            *("token", "tokens", "supply", "vault_top", "loots", "seen", "skips", "pile_top"),
            *("pile_size", "coins", "losses", "targets", "rerolls"),
        )
    )
    mine = (hand_of(state, me), loot_of(state, me), state.vp[me], state.holds[:, me].tolist())
    same = (hand_of(copy, me), loot_of(copy, me), copy.vp[me], copy.holds[:, me].tolist())
    assert mine == same
    assert state.points[me].tolist() == copy.points[me].tolist()
    assert ((state.holds == layout.NO_CARD) == (copy.holds == layout.NO_CARD)).all()
    end = int(game.rules.loot_cards[0])
    top, below = int(state.vault_top), known_down_to(game.rules[0], state, me, game.players)
    assert state.vault[top:below].tolist() == copy.vault[top:below].tolist()
    hands = [[hand_of(each, seat) for seat in range(SEATS)] for each in (state, copy)]
    assert [*map(len, hands[0])] == [*map(len, hands[1])]
    whole = [
        sorted([*deck_of(each), *(card for hand in held for card in hand)])
        for each, held in zip((state, copy), hands, strict=True)
    ]
    assert whole[0] == whole[1]
    loots = [[loot_of(each, seat) for seat in range(SEATS)] for each in (state, copy)]
    pairs = {
        "deck": (deck_of(state), deck_of(copy)),
        "hand": hands,
        "vault": (state.vault[below:end].tolist(), copy.vault[below:end].tolist()),
        "loot": loots,
        "vp": (state.vp.tolist(), copy.vp.tolist()),
        "pile": (pile_of(state, layout.ACTION), pile_of(copy, layout.ACTION)),
        "holds": (state.holds.tolist(), copy.holds.tolist()),
    }
    return {name for name, (one, other) in pairs.items() if one != other}


def next_of(seat: int, game: Played) -> int:
    return (seat + 1) % game.players


CHEATS: dict[str, Callable[[Played, Any, int], Any]] = {
    "the next training card": lambda _, state, me: deck_of(state)[:1],
    "the next loot card": lambda game, state, me: (
        state.vault[state.vault_top] > 3 and state.vault_top < game.rules.loot_cards[0]
    ),
    "the last loot card": lambda game, state, me: state.vault[game.rules.loot_cards[0] - 1] > 3,
    "another's best suit": lambda game, state, me: state.points[next_of(me, game)].argmax(),
    "another's faces": lambda game, state, me: (
        state.ranks[next_of(me, game)] & layout.FACES
    ).any(),
    "who is ahead": lambda _, state, me: state.vp.argmax() == me,
    "another's loot": lambda game, state, me: state.loot[next_of(me, game), 0],
    "the next action": lambda _, state, me: pile_of(state, layout.ACTION)[:1],
    "the last reaction": lambda _, state, me: pile_of(state, layout.REACTION)[-1:],
    "another's reaction": lambda game, state, me: state.holds[layout.REACTION, next_of(me, game)],
    "loot that went from the Vault": lambda _, state, me: state.vault[: state.vault_top].sum() > 9,
}
HONEST: dict[str, Callable[[Played, Any, int], Any]] = {
    "its hand": lambda _, state, me: hand_of(state, me),
    "its loot": lambda _, state, me: loot_of(state, me),
    "its cards": lambda _, state, me: state.holds[:, me].tolist(),
    "tokens": lambda _, state, me: state.token.tolist(),
    "how many cards and loot cards all have": lambda _, state, me: (
        state.cards.tolist() + state.loots.tolist()
    ),
    "sizes of decks": lambda _, state, me: (state.deck_size, *state.pile_size, state.vault_top),
    "what it has peeked at": lambda _, state, me: state.vault[
        state.vault_top : max(state.vault_top, state.seen[me])
    ].tolist(),
}


def caught(decide: Callable[[Played, Any, int], Any]) -> bool:
    """Whether the check that the policies must pass finds out a decision that is made like this."""
    rng = Random(7)
    for rollout in range(GAMES // 2):
        for game in states_of(POLICIES["random"], lively_rules(rng, reveal_at=200), rollout):
            copies = Copies(game, rng)
            for seat in range(game.players):

                def ask(state: Any, room: Any, game: Played = game, seat: int = seat) -> Answer:
                    return (decide(game, state, seat),)

                question = Question("cheats", seat, game.rooms, ask)
                found = answers(game, question, copies[seat])
                if found != [found[0]] * len(found):
                    return True
    return False


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_player_that_looks_at_what_is_hidden_is_caught(cheat: str) -> None:
    assert caught(CHEATS[cheat])


@pytest.mark.parametrize("honest", HONEST)
def test_a_player_that_looks_at_what_it_may_know_is_not_caught(honest: str) -> None:
    assert not caught(HONEST[honest])


def test_a_real_decision_that_takes_the_part_of_another_seat_is_caught() -> None:
    """`expert` asked to reveal by what the next seat holds, with the seat's own copies."""

    def as_the_next(game: Played, state: Any, me: int) -> bool:
        knobs = game.policies.weights[0, me]
        return bool(expert.reveals(game.rules[0], knobs, state, next_of(me, game), game.rooms[0]))

    assert caught(as_the_next)
