"""What the numbers of Burgle Bros Blackjack mean: cards, columns, rules, players, state.

Rules, players and state are NumPy records: compiled code passes a record as one pointer, while a
tuple of arrays costs a reference count per array and call (see docs/decisions/0003-records.md).
They travel as arrays of length 1 (`np.recarray`), so that they work without the compiler as well.
"""

import numpy as np

# Cards: 0..39 are the number cards, suit * 10 + rank - 1; then the four Guards, the Joker. # B1
RANKS = 10
SUITS = 4
FIRST_GUARD = 40
JOKER = 44
CARDS = 45
NO_CARD = -1

SEATS = 4
ACES = 6  # a display holds 0..4 aces; one more may be weighed for a card that is not there
TOTALS = 64  # totals above are counted as the last
DECK_ROOM = 48

# The phases of a game: it can be taken up at the start of any of them.
ROUND_START, DRAW, TRADE, PEEK, TWENTY_ONE, CRACK, ALARM, BAIL, ROUND_END, OVER = range(10)

# Why a game was lost (`lost_to`); also the cause of a stealth loss.
NOT_LOST, BY_DISPLAY, BY_ALARM, BY_TARGETED_ALARM = range(4)

# What random numbers are for: the `purpose` of a stream.
DEAL, REMAKE, COIN = range(3)

# Outcome columns that are counted while playing; the per-seat columns follow them in a row.
(
    WON,
    STALLED,
    LOST_TO,
    ROUNDS,
    TURNS,
    DRAWS,
    CRACKED,
    ALARMS,
    TARGETED_ALARMS,
    STEALTH_LOST,
    TRADES,
    TWENTY_ONES,
    PEEKS,
    TOOLS_USED,
    REMOVED,
) = range(15)
COUNTED = 15
CRACK_ROUND = COUNTED
STEALTH_LEFT = CRACK_ROUND + SEATS
SEAT_ALARMS = STEALTH_LEFT + SEATS
COLUMNS = SEAT_ALARMS + SEATS

# What a seat does with a twenty-one; DISCARD_GUARD + owner names whose Guard.
STAY, ALL_PEEK, DISCARD_GUARD = range(3)

# Players: the kinds of policy, and where each keeps its knobs.
RANDOM, SIMPLE, EXPERT = range(3)
KNOBS = 32


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int64) for name in names]


def _per_seat(*names: str) -> list[tuple[str, type, tuple[int]]]:
    return [(name, np.int64, (SEATS,)) for name in names]


RULES = np.dtype(
    [
        ("value", np.int64, (CARDS,)),  # what a card adds to the lowest reading
        *_integers(
            "stealth",
            "trading",
            "peek_totals",  # one bit a total
            "jackpot_total",  # one bit
            "flush",  # cards of one suit that open a safe; 0: no such rule
            "straight_flush",  # length of a run of one suit that opens a safe; 0: no such rule
            "crack_from",  # the fewest cards of the suit that can open a safe
            "guard_in_straight",
            "joker_in_straight",
            "burn",
            "alarm_over",
            "alarm_discards",
            "alarm_removes",
            "targeted_safe_from",
            "win_at_once",
            "max_rounds",
        ),
    ]
)
"""The rules of one variant, as the kernel reads them."""

POLICIES = np.dtype(
    [
        ("kind", np.int64, (SEATS,)),  # RANDOM, SIMPLE or EXPERT
        ("mistakes", np.float64, (SEATS,)),  # the chance that a decision is random; 1 for RANDOM
        ("knobs", np.float64, (SEATS, KNOBS)),  # each kind numbers its own
    ]
)
"""Who plays at each seat."""

STATE = np.dtype(
    [
        *_integers("phase", "round_number", "turn", "to_crack"),
        ("checked", np.int64),  # one bit a seat: who was active when the checks started  # B17
        ("count", np.int64, (COUNTED,)),  # the outcome columns so far
        ("deck", np.int64, (SEATS, DECK_ROOM)),  # the top card is the last
        *_per_seat("deck_size", "discards", "display"),  # discards and display are piles
        *_per_seat("current"),  # the current card or NO_CARD  # B13
        *_per_seat("hard", "aces"),  # the display's lowest reading and how many aces it holds
        *_per_seat("suit"),  # of the Guard, and so of the safe  # B2
        *_per_seat("held"),  # cards of that suit in the display, Guard and Joker among them
        *_per_seat("stealth", "active", "cracked", "crack_round", "seat_alarms"),
        *_per_seat("drew"),  # 1 if the seat drew a card this turn
        *_per_seat("known_top"),  # the deck's top card where a peek has shown it, else NO_CARD
        *_per_seat("remakes", "coins"),  # decks remade and random decisions taken so far
    ]
)
"""A game in the middle of play; assigning one element of an array to another copies a game."""

SCRATCH = np.dtype(
    [
        ("hashes", np.uint64, (DECK_ROOM,)),
        ("cards", np.int64, (DECK_ROOM,)),
        ("flipped", np.int64, (DECK_ROOM,)),  # the cards that an alarm takes from a deck
        ("value", np.int64, (SEATS,)),  # of the movable cards: value, suit, and 1 for an ace
        ("suit", np.int64, (SEATS,)),
        ("ace", np.int64, (SEATS,)),
        ("movable", np.int64, (SEATS,)),  # the seats whose current card may be traded
        ("takes", np.int64, (SEATS,)),  # whose card each movable seat receives
        ("worth", np.float64, (SEATS, ACES, TOTALS)),  # what a trade by `simple` makes of a total
        ("score", np.float64, (SEATS, SEATS)),  # what movable seat i makes of movable card j
    ]
)
"""Room that the kernels overwrite; made once a batch."""
