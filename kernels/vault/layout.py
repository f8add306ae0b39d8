"""What the numbers of Vault Breakers mean: cards, columns, rules, players, state.

Rules, players and state are NumPy records of length 1, see docs/decisions/0003-records.md.
"""

import numpy as np

# Training cards are suit * PLACES + place. A number card's place is its value - 1, so that an ace
# that counts 11 stands above the ten; the faces follow.  # V2 V10
SUITS = 4
DIAMONDS, CLUBS, HEARTS, SPADES = range(4)
PLACES = 16
SET_ROOM = 64  # cards of one set
SUMS = 80  # sums of the cards of a set
VALUES = 11  # number cards are worth 1..11
JACK, QUEEN, KING = 11, 12, 13
NUMBERS = (1 << VALUES) - 1  # the places (bits) of number cards
FACES = 1 << JACK | 1 << QUEEN | 1 << KING

SEATS = 6
NOBODY = -1
THRESHOLDS = 10
SHARES = 12  # loot cards of a break
LOOT_ROOM = 128
DECK_ROOM = 512  # training cards; a power of two
PILE_ROOM = 64  # cards of the action or the reaction deck; a power of two
KINDS = 32  # different cards of such a deck
DICE_ROOM = 128
MOST_DICE = 72  # whose chances are tabled: twelve for each of six seats
MOST_PIPS = 6 * MOST_DICE
SIDES = 6

# Where a game stands, and can be taken up.
TURN_START, TRAIN, CHOOSE, OVER = range(4)
NEXT = -1  # where to stop: before the next step, whatever it is

BY_BREAKS, BY_REVEAL, BY_STALLING = range(3)

# What random numbers are for: the `purpose` of a stream.
DEAL, LOOT, ACTIONS, REACTIONS, ROLL, REROLL, FAILURE, LOSS, TARGET, COIN = range(10)

# The failure die.  # V17
SKIP, ONE_CARD, ALL_CARDS, ONE_TOKEN, ALL_TOKENS, ONE_LOOT = range(1, 7)

# What action and reaction cards do.  # V5
(
    GAIN_TOKENS,
    STEAL_TOKEN,
    DESTROY_TOKEN,
    DRAW_TRAINING,
    STEAL_TRAINING,
    DISCARD_TRAINING,
    STEAL_LOOT,
    SWAP_LOOT,
    PEEK_LOOT,
    EXTRA_DIE,
    REROLL_LOWEST,
    ADD_TO_ROLL,
    LOWER_THRESHOLD,
    PROTECT,
    CANCEL_ACTION,
    IGNORE_FAILURE,
    JOIN_UNINVITED,
    SKIP_PLAYER,
) = range(18)
LEADER, RICHEST, ANYBODY, LEFT, RIGHT = range(5)  # target rules
NO_TARGET = -1
ON_TARGETED, ON_ANY_BREAK, ON_MY_FAILURE, ON_ACTION = range(4)
ACTION, REACTION = range(2)  # the two decks
NO_CARD = -1
ANY_COLOUR = SUITS  # the place of the cost that any token pays

# What a seat does at the end of its turn.
PASS, ACT, BREAK = range(3)

# Outcome columns; those per seat, threshold or die have places in a row.
WIN_SHARE = 0
VP = WIN_SHARE + SEATS
HELD = VP + SEATS  # loot cards
BREAKS = HELD + SEATS
ATTEMPTS = BREAKS + 1
ATTEMPTS_AT = ATTEMPTS + 1
BROKEN_AT = ATTEMPTS_AT + THRESHOLDS
DICE = BROKEN_AT + THRESHOLDS
PARTICIPANTS = DICE + 1
EARNED = PARTICIPANTS + 1
SPENT = EARNED + 1
WASTED = SPENT + 1
FAILURES = WASTED + 1
TURNS = FAILURES + SIDES
ENDED_BY = TURNS + 1
STALLED = ENDED_BY + 1
COLUMNS = STALLED + 1
WHOLE_WIN = 60  # what the shares of a win add up to

# Players: the kinds of policy, and how many knobs each may have.
RANDOM, SIMPLE, RULE_OF_THUMB, EXPERT = range(4)
KNOBS = 40


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int64) for name in names]


def _per_seat(*names: str) -> list[tuple[str, type, tuple[int]]]:
    return [(name, np.int64, (SEATS,)) for name in names]


RULES = np.dtype(
    [
        *_integers(
            "players",
            "start_cards",
            "tokens_each",
            "draw",
            "combine_at",
            "dice",
            "table_limit",  # 1: the dice limit is for all participants together
            "first_needs_partner",
            "thresholds",  # how many
            "loot_per_break",
            "failure_hits_all",
            "reveal_at",
            "max_turns",
            "training_cards",
            "loot_cards",
        ),
        ("training", np.int64, (DECK_ROOM,)),  # the training cards in any order
        ("loot", np.int64, (LOOT_ROOM,)),  # the values of the loot cards in any order
        ("threshold", np.int64, (THRESHOLDS,)),
        # the chance that n dice reach at least so many pips
        ("reach", np.float64, (MOST_DICE + 1, MOST_PIPS + 2)),
        # action cards and reaction cards: kinds of cards, and the decks made of them
        ("cards", np.int64, (2,)),
        ("card", np.int64, (2, PILE_ROOM)),  # the kind of each card
        ("effect", np.int64, (2, KINDS)),
        ("amount", np.int64, (2, KINDS)),
        ("target", np.int64, (2, KINDS)),  # NO_TARGET or a target rule
        ("moment", np.int64, (2, KINDS)),
        ("cost", np.int64, (2, KINDS, SUITS + 1)),  # tokens by colour, and of any colour
    ]
)
"""The rules of one variant, as the kernel reads them."""

POLICIES = np.dtype(
    [
        ("kind", np.int64, (SEATS,)),
        ("mistakes", np.float64, (SEATS,)),  # the chance that a decision is random; 1 for RANDOM
        ("knobs", np.float64, (SEATS, KNOBS)),  # each kind numbers its own
        ("weights", np.float64, (SEATS, KNOBS)),  # what actions and reactions are weighed by
        ("acting", np.int64, (SEATS,)),  # 0: plays no action and no reaction
        ("inviting", np.int64, (SEATS,)),  # 0: invites nobody
        ("joining", np.int64, (SEATS,)),  # 0: accepts no invitation
    ]
)
"""Who plays at each seat."""

STATE = np.dtype(
    [
        *_integers("phase", "turn", "seat", "breaks"),
        ("count", np.int64, (COLUMNS,)),  # the outcome columns so far
        ("deck", np.int64, (DECK_ROOM,)),  # a ring: the top card at deck_top
        *_integers("deck_top", "deck_size"),
        ("copies", np.int64, (SEATS, SUITS)),  # four bits a place: how many of each card
        ("ranks", np.int64, (SEATS, SUITS)),  # one bit a place: which cards
        ("points", np.int64, (SEATS, SUITS)),  # what the number cards add up to
        *_per_seat("cards"),  # training cards in hand
        ("token", np.int64, (SEATS, SUITS)),
        *_per_seat("tokens"),
        ("supply", np.int64, (SUITS,)),
        ("vault", np.int64, (LOOT_ROOM,)),  # loot cards, the top one at vault_top
        ("vault_top", np.int64),
        ("loot", np.int64, (SEATS, LOOT_ROOM)),
        *_per_seat("loots", "vp"),
        *_per_seat("seen"),  # the Vault's cards that lie above this place are known to the seat
        *_per_seat("skips"),  # 1: must skip its next turn
        ("pile", np.int64, (2, PILE_ROOM)),  # rings of action and reaction cards
        ("pile_top", np.int64, (2,)),
        ("pile_size", np.int64, (2,)),
        ("holds", np.int64, (2, SEATS)),  # the action and the reaction of a seat, or NO_CARD
        *_per_seat("coins"),  # random decisions taken so far
        *_per_seat("losses"),  # times that something was lost at random
        *_integers("targets", "rerolls"),
    ]
)
"""A game in the middle of play; assigning one element of an array to another copies a game."""

SCRATCH = np.dtype(
    [
        *_per_seat("part"),  # dice that each seat gives to the break that is being made
        *_per_seat("refused"),  # 1: has declined this turn
        ("share", np.int64, (SHARES,)),  # who gets the first, second, .. loot card of it
        *_integers("shares", "taken"),  # how many cards are shared; taken by uninvited seats
        *_integers("extra", "lowered", "added"),  # dice and pips by reactions
        ("dice", np.int64, (DICE_ROOM,)),
        ("order", np.int64, (DECK_ROOM,)),
        # the fewest dice with which each seat, by its knob, breaks at each threshold
        ("enough", np.int64, (SEATS, THRESHOLDS)),
        ("set", np.int64, (SET_ROOM,)),  # places of the cards that are being combined
        # how sums of a suit's cards can be made: the place of the card added last, or -1
        ("last", np.int64, (SUMS,)),
        ("loot_total", np.int64),  # VP of all loot cards
        # what a reaction is asked about: who breaks or acts, and with what effect and amount
        *_integers("who", "what", "how_much", "late", "total", "aim"),
    ]
)
"""Room that the kernels overwrite; made once a batch."""
