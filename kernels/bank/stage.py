"""A robbery without a game around it: many of them by lot, and exact payoffs by enumeration."""

import numpy as np

from kernels.bank.layout import (
    CONTENT,
    COUNT_BITS,
    DECK_ROOM,
    GUARDED,
    LADIES,
    PAID,
    SEATS,
    SHORT,
    SPECIALS,
    STAKE,
    THIEVED,
)
from kernels.bank.robbery import resolve
from kernels.jit import jit
from kernels.streams import below, draw, rollout_key, stream, uniform

GAIN = 0
STAKED = GAIN + SEATS
RESULTS = STAKED + SEATS
COLUMNS = RESULTS + 5
FIXED, UNIFORM, MIXED = range(3)  # where the stakes come from
MOST_STAKES = 256
MOST_POTS = 256

STAGE = np.dtype(
    [
        *[(name, np.int64) for name in ("players", "robber", "drawn_cards", "cards", "pots")],
        ("card", np.int64, (DECK_ROOM,)),
        ("pot", np.int64, (MOST_POTS,)),
        ("pot_chance", np.float64, (MOST_POTS,)),  # cumulative
        ("specials", np.int64),  # what lies at the bank in every robbery
        ("source", np.int64, (SEATS,)),  # FIXED, UNIFORM or MIXED
        ("low", np.int64, (SEATS,)),
        ("high", np.int64, (SEATS,)),
        ("mix", np.float64, (SEATS, MOST_STAKES)),  # cumulative chances of stakes
    ]
)
"""What a stage robbery is made of, beside the RULES."""


@jit
def draw_pot(stage, start):
    """The pot: the only one, or one by its chance."""
    if stage.pots == 1:
        return stage.pot[0]
    lot = uniform(draw(start, 0))
    place = 0
    while place < stage.pots - 1 and stage.pot_chance[place] <= lot:
        place += 1
    return stage.pot[place]


@jit
def draw_stake(stage, seat, start):
    """What a seat stakes."""
    if stage.source[seat] == FIXED:
        return stage.low[seat]
    bits = draw(start, seat)
    if stage.source[seat] == UNIFORM:
        return stage.low[seat] + below(bits, stage.high[seat] - stage.low[seat] + 1)
    lot = uniform(bits)
    stake = 0
    while stage.mix[seat, stake] <= lot:
        stake += 1
    return stake


@jit
def play_many(rules, stages, seed, first, outcomes):
    """Resolve rollouts ``first``, ``first + 1``, .. of a seed (uint64), one for each row.

    ``rules`` (RULES) and ``stages`` (STAGE) have the shape (1,); ``outcomes`` (int32, shape
    (rollouts, COLUMNS)) is filled.
    """
    stage = stages[0]
    given = rules[0]
    players = stage.players
    stakes = np.zeros(SEATS, np.int64)
    gains = np.zeros(SEATS, np.int64)
    order = np.zeros(SEATS, np.int64)
    deck = stage.card[: stage.cards].copy()
    places = np.zeros(DECK_ROOM, np.int64)
    for i in range(outcomes.shape[0]):
        key = rollout_key(seed, first + i)
        start = stream(key, CONTENT, 0, 0)
        specials = stage.specials
        if stage.drawn_cards > 0:
            pot = 0
            for card in range(stage.drawn_cards):
                place = card + below(draw(start, card), stage.cards - card)
                places[card] = place
                deck[card], deck[place] = deck[place], deck[card]
                kind = deck[card]
                pot += given.value[kind]
                specials += 1 << (kind * COUNT_BITS) if kind < SPECIALS else 0
            for card in range(stage.drawn_cards - 1, -1, -1):  # back: each rollout for itself
                place = places[card]
                deck[card], deck[place] = deck[place], deck[card]
        else:
            pot = draw_pot(stage, start)
        bids = stream(key, STAKE, 0, 0)
        for seat in range(players):
            stakes[seat] = draw_stake(stage, seat, bids)
        robber = stage.robber
        if robber < 0:
            robber = below(draw(bids, SEATS), players)
        what = resolve(given, players, pot, specials, robber, stakes, gains, order)
        for seat in range(players):
            outcomes[i, GAIN + seat] = gains[seat]
            outcomes[i, STAKED + seat] = stakes[seat]
        outcomes[i, RESULTS] = what & PAID != 0
        outcomes[i, RESULTS + 1] = what & SHORT != 0
        outcomes[i, RESULTS + 2] = what & GUARDED != 0
        outcomes[i, RESULTS + 3] = what & THIEVED != 0
        outcomes[i, RESULTS + 4] = what & LADIES != 0


@jit
def payoffs(rules, players, pots, specials, chances, others, seatings, found):
    """What every stake is expected to gain against given stakes of the others.

    ``pots`` and ``specials`` (int64) are the banks that there can be, ``chances`` (float64) how
    likely each is. ``others`` (int64, shape (profiles, players - 1)) holds stakes of the others,
    who sit in each of the orders of ``seatings`` (int64, shape (orders, players - 1)) equally
    often; who robs is drawn by lot. ``found`` (float64, shape (stakes, profiles), modified) gets
    the expected gains beyond the stake.
    """
    given = rules[0]
    stakes = np.zeros(SEATS, np.int64)
    gains = np.zeros(SEATS, np.int64)
    order = np.zeros(SEATS, np.int64)
    for profile in range(others.shape[0]):
        for stake in range(found.shape[0]):
            stakes[0] = stake
            total = 0.0
            for seating in range(seatings.shape[0]):
                for seat in range(players - 1):
                    stakes[1 + seat] = others[profile, seatings[seating, seat]]
                for robber in range(players):
                    for bank in range(pots.shape[0]):
                        resolve(
                            given, players, pots[bank], specials[bank], robber, stakes, gains, order
                        )
                        total += chances[bank] * gains[0]
            found[stake, profile] = total / (players * seatings.shape[0])
