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
VAN = SEATS  # the Man in the Van's place in arrays of piles  # B3 R45
PILES = SEATS + 1
ACES = 6  # a display holds 0..4 aces; one more may be weighed for a card that is not there
TOTALS = 64  # totals above are counted as the last
STETHOSCOPE_MINUS = 7  # T3; so totals can be as low as -7
WORTH_ROW = 128  # more than any display adds up to
DECK_ROOM = 48
NUMBER_CARDS = (1 << FIRST_GUARD) - 1  # the pile of all number cards
GUARDS = ((1 << SUITS) - 1) << FIRST_GUARD  # the pile of all Guards

# The phases of a game: it can be taken up at the start of any of them.
ROUND_START, DRAW, TRADE, PEEK, TWENTY_ONE, CRACK, ALARM, BAIL, ROUND_END, OVER = range(10)

NEXT = -1  # where to stop: before the next phase, whatever it is

# Why a game was lost (`lost_to`); also the cause of a stealth loss.
NOT_LOST, BY_DISPLAY, BY_ALARM, BY_TARGETED_ALARM = range(4)

# What random numbers are for: the `purpose` of a stream.
DEAL, REMAKE, COIN, CHARACTER, TOOL, SEARCH = range(6)

# The characters, and what stands for a seat that has none.  # B4
NO_CHARACTER = -1
HAWK, ACROBAT, HAMMER, SPOTTER, JUICER, RAVEN, ROOK, HACKER, PETERMAN = range(9)
CHARACTERS = 9

# The tools, and the windows in which they are used.  # B6 R30
CROWBAR, CRYSTAL_BALL, STETHOSCOPE, DONUTS, MAKEUP_KIT, EMP, DYNAMITE, VIRUS, SMOKE_BOMB = range(9)
TOOLS = 9
AT_START, AFTER_DRAW, AFTER_TRADE, BEFORE_ALARM, BEFORE_END = range(5)
NO_USE = -1
TARGETS = 64  # a use of a tool is tool * TARGETS + target (a card or a seat)

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
SEATED = SEAT_ALARMS + SEATS  # 1 + the character of each seat, 0 for none
USED = SEATED + SEATS  # one column a tool
ABILITY = USED + TOOLS  # one column a character
COLUMNS = ABILITY + CHARACTERS

# What a seat does with a twenty-one; DISCARD_GUARD + owner names whose Guard.
STAY, ALL_PEEK, DISCARD_GUARD = range(3)

# What a seat does with the cards it looks at: puts all back, or discards one of them.
KEEP, DISCARD_TOP, DISCARD_SECOND = range(3)

# Whose peek totals and threshold a seat has: everybody's, the Hawk's or the Juicer's.
ORDINARY, OF_HAWK, OF_JUICER = range(3)

# Players: the kinds of policy, and where each keeps its knobs.
RANDOM, SIMPLE, EXPERT, SEARCHER = range(4)
KNOBS = 128
SEARCH_KNOBS = 8
NO_PLAN = -1
NEARS = RANKS + 2  # how many cards a display can be short of a crack: 0..11


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int64) for name in names]


def _per_seat(*names: str) -> list[tuple[str, type, tuple[int]]]:
    return [(name, np.int64, (SEATS,)) for name in names]


def _per_pile(*names: str) -> list[tuple[str, type, tuple[int]]]:
    return [(name, np.int64, (PILES,)) for name in names]


RULES = np.dtype(
    [
        ("value", np.int64, (CARDS,)),  # what a card adds to the lowest reading
        ("character", np.int64, (SEATS,)),  # NO_CHARACTER where there is none or it is drawn
        ("tool", np.int64, (TOOLS,)),  # 1 for a tool that is in the deck
        *_integers(
            "players",
            "random_characters",
            "stealth",
            "stealth_cap",
            "trading",
            "peek_totals",  # one bit a total
            "hawk_peek_totals",
            "jackpot_total",  # one bit
            "flush",  # cards of one suit that open a safe; 0: no such rule
            "straight_flush",  # length of a run of one suit that opens a safe; 0: no such rule
            "crack_from",  # the fewest cards of the suit that can open a safe
            "guard_in_straight",
            "joker_in_straight",
            "burn",
            "alarm_over",
            "juicer_alarm_over",
            "alarm_discards",
            "alarm_removes",
            "targeted_safe_from",
            "win_at_once",
            "max_rounds",
            "peterman_before_guard",
            "dynamite_inactive",
        ),
    ]
)
"""The rules of one variant, as the kernel reads them."""

POLICIES = np.dtype(
    [
        ("kind", np.int64, (SEATS,)),  # RANDOM, SIMPLE, EXPERT or SEARCHER
        ("mistakes", np.float64, (SEATS,)),  # the chance that a decision is random; 1 for RANDOM
        ("trading", np.int64, (SEATS,)),  # 0: a trade that it decides is none
        ("bailing", np.int64, (SEATS,)),  # 0: leaves a round only where it must
        ("peeking", np.int64, (SEATS,)),  # 0: leaves a deck as it sees it
        ("using_tools", np.int64, (SEATS,)),  # 0: keeps its tools
        ("knobs", np.float64, (SEATS, KNOBS)),  # each kind numbers its own
        ("searching", np.int64),  # 1 if any seat is a SEARCHER
        ("search", np.float64, (SEATS, SEARCH_KNOBS)),  # how a SEARCHER searches
    ]
)
"""Who plays at each seat."""

STATE = np.dtype(
    [
        *_integers("phase", "round_number", "turn", "to_crack"),
        ("checked", np.int64),  # one bit a seat: who was active when the checks started  # B17
        ("count", np.int64, (COUNTED,)),  # the outcome columns so far
        ("used", np.int64, (TOOLS,)),  # how often each tool was used
        ("ability", np.int64, (CHARACTERS,)),  # how often each ability made a difference
        ("deck", np.int64, (PILES, DECK_ROOM)),  # the top card is the last
        *_per_pile("deck_size", "discards"),  # discards are a pile
        *_per_pile("content"),  # the cards of a deck that was remade (pile): everybody knows them
        *_per_pile("known"),  # one bit a place of the deck: cards there that everybody knows
        *_per_pile("remakes"),  # decks remade so far
        *_per_pile("current"),  # the current card or NO_CARD  # B13
        ("unseen", np.int64),  # the number cards that nobody has seen yet (pile)
        *_per_seat("display"),  # a pile
        *_per_seat("hard", "aces"),  # the display's lowest reading and how many aces it holds
        *_per_seat("suit"),  # of the Guard, and so of the safe  # B2
        *_per_seat("held"),  # cards of that suit in the display, Guard and Joker among them
        *_per_seat("stealth", "active", "cracked", "crack_round", "seat_alarms"),
        *_per_seat("character", "over", "peek_totals"),  # over: the seat's alarm threshold
        *_per_seat("totals"),  # ORDINARY, OF_HAWK or OF_JUICER
        *_per_seat("drew"),  # 1 if the seat drew a card this turn
        *_per_seat("coins"),  # random decisions taken so far
        *_per_seat("plan"),  # a decision of the coming step that a search has taken, or NO_PLAN
        *_integers("hacker", "row_size"),  # the Hacker's seat (or -1) ..
        ("row", np.int64, (DECK_ROOM,)),  # .. and its display in the order in which cards came
        *_per_seat("tools"),  # one bit a tool
        *_integers("tools_held", "tool_deck_size", "tool_shuffles"),
        ("tool_deck", np.int64, (TOOLS,)),  # the next one to be drawn is the last
        *_integers("emp", "donuts"),  # in force this round: 0 or 1; a seat or -1
    ]
)
"""A game in the middle of play; assigning one element of an array to another copies a game."""

SCRATCH = np.dtype(
    [
        ("hashes", np.uint64, (DECK_ROOM,)),
        ("cards", np.int64, (DECK_ROOM,)),
        ("flipped", np.int64, (DECK_ROOM,)),  # the cards that an alarm takes from a deck
        ("order", np.int64, (TOOLS,)),  # tools or characters being shuffled
        ("value", np.int64, (SEATS,)),  # of the movable cards: value, suits, and 1 for an ace
        ("suits", np.int64, (SEATS,)),
        ("ace", np.int64, (SEATS,)),
        ("movable", np.int64, (SEATS,)),  # who may trade: seats, and the VAN last
        ("takes", np.int64, (SEATS,)),  # whose card each of them receives
        *_integers("hacker_at", "other_card"),  # the Hacker's choice of what to give, see trade.py
        ("step", np.int64, (SEATS,)),  # what a movable card adds to a place in `worth`
        # what a trade by `simple` makes of a display, by leader and whose totals; its place is
        # aces * WORTH_ROW + the lowest reading + STETHOSCOPE_MINUS
        ("worth", np.float64, (SEATS, 3, ACES * WORTH_ROW)),
        # what `expert`, deciding a trade, makes of being 0, 1, .. cards short of the crack
        ("by_near", np.float64, (SEATS, NEARS, 3)),
        ("looked_ahead", np.int64),  # 1 if what follows is up to date: each seat's next card
        ("shown", np.int64),  # the seats (bits) whose Guard lies in a display
        ("next_cards", np.int64, (SEATS,)),  # what it can be but the Guard (pile)
        ("next_share", np.float64, (SEATS,)),  # 1 / how many cards these are
        ("next_guard", np.float64, (SEATS,)),  # the chance that it is the Guard
        ("score", np.float64, (SEATS, SEATS)),  # what movable seat i makes of movable card j
    ]
)
"""Room that the kernels overwrite; made once a batch."""
