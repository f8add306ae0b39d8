"""The set-up: characters, decks, Guards, the Man in the Van and the tool deck."""

from kernels.burgle.happenings import DEALT, tell_deck
from kernels.burgle.layout import (
    CHARACTER,
    CHARACTERS,
    DEAL,
    HACKER,
    HAMMER,
    HAWK,
    JUICER,
    NO_CARD,
    NO_CHARACTER,
    NO_PLAN,
    NUMBER_CARDS,
    OF_HAWK,
    OF_JUICER,
    ORDINARY,
    RANKS,
    ROUND_START,
    SEATS,
    SUITS,
    TOOLS,
    VAN,
)
from kernels.burgle.table import guard_of
from kernels.burgle.tools import shuffle_tools, take_tool
from kernels.cards import shuffle
from kernels.jit import jit
from kernels.streams import below, draw, stream

CARDS_TO_DEAL = RANKS * SUITS
DEALT_CARDS = CARDS_TO_DEAL // SEATS  # each seat gets so many, whatever the number of seats
GUARD_DRAWS = 64  # draws of the deal's stream from here on place the Guards


@jit
def begin(rules, policies, key, state, scratch, events):
    """Deal a new game into ``state`` (modified in place)."""  # B1 B2 B4 B5 B10
    state.count[:] = 0
    state.used[:] = 0
    state.ability[:] = 0
    state.round_number = 0
    state.turn = 0
    state.phase = ROUND_START
    state.to_crack = rules.players
    state.unseen = NUMBER_CARDS
    state.emp = 0
    state.donuts = -1
    state.hacker = -1
    state.row_size = 0
    assign_characters(rules, key, state, scratch)
    start = stream(key, DEAL, 0, 0)
    for seat in range(SEATS):
        state.suit[seat] = seat
    shuffle(state.suit, SEATS, draw(start, GUARD_DRAWS))
    for card in range(CARDS_TO_DEAL):
        scratch.cards[card] = card
    shuffle(scratch.cards, CARDS_TO_DEAL, start)
    for seat in range(SEATS):
        reset_seat(rules, state, seat)
    for seat in range(rules.players):
        guard_at = below(draw(start, GUARD_DRAWS + 1 + seat), DEALT_CARDS + 1)
        for i in range(DEALT_CARDS):
            state.deck[seat, i + (i >= guard_at)] = scratch.cards[seat * DEALT_CARDS + i]
        state.deck[seat, guard_at] = guard_of(state.suit[seat])
        state.deck_size[seat] = DEALT_CARDS + 1
        character = state.character[seat] + 1
        tell_deck(state, events, DEALT, seat, guard_of(state.suit[seat]), character)
    if rules.players < SEATS:
        deal_to_van(rules, key, state, scratch)
        tell_deck(state, events, DEALT, VAN, 0, 0)
    deal_tools(rules, policies, key, state, scratch, events)


@jit
def assign_characters(rules, key, state, scratch):
    """Seat the characters that the rules name, or distinct ones drawn by lot."""  # B4
    if rules.random_characters:
        for character in range(CHARACTERS):
            scratch.order[character] = character
        shuffle(scratch.order, CHARACTERS, stream(key, CHARACTER, 0, 0))
    for seat in range(SEATS):
        drawn = scratch.order[seat] if rules.random_characters else rules.character[seat]
        state.character[seat] = drawn if seat < rules.players else NO_CHARACTER


@jit
def reset_seat(rules, state, seat):
    """A seat before the first round: full stealth, nothing in front of it."""  # B5 C1 C5
    character = state.character[seat]
    state.stealth[seat] = rules.stealth if seat < rules.players else 0
    state.over[seat] = rules.alarm_over
    state.peek_totals[seat] = rules.peek_totals
    state.totals[seat] = ORDINARY
    if character == JUICER:
        state.over[seat] = rules.juicer_alarm_over
        state.totals[seat] = OF_JUICER
    elif character == HAWK:
        state.peek_totals[seat] = rules.hawk_peek_totals
        state.totals[seat] = OF_HAWK
    elif character == HACKER:
        state.hacker = seat
    state.active[seat] = 0
    state.cracked[seat] = 0
    state.display[seat] = 0
    state.discards[seat] = 0
    state.deck_size[seat] = 0
    state.content[seat] = 0
    state.known[seat] = 0
    state.remakes[seat] = 0
    state.hard[seat] = 0
    state.held[seat] = 0
    state.aces[seat] = 0
    state.drew[seat] = 0
    state.current[seat] = NO_CARD
    state.crack_round[seat] = 0
    state.seat_alarms[seat] = 0
    state.coins[seat] = 0
    state.plan[seat] = NO_PLAN
    state.tools[seat] = 0


@jit
def deal_to_van(rules, key, state, scratch):
    """The Van's deck: the cards that no seat was dealt and the unclaimed Jacks."""  # B3
    n = 0
    for i in range(rules.players * DEALT_CARDS, CARDS_TO_DEAL):
        state.deck[VAN, n] = scratch.cards[i]
        n += 1
    for seat in range(rules.players, SEATS):
        state.deck[VAN, n] = guard_of(state.suit[seat])
        n += 1
    shuffle(state.deck[VAN], n, stream(key, DEAL, VAN, 0))
    state.deck_size[VAN] = n
    state.discards[VAN] = 0
    state.content[VAN] = 0
    state.known[VAN] = 0
    state.remakes[VAN] = 0
    state.current[VAN] = NO_CARD


@jit
def deal_tools(rules, policies, key, state, scratch, events):
    """Shuffle the tools that are in the game; the Hammer takes its first one."""  # B6 C3
    state.tools_held = 0
    state.tool_deck_size = 0
    state.tool_shuffles = 0
    pile = 0
    for tool in range(TOOLS):
        pile |= rules.tool[tool] << tool
    if pile == 0:
        return
    shuffle_tools(key, state, pile, scratch, events)
    for seat in range(rules.players):
        if state.character[seat] == HAMMER:
            take_tool(rules, policies, key, state, seat, scratch, events)
