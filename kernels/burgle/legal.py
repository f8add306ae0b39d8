"""Which tools may be used when, and on what."""

from kernels.burgle.layout import (
    AFTER_DRAW,
    AFTER_TRADE,
    AT_START,
    CARDS,
    CROWBAR,
    CRYSTAL_BALL,
    DONUTS,
    DYNAMITE,
    EMP,
    GUARDS,
    MAKEUP_KIT,
    NO_CARD,
    SMOKE_BOMB,
    STETHOSCOPE,
)
from kernels.burgle.table import guard_in_deck, guard_of, guards_shown, known_cards
from kernels.cards import card_bit, count_cards
from kernels.jit import jit


@jit
def targets_of(rules, tool):
    """How many numbers a tool's target is taken from: cards, seats, or 1 where it has none."""
    if tool == CROWBAR:
        return CARDS
    return rules.players if tool in (STETHOSCOPE, DONUTS) else 1


@jit
def may_use(rules, state, owner, tool, target, window):
    """Whether the owner may use the tool on this target in this window: it must have an effect."""
    # R30 R31 R42
    if tool == CROWBAR:
        return (displayed(rules, state) & ~GUARDS) & card_bit(target) != 0
    if tool == CRYSTAL_BALL:
        return guards_to_find(rules, state, owner) > 0
    if tool == STETHOSCOPE:
        return state.active[target] == 1
    if tool == DONUTS:
        return window == AT_START
    if tool == MAKEUP_KIT:
        return gains(rules, state) > 0
    if tool == EMP:
        return anybody_active(rules, state)
    if tool == DYNAMITE:
        return window in (AFTER_DRAW, AFTER_TRADE) and dynamite_hits(rules, state) != 0
    if tool == SMOKE_BOMB:
        return count_cards(guards_shown(state, rules.players)) >= 2
    return True


@jit
def displayed(rules, state):
    """All cards in displays (pile)."""
    pile = 0
    for seat in range(rules.players):
        pile |= state.display[seat]
    return pile


@jit
def guards_to_find(rules, state, owner):
    """How many Guards lie at unknown places of other seats' decks."""  # T2 R35
    n = 0
    for seat in range(rules.players):
        if seat != owner and guard_in_deck(state, seat):
            n += known_cards(state, seat) & card_bit(guard_of(state.suit[seat])) == 0
    return n


@jit
def gains(rules, state):
    """How many seats would gain stealth from the Makeup Kit."""  # T5
    n = 0
    for seat in range(rules.players):
        n += state.cracked[seat] == 1 and state.stealth[seat] < rules.stealth_cap
    return n


@jit
def anybody_active(rules, state):
    """Whether any seat is still in the round."""
    active = 0
    for seat in range(rules.players):
        active |= state.active[seat]
    return active == 1


@jit
def dynamite_hits(rules, state):
    """The seats (bits) whose current card the Dynamite removes."""  # R41
    hit = 0
    for seat in range(rules.players):
        card = state.current[seat]
        if card != NO_CARD and card != guard_of(state.suit[seat]):
            hit |= (state.active[seat] | rules.dynamite_inactive) << seat
    return hit
