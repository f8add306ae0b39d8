"""Who decides what: each decision asks the seat's policy, or chance where it plays at random."""

from kernels.bank import players, simple
from kernels.bank.banks import face_down, find_face_down
from kernels.bank.layout import ACTIONS, COIN, RANDOM, SIMPLE
from kernels.jit import inlined, jit
from kernels.streams import below, draw, stream, uniform


@jit
def toss(key, state, seat):
    """64 random bits (uint64) for a decision of this seat; counts them in ``state.tosses``."""
    times = state.tosses[seat]
    state.tosses[seat] = times + 1
    return draw(stream(key, COIN, seat, times), 0)


@jit
def by_chance(policies, key, state, seat):
    """Whether this decision of the seat is drawn from all that is legal.

    By mistake, or always: `random` is a policy of nothing but mistakes.
    """
    chance = policies.mistakes[seat]
    if chance == 0.0:
        return False
    return chance == 1.0 or uniform(toss(key, state, seat)) < chance


@jit
def choose_action(rules, policies, key, state, seat, scratch):
    """Play, look, reveal or rob, where the seat may choose."""  # K4
    chance = by_chance(policies, key, state, seat)
    bits = toss(key, state, seat)
    if chance:
        return below(bits, ACTIONS)
    if policies.kind[seat] == SIMPLE:
        return simple.choose_action(bits)
    return players.choose_action(rules, policies, state, seat, bits, scratch)


@inlined
def choose_play(rules, policies, key, state, seat):
    """Which card of the hand to play to which bank: place * 64 + bank."""  # K5
    chance = by_chance(policies, key, state, seat)
    by_lot = policies.kind[seat] == SIMPLE or not policies.bluffing[seat]
    if chance or by_lot or players.plays_by_lot(policies.knobs[seat]):
        pick = below(toss(key, state, seat), state.cards[seat] * rules.banks)
        place = pick // rules.banks
        return place * 64 + pick - place * rules.banks
    return players.choose_play(rules, policies, state, seat)


@inlined
def choose_card(rules, policies, key, state, seat, reveal):
    """Which face-down card to look at or to turn up: bank * 64 + place, or -1."""  # K6 K7
    n = face_down(rules, state)
    if n == 0:
        return -1
    chance = by_chance(policies, key, state, seat)
    pick = find_face_down(rules, state, below(toss(key, state, seat), n))
    if chance or policies.kind[seat] == SIMPLE:
        return pick
    if reveal:
        return players.choose_reveal(rules, policies.knobs[seat], state, seat, pick)
    return players.choose_look(rules, policies.knobs[seat], state, seat, pick)


@inlined
def choose_bank(rules, policies, key, state, seat, scratch):
    """The bank to rob, one that holds cards, or -1."""  # K8
    holding = 0
    for bank in range(rules.banks):
        holding += state.bank_size[bank] > 0
    if holding == 0:
        return -1
    if by_chance(policies, key, state, seat):
        pick = below(toss(key, state, seat), holding)
        for bank in range(rules.banks):
            if state.bank_size[bank] > 0:
                if pick == 0:
                    return bank
                pick -= 1
    if policies.kind[seat] == SIMPLE or policies.kind[seat] == RANDOM:
        return simple.choose_bank(rules, state)
    return players.choose_bank(rules, policies, state, seat, scratch)


@inlined
def choose_stake(rules, policies, key, state, seat, bank, scratch):
    """What the seat stakes, 0 .. all that it can."""  # K10 K22
    if policies.kind[seat] == SIMPLE and policies.mistakes[seat] == 0.0:
        noise = int(policies.knobs[seat, simple.NOISE])
        share = policies.knobs[seat, simple.SHARE]
        return simple.stake(rules, state, seat, bank, share, noise, toss(key, state, seat))
    if by_chance(policies, key, state, seat):
        return below(toss(key, state, seat), players.limit(rules, state, seat) + 1)
    bits = toss(key, state, seat)
    if policies.kind[seat] == SIMPLE:
        noise = int(policies.knobs[seat, simple.NOISE])
        share = policies.knobs[seat, simple.SHARE]
        return simple.stake(rules, state, seat, bank, share, noise, bits)
    return players.choose_stake(rules, policies, state, seat, bank, bits, scratch)
