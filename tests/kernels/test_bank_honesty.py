"""No policy uses what its seat cannot know: dealing that anew changes no decision.

Hidden from a seat are the order of the deck, the hands of others, the face-down cards at banks that
it has neither played nor looked at, the order of the tiles, and what others stake in the robbery at
hand. In states reached in play, decisions are asked for on the state and on copies in which all
that is dealt anew.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

from balance.games.bank import BankRules, ExpertPolicy
from kernels.bank import decisions, happenings, layout
from tests.bank_random import POLICIES, SEATS, Played, bank_of, hand_of, lively_rules

SEED = 21
GAMES = 6
STEPS = 160
ASKED_EVERY = 11  # steps
COPIES = 2
LIGHT = {  # rows in which cards come to light
    *(happenings.CARD, happenings.DREW, happenings.LOOKED, happenings.REVEALED),
    *(happenings.OPENED, happenings.REFILLED),
}
ANY_PLACE = (1 << 62) - 1
ACTIONS = {layout.PLAY, layout.LOOK, layout.REVEAL, layout.ROB}
Spot = tuple[int, int]  # a bank and a place in it


# Dealing anew what is hidden


def unknown_spots(game: Played, state: Any, me: int) -> list[Spot]:
    """Where face-down cards lie that ``me`` (NOBODY: any seat) does not know."""
    found = []
    for bank in range(game.banks):
        seen = state.seen[:, bank] if me == layout.NOBODY else state.seen[me : me + 1, bank]
        known = int(np.bitwise_or.reduce(seen)) | int(state.open[bank])
        found += [(bank, n) for n in range(int(state.bank_size[bank])) if not known >> n & 1]
    return found


def others(game: Played, me: int) -> list[int]:
    """The seats whose hands ``me`` does not see; with NOBODY none, as each is seen by its own."""
    return [] if me == layout.NOBODY else [seat for seat in range(game.players) if seat != me]


def dealt_anew(game: Played, states: Any, me: int, rng: Random) -> Any:
    """A copy of the state in which all that seat ``me`` cannot know is dealt anew.

    With NOBODY, only what no seat knows, and tiles stay. What lies in the arrays beyond their ends
    is overwritten, and the stakes of others, who may have decided before.
    """
    copy = states.copy().view(np.recarray)
    state = copy[0]
    spots = unknown_spots(game, state, me)
    cards = game.deck_of(state) + [int(state.bank[bank, place]) for bank, place in spots]
    for seat in others(game, me):
        cards += hand_of(state, seat)
    rng.shuffle(cards)
    for bank, place in spots:
        state.bank[bank, place] = cards.pop()
    for seat in others(game, me):
        held = int(state.cards[seat])
        state.hand[seat, :held] = [cards.pop() for _ in range(held)]
    state.deck[: state.dealt] = rng.choice(game.cards)
    state.deck[state.dealt : game.rules.cards[0]] = cards
    state.deck[game.rules.cards[0] :] = rng.choice(game.cards)
    for seat in range(SEATS):
        state.hand[seat, state.cards[seat] :] = rng.choice(game.cards)
    count_banks(game, state, rng)
    if me != layout.NOBODY:
        left = int(state.tiles_left)
        state.tile[:left] = rng.sample(state.tile[:left].tolist(), left)
        for seat in others(game, me):
            state.stake[seat], state.gain[seat] = rng.randint(0, 10), rng.randint(-10, 10)
    return copy


def count_banks(game: Played, state: Any, rng: Random) -> None:
    """Set what is kept of the banks to what lies there."""
    for bank in range(game.banks):
        cards = bank_of(state, bank)
        state.bank[bank, len(cards) :] = rng.choice(game.cards)
        state.money[bank] = sum(int(game.rules.value[0, card]) for card in cards)
        specials = (1 << card * layout.COUNT_BITS for card in cards if card < layout.SPECIALS)
        state.specials[bank] = sum(specials)


# Decisions


@dataclass(frozen=True)
class Question:
    """A decision of a seat."""

    what: str
    seat: int
    ask: Callable[[Any, Any], Any]  # of state and scratch


class Asker:
    """Asks the seats of a game for decisions."""

    def __init__(self, game: Played, policies: Any = None) -> None:
        self.game = game
        self.policies = game.policies[0] if policies is None else policies
        self.first = (game.rules[0], self.policies, game.key)

    def questions(self) -> Iterator[Question]:
        state = self.game.state
        for seat in range(self.game.players):
            yield self.action(seat)
            yield self.bank(seat)
            for reveal in (False, True):
                yield self.card(seat, reveal)
            if state.cards[seat]:
                yield self.play(seat)
            for bank in range(self.game.banks):
                if state.bank_size[bank]:
                    yield self.stake(seat, bank)

    def action(self, seat: int) -> Question:
        def ask(state: Any, room: Any) -> int:
            return int(decisions.choose_action(*self.first, state, seat, room))

        return Question("action", seat, ask)

    def play(self, seat: int) -> Question:
        def ask(state: Any, room: Any) -> int:
            return int(decisions.choose_play(*self.first, state, seat))

        return Question("play", seat, ask)

    def card(self, seat: int, reveal: bool) -> Question:
        def ask(state: Any, room: Any) -> int:
            return int(decisions.choose_card(*self.first, state, seat, reveal))

        return Question("reveal" if reveal else "look", seat, ask)

    def bank(self, seat: int) -> Question:
        def ask(state: Any, room: Any) -> int:
            return int(decisions.choose_bank(*self.first, state, seat, room))

        return Question("bank", seat, ask)

    def stake(self, seat: int, bank: int) -> Question:
        def ask(state: Any, room: Any) -> int:
            return int(decisions.choose_stake(*self.first, state, seat, bank, room))

        return Question("stake", seat, ask)


def junk_room(rng: Random) -> Any:
    """Scratch in which another decision has left something."""
    room = np.zeros(1, layout.SCRATCH).view(np.recarray)
    for name in layout.SCRATCH.names or ():
        room[name] = rng.randint(0, 9)
    return room


ROOMS = [junk_room(Random(n)) for n in range(1 + COPIES)]


def answers(game: Played, question: Question, copies: list[Any]) -> list[Any]:
    """What is decided in the state and in each copy; a decision changes nothing but the coins."""
    found = []
    seat = question.seat
    for states, junk in zip((game.states, *copies), ROOMS, strict=True):
        copy, room = states.copy(), junk.copy()
        state = copy[0]
        answer = question.ask(state, room[0])
        tosses = copy["tosses"][0]
        found.append((answer, int(tosses[seat])))
        tosses[seat] = states["tosses"][0, seat]
        assert copy.tobytes() == states.tobytes()
    return found


def states_of(player: Any, rules: BankRules, rollout: int) -> Iterator[Played]:
    """A game of these players before many of its steps."""
    game = Played(rules, [player] * SEATS, SEED, rollout)
    for step, _ in zip(range(STEPS), game.steps(), strict=False):
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


VARIED = {  # decisions in which these players are to be met with different answers
    "random": {"action", "play", "look", "reveal", "bank", "stake"},
    "simple with mistakes": {"action", "play", "look", "reveal", "bank", "stake"},
    "counter with mistakes": {"action", "play", "look", "reveal", "bank", "stake"},
    "bluffer": {"play", "look", "reveal", "bank", "stake", "action"},
    "counter": {"look", "reveal", "bank", "stake"},
    "equilibrium": {"look", "reveal", "bank", "stake"},
    "expert": {"action", "play", "look", "reveal", "bank", "stake"},
    "expert with mistakes": {"action", "play", "look", "reveal", "bank", "stake"},
    "expert that shows what it knows": {"action", "play", "look", "reveal", "bank", "stake"},
    "expert with shuffled beliefs": {"action", "play", "look", "reveal", "bank", "stake"},
}


@pytest.mark.parametrize("player", POLICIES)
def test_what_a_seat_cannot_know_changes_none_of_its_decisions(player: str) -> None:
    rng = Random(1)
    met: dict[str, Counter[Any]] = {}
    for rollout in range(GAMES):
        for game in states_of(POLICIES[player], lively_rules(rng), rollout):
            copies = Copies(game, rng)
            for question in Asker(game).questions():
                found = answers(game, question, copies[question.seat])
                assert found == [found[0]] * (1 + COPIES), f"{question.what}, {question.seat}"
                met.setdefault(question.what, Counter())[found[0][0]] += 1
    assert set(met) == {"action", "play", "look", "reveal", "bank", "stake"}
    assert all(sum(answers.values()) > 100 for answers in met.values())
    for what in VARIED.get(player, set()):
        assert len(met[what]) > 1, what
    if player in ("random", "simple"):
        assert set(met["action"]) == ACTIONS
    if player == "expert":
        assert set(met["action"]) == {layout.PLAY, layout.LOOK, layout.ROB}
        assert len(met["stake"]) > 5


def alike(rows: Any, twins: Any) -> bool:
    """Whether two tales are the same up to the first card that came to light otherwise."""
    for row, twin in zip(rows.tolist(), twins.tolist(), strict=False):
        if row != twin:
            return row[0] == twin[0] and row[0] in LIGHT
    return len(rows) == len(twins)


@pytest.mark.parametrize("player", POLICIES)
def test_what_nobody_knows_changes_nothing_until_it_comes_to_light(player: str) -> None:
    """As above for whole steps, in which decisions come up as the game asks for them."""
    rng = Random(2)
    kinds: Counter[int] = Counter()
    turned = 0
    for rollout in range(4 * GAMES):
        for game in states_of(POLICIES[player], lively_rules(rng), rollout):
            tales = [game.told(game.states.copy().view(np.recarray))]
            for _ in range(COPIES):
                copy = dealt_anew(game, game.states, layout.NOBODY, rng)
                tales.append(game.told(copy))
            assert all(alike(tales[0], tale) for tale in tales[1:])
            kinds.update(tales[0][:, 0].tolist())
            turned += any(tale.tolist() != tales[0].tolist() for tale in tales[1:])
    assert turned > 20
    for kind in (happenings.PLAYED, happenings.LOOKED, happenings.ROBBED):
        assert kinds[kind] > 3


def test_only_what_comes_to_light_may_differ() -> None:
    drew = [happenings.DREW, 0, 3, 1, 17, 0, 0]
    turn = [happenings.TURN, 0, 3, 1, 0, 0, 0]
    robbed = [happenings.ROBBED, 0, 3, 1, 2, 0, 0]

    def same(*tales: list[list[int]]) -> bool:
        return alike(*(np.array(tale) for tale in tales))

    assert same([turn, robbed], [turn, robbed])
    assert same([turn, drew, robbed], [turn, [*drew[:4], 18, 0, 0], turn])
    assert not same([turn, robbed], [turn, turn])
    assert not same([turn, robbed], [turn, [*robbed[:4], 1, 0, 0]])
    assert not same([turn, robbed], [turn, drew])
    assert not same([turn, robbed], [turn])


@pytest.mark.parametrize("player", ["bluffer", "counter", "expert"])
def test_without_counting_stakes_do_not_come_from_what_was_seen(player: str) -> None:
    """Nor does the bank that is robbed, nor whether: without it only face-up cards count."""
    rng = Random(3)
    changed: Counter[bool] = Counter()
    for rollout in range(GAMES):
        for game in states_of(POLICIES[player], lively_rules(rng), rollout):
            for counting in (0, 1):
                policies = game.policies.copy().view(np.recarray)
                policies.counting[:] = counting
                copies = [forgotten(game, rng) for _ in range(COPIES)]
                for question in Asker(game, policies[0]).questions():
                    if question.what in ("stake", "bank", "action"):
                        found = answers(game, question, copies)
                        same = found == [found[0]] * (1 + COPIES)
                        assert same or counting
                        changed[same] += 1
    assert changed[False] > 20


def forgotten(game: Played, rng: Random) -> Any:
    """A copy in which other cards have been seen: hands, robbed cards, and face-down cards."""
    copy = game.states.copy().view(np.recarray)
    state = copy[0]
    for seat in range(game.players):
        held = int(state.cards[seat])
        state.hand[seat, :held] = rng.sample(game.cards, held)
    state.gone[:] = rng.randint(0, 1)
    for bank in range(game.banks):
        state.seen[: game.players, bank] = rng.choice([0, ANY_PLACE >> 62 - bank_size(state, bank)])
    return copy


def bank_size(state: Any, bank: int) -> int:
    return int(state.bank_size[bank])


@pytest.mark.parametrize("player", ["bluffer", "counter", "expert"])
def test_the_switches_of_a_policy_change_no_other_decision(player: str) -> None:
    """`bluffing`: what it plays; `counting`: what it stakes and robs, and with a choice whether."""
    rng = Random(4)
    changed: Counter[str] = Counter()
    for rollout in range(GAMES):
        for game in states_of(POLICIES[player], lively_rules(rng), rollout):
            with_both = [question.ask for question in Asker(game).questions()]
            for switch, named in (
                ("bluffing", {"play"}),
                ("counting", {"stake", "bank", "action"}),
            ):
                policies = game.policies.copy().view(np.recarray)
                policies[switch][:] = 0
                pairs = zip(Asker(game, policies[0]).questions(), with_both, strict=True)
                for question, ask in pairs:
                    states = [game.states.copy().view(np.recarray) for _ in range(2)]
                    room = junk_room(rng)
                    one, other = question.ask(states[0][0], room[0]), ask(states[1][0], room[0])
                    assert one == other or question.what in named
                    changed[f"{switch} {question.what}"] += one != other
    assert (changed["bluffing play"] > 20) == (player != "counter")  # who plays by lot anyway
    assert changed["counting stake"] > 20


# The copies, and players that cheat


def test_the_copies_deal_anew_what_is_hidden_and_nothing_else() -> None:
    rng = Random(5)
    hidden: Counter[str] = Counter()
    known = 0
    for rollout in range(GAMES):
        for game in states_of(POLICIES["random"], lively_rules(rng), rollout):
            for me in range(game.players):
                copy = dealt_anew(game, game.states, me, rng)[0]
                hidden.update(compare(game, game.state, copy, me))
                known += int((game.state.seen[me] & ~game.state.open).any())
    assert known > 20
    for name in ("deck", "hand", "bank", "money", "specials", "stake"):
        assert hidden[name] > 20, name
    assert hidden["tile"] > 5


def compare(game: Played, state: Any, copy: Any, me: int) -> set[str]:
    """What differs in the copy, once it is held that only what is hidden may."""
    may = {"deck", "hand", "bank", "money", "specials", "tile", "stake", "gain"}
    assert all((state[name] == copy[name]).all() for name in set(state.dtype.names) - may)
    assert hand_of(state, me) == hand_of(copy, me)
    assert state.stake[me] == copy.stake[me]
    left = int(state.tiles_left)
    assert sorted(state.tile[:left]) == sorted(copy.tile[:left])
    assert state.tile[left:].tolist() == copy.tile[left:].tolist()
    unknown = unknown_spots(game, state, me)
    wholes = []
    for each in (state, copy):
        banks = [bank_of(each, bank) for bank in range(game.banks)]
        whole = game.deck_of(each) + [card for cards in banks for card in cards]
        wholes.append(sorted(whole + [c for seat in range(SEATS) for c in hand_of(each, seat)]))
    assert wholes[0] == wholes[1]
    for bank in range(game.banks):
        known = [n for n in range(int(state.bank_size[bank])) if (bank, n) not in unknown]
        assert state.bank[bank][known].tolist() == copy.bank[bank][known].tolist()
    return {name for name in may if (state[name] != copy[name]).any()}


def next_of(seat: int, game: Played) -> int:
    return (seat + 1) % game.players


def largest(game: Played, state: Any) -> int:
    """The bank with most cards."""
    return int(state.bank_size[: game.banks].argmax())


def last_face_down(game: Played, state: Any) -> int:
    """The last face-down card anywhere, or -1."""
    spots = [
        int(state.bank[bank, place])
        for bank in range(game.banks)
        for place in range(int(state.bank_size[bank]))
        if not int(state.open[bank]) >> place & 1
    ]
    return spots[-1] if spots else -1


EXPERTS = Played(BankRules(), [ExpertPolicy()] * SEATS, SEED, 0).policies
Decide = Callable[[Played, Any, int], Any]
CHEATS: dict[str, Decide] = {
    "the next card": lambda game, state, me: game.deck_of(state)[:1],
    "the last card": lambda game, state, me: game.deck_of(state)[-1:],
    "another's hand": lambda game, state, me: hand_of(state, next_of(me, game)),
    "whether another holds a Thief": lambda game, state, me: (
        layout.THIEF in hand_of(state, next_of(me, game))
    ),
    "the richest bank": lambda game, state, me: int(state.money[: game.banks].argmax()),
    "whether a special lies at a bank": lambda game, state, me: bool(
        state.specials[largest(game, state)]
    ),
    "a face-down card": lambda game, state, me: last_face_down(game, state),
    "the next tile": lambda game, state, me: (
        int(state.tile[state.tiles_left - 1]) if state.tiles_left else -1
    ),
    "what another stakes": lambda game, state, me: int(state.stake[next_of(me, game)]),
    "cards that were drawn": lambda game, state, me: state.deck[: state.dealt].tolist(),
    "a bank's old cards": lambda game, state, me: int(state.bank[0, state.bank_size[0]]),
}
HONEST: dict[str, Decide] = {
    "its hand": lambda game, state, me: hand_of(state, me),
    "coins of all": lambda game, state, me: state.coins.tolist(),
    "sizes": lambda game, state, me: (
        state.bank_size.tolist(),
        state.cards.tolist(),
        int(state.dealt),
        int(state.tiles_left),
    ),
    "what lies face up": lambda game, state, me: known_cards(game, state, [state.open]),
    "what it has seen": lambda game, state, me: known_cards(
        game, state, [state.open, state.seen[me]]
    ),
    "what is gone": lambda game, state, me: state.gone.tolist(),
    "what was staked": lambda game, state, me: state.staked.tolist(),
}


def known_cards(game: Played, state: Any, bits: list[Any]) -> list[int]:
    """The cards at these places of the banks."""
    return [
        int(state.bank[bank, place])
        for bank in range(game.banks)
        for place in range(int(state.bank_size[bank]))
        if any(int(some[bank]) >> place & 1 for some in bits)
    ]


def caught(decide: Callable[[Played, Any, Any, int], Any]) -> bool:
    """Whether the check that the policies must pass finds out a decision that is made like this."""
    rng = Random(7)
    for rollout in range(GAMES // 2):
        for game in states_of(POLICIES["random"], lively_rules(rng), rollout):
            copies = Copies(game, rng)
            for seat in range(game.players):

                def ask(state: Any, room: Any, game: Played = game, seat: int = seat) -> Any:
                    return decide(game, state, room, seat)

                found = answers(game, Question("cheats", seat, ask), copies[seat])
                if found != [found[0]] * len(found):
                    return True
    return False


def roomless(decide: Decide) -> Callable[[Played, Any, Any, int], Any]:
    return lambda game, state, room, me: decide(game, state, me)


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_player_that_looks_at_what_is_hidden_is_caught(cheat: str) -> None:
    assert caught(roomless(CHEATS[cheat]))


@pytest.mark.parametrize("honest", HONEST)
def test_a_player_that_looks_at_what_it_may_know_is_not_caught(honest: str) -> None:
    assert not caught(roomless(HONEST[honest]))


def test_what_another_decision_left_behind_is_caught() -> None:
    assert caught(lambda game, state, room, me: float(room.thief))


def test_a_real_decision_that_takes_the_part_of_another_seat_is_caught() -> None:
    """`expert` asked to stake by what the next seat knows, with the seat's own copies."""

    def as_the_next(game: Played, state: Any, room: Any, me: int) -> int:
        player, bank = next_of(me, game), largest(game, state)
        if not state.bank_size[bank]:
            return -1
        first = (game.rules[0], EXPERTS[0], game.key)
        tosses = int(state.tosses[player])
        stake = int(decisions.choose_stake(*first, state, player, bank, room))
        state.tosses[player] = tosses
        return stake

    assert caught(as_the_next)


def test_a_real_decision_that_knows_every_card_is_caught() -> None:
    """`expert` with all face-down cards seen: the check holds it against it."""

    def all_seeing(game: Played, state: Any, room: Any, me: int) -> int:
        bank = largest(game, state)
        if not state.bank_size[bank]:
            return -1
        seen = int(state.seen[me, bank])
        state.seen[me, bank] = ANY_PLACE
        stake = int(
            decisions.choose_stake(game.rules[0], EXPERTS[0], game.key, state, me, bank, room)
        )
        state.seen[me, bank] = seen
        return stake

    assert caught(all_seeing)
