"""What the numbers of Bank Robbers mean: cards, columns, rules, players, state.

Rules, players and state are NumPy records of length 1, see docs/decisions/0003-records.md.
"""

import numpy as np

SEATS = 5
BANKS = 10
DECK_ROOM = 128
HAND_ROOM = 16
BANK_ROOM = 62  # cards at one bank: one bit each tells which lie face up
NOBODY = -1

# Cards are kinds: the specials, then money, whose values the rules hold.  # K3
LADY, GUARD, JUDGE, THIEF, MULTIPLY = range(5)
SPECIALS = 5
KINDS = 32
COUNT_BITS = 8  # how many of each special lie at a bank, packed into one number
COUNT = (1 << COUNT_BITS) - 1

# The actions, by tile or choice.  # K4
PLAY, LOOK, REVEAL, ROB = range(4)
ACTIONS = 4
TILES = 64

# Where a game stands, and can be taken up.
TURN_START, CHOOSE, OVER = range(3)
NEXT = -1  # where to stop: before the next step, whatever it is

# What happened in a robbery, as bits.
PAID, SHORT, GUARDED, THIEVED, LADIES = 1, 2, 4, 8, 16

# What is left of a bank.  # K19
DISCARD, KEEP_MONEY, REFILL = range(3)

# What random numbers are for: the `purpose` of a stream.
DEAL, TILE, COIN, STAKE, CONTENT = range(5)

# Outcome columns; those per seat have places in a row.
WIN_SHARE = 0
COINS = WIN_SHARE + SEATS
ROBBERIES = COINS + SEATS
(
    ENDED_PAID,
    ENDED_SHORT,
    ENDED_GUARDED,
    ENDED_THIEVED,
    WITH_LADY,
    POT,
    STAKES,
    COINS_PAID,
    COINS_THIEVED,
    REWARDS,
    COINS_LOST,
    TURNS,
) = range(ROBBERIES + 1, ROBBERIES + 13)
ROBBED = TURNS + 1
STALLED = ROBBED + SEATS
COLUMNS = STALLED + 1
WHOLE_WIN = 60  # what the shares of a win add up to

# Players: the kinds of policy, and how many knobs each may have.
RANDOM, SIMPLE, PLANNER = range(3)
KNOBS = 32
MIX_ROWS = 16  # an equilibrium policy has a mix of stakes for each number of cards at a bank
MIX_STAKES = 64


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int64) for name in names]


def _per_seat(*names: str) -> list[tuple[str, type, tuple[int]]]:
    return [(name, np.int64, (SEATS,)) for name in names]


RULES = np.dtype(
    [
        *_integers(
            "players",
            "coins",
            "hand",
            "banks",
            "cards",
            "tiles",  # how many; 0: the seat chooses its action
            "lose_on_shortfall",
            "together",  # equal stakes are paid together or not at all
            "guard_reward",
            "published",  # how specials cancel each other
            "after_robbery",
            "credit_to",
            "max_turns",
        ),
        ("card", np.int64, (DECK_ROOM,)),  # the cards of the deck in any order
        ("value", np.int64, (KINDS,)),  # coins; 0 for specials
        ("tile", np.int64, (TILES,)),
        ("money", np.int64),  # what all cards of the deck add up to
        ("mean_value", np.float64),  # the mean value of a card of the deck
    ]
)
"""The rules of one variant, as the kernel reads them."""

POLICIES = np.dtype(
    [
        ("kind", np.int64, (SEATS,)),
        ("mistakes", np.float64, (SEATS,)),  # the chance that a decision is random; 1 for RANDOM
        ("knobs", np.float64, (SEATS, KNOBS)),
        ("bluffing", np.int64, (SEATS,)),  # 0: plays cards by lot
        ("counting", np.int64, (SEATS,)),  # 0: makes nothing of the cards that it has seen
        ("shuffled", np.int64, (SEATS,)),  # 1: its beliefs are those of another bank (for a test)
        ("mix", np.float64, (SEATS, MIX_ROWS, MIX_STAKES)),  # cumulative chances of stakes
    ]
)
"""Who plays at each seat."""

STATE = np.dtype(
    [
        *_integers("phase", "turn", "seat", "dealt", "tiles_left", "tile_shuffles"),
        ("count", np.int64, (COLUMNS,)),  # the outcome columns so far
        ("deck", np.int64, (DECK_ROOM,)),  # the next card is at `dealt`
        ("tile", np.int64, (TILES,)),  # the next tile is the last of `tiles_left`
        ("hand", np.int64, (SEATS, HAND_ROOM)),
        *_per_seat("cards", "coins"),
        ("bank", np.int64, (BANKS, BANK_ROOM)),  # cards in the order in which they came
        ("bank_size", np.int64, (BANKS,)),
        ("open", np.int64, (BANKS,)),  # one bit a place: face-up cards
        ("seen", np.int64, (SEATS, BANKS)),  # one bit a place: face-down cards the seat knows
        ("money", np.int64, (BANKS,)),  # what the bank's cards add up to
        ("specials", np.int64, (BANKS,)),  # how many of each special, COUNT_BITS each
        ("gone", np.int64, (KINDS,)),  # cards that have been robbed, by kind: everybody saw them
        *_per_seat("staked"),  # coins staked so far ..
        ("fair", np.float64),  # .. and what a mean share of these banks would have been
        *_per_seat("tosses"),  # random decisions taken so far
        ("stake", np.int64, (SEATS,)),
        ("gain", np.int64, (SEATS,)),
        ("order", np.int64, (SEATS,)),  # in which the last robbery was paid
    ]
)
"""A game in the middle of play; assigning one element of an array to another copies a game."""

SCRATCH = np.dtype(
    [
        ("unseen", np.int64, (KINDS,)),  # cards that a seat has not seen, by kind
        # what a seat believes of a bank: its pot and how far that may be off, and the chances
        # that a Thief, a Guard, a Judge acts
        *[(name, np.float64) for name in ("pot", "pot_spread", "thief", "guard", "judge")],
        ("known_share", np.float64),  # how much of the bank the seat knows
        ("expected", np.float64, (SEATS,)),  # what the others may stake
        ("other_bank", np.int64),
    ]
)
"""Room that the kernels overwrite; made once a batch."""
