"""The tool deck and what the nine tools do."""

from kernels.burgle import decisions
from kernels.burgle.happenings import (
    BLOWN_UP,
    GAINED,
    GUARD_PLACED,
    GUARD_SMOKED,
    TOOL_TAKEN,
    TOOL_USED,
    tell,
    tell_tool_deck,
)
from kernels.burgle.layout import (
    CROWBAR,
    CRYSTAL_BALL,
    DONUTS,
    DYNAMITE,
    EMP,
    HAMMER,
    JOKER,
    MAKEUP_KIT,
    NO_USE,
    REMOVED,
    SMOKE_BOMB,
    STETHOSCOPE,
    STETHOSCOPE_MINUS,
    TARGETS,
    TOOL,
    TOOLS_USED,
)
from kernels.burgle.legal import dynamite_hits
from kernels.burgle.piles import discard_guard, draw_card, take_from_display
from kernels.burgle.table import guard_in_deck, guard_of
from kernels.cards import card_bit, order_by_hash
from kernels.jit import jit
from kernels.streams import stream


@jit
def shuffle_tools(key, state, pile, scratch, events):
    """Shuffle these tools (bits) into the tool deck."""  # B6
    start = stream(key, TOOL, 0, state.tool_shuffles)
    state.tool_shuffles += 1
    state.tool_deck_size = order_by_hash(pile, start, state.tool_deck, scratch.hashes)
    tell_tool_deck(state, events)


@jit
def take_tool(rules, policies, key, state, seat, scratch, events):
    """The seat draws a tool, if there is one; the Hammer keeps one of two."""  # B6 C3 R19 R33
    size = state.tool_deck_size
    if size == 0:
        return
    kept = state.tool_deck[size - 1]
    if state.character[seat] != HAMMER or size == 1:
        state.tool_deck_size = size - 1
        tell(state, events, TOOL_TAKEN, seat, kept, -1, 0)
    else:
        back = state.tool_deck[size - 2]
        state.ability[HAMMER] += 1
        if decisions.keeps_second_tool(rules, policies, key, state, seat, kept, back):
            kept, back = back, kept
        tell(state, events, TOOL_TAKEN, seat, kept, back, 0)
        pile = 1 << back
        for i in range(size - 2):
            pile |= 1 << state.tool_deck[i]
        shuffle_tools(key, state, pile, scratch, events)
    state.tools[seat] |= 1 << kept
    state.tools_held += 1


@jit
def open_window(rules, policies, key, state, window, scratch, events):
    """The table uses tools until nobody wants to use one more."""  # R30 R31
    going_on = True
    while going_on and state.tools_held > 0:
        going_on = False
        for seat in range(rules.players):
            while state.tools[seat] & decisions.considers(policies, seat, window):
                use = decisions.use_tool(rules, policies, key, state, seat, window, scratch)
                if use == NO_USE:
                    break
                use_tool(rules, key, state, seat, use, scratch, events)
                going_on = True


@jit
def use_tool(rules, key, state, seat, use, scratch, events):
    """The seat uses a tool (tool * TARGETS + target), which leaves the game."""  # R31
    tool = use // TARGETS
    target = use % TARGETS
    state.tools[seat] &= ~(1 << tool)
    state.tools_held -= 1
    state.count[TOOLS_USED] += 1
    state.used[tool] += 1
    whose = holder(rules, state, target) if tool == CROWBAR else 0
    tell(state, events, TOOL_USED, seat, tool, target, whose)
    if tool == CROWBAR:  # T1 R34
        take_from_display(rules, state, whose, target)
        state.count[REMOVED] += 1
    elif tool == CRYSTAL_BALL:
        tell_guards(rules, state, seat, events)
    elif tool == STETHOSCOPE:  # T3 R37
        state.hard[target] -= STETHOSCOPE_MINUS
    elif tool == DONUTS:  # T4 R38
        state.donuts = target
    elif tool == MAKEUP_KIT:
        make_up(rules, state, events)
    elif tool == EMP:  # T6 R40
        state.emp = 1
    elif tool == DYNAMITE:
        blow_up(rules, key, state, scratch, events)
    elif tool == SMOKE_BOMB:
        smoke(rules, state, events)
    else:  # T8
        state.discards[seat] |= card_bit(JOKER)


@jit
def holder(rules, state, card):
    """The seat in whose display the card lies."""
    for seat in range(rules.players):
        if state.display[seat] & card_bit(card):
            return seat
    return -1


@jit
def tell_guards(rules, state, owner, events):
    """Everybody learns the places of the Guards in the other seats' decks."""  # T2 R35 R36
    for seat in range(rules.players):
        if seat == owner or not guard_in_deck(state, seat):
            continue
        for place in range(state.deck_size[seat]):
            if state.deck[seat, place] == guard_of(state.suit[seat]):
                state.known[seat] |= 1 << place
                from_top = state.deck_size[seat] - place
                tell(state, events, GUARD_PLACED, owner, seat, from_top, 0)


@jit
def make_up(rules, state, events):
    """Every seat that has cracked gains 1 stealth, up to the cap."""  # T5 B5
    for seat in range(rules.players):
        if state.cracked[seat] and state.stealth[seat] < rules.stealth_cap:
            state.stealth[seat] += 1
            tell(state, events, GAINED, seat, 0, 0, 0)


@jit
def blow_up(rules, key, state, scratch, events):
    """The current cards leave the game, but Guards, and those seats draw again."""  # T7 R41 R42
    hit = dynamite_hits(rules, state)
    for seat in range(rules.players):
        if (hit >> seat) & 1:
            card = state.current[seat]
            take_from_display(rules, state, seat, card)
            state.count[REMOVED] += 1
            tell(state, events, BLOWN_UP, seat, card, 0, 0)
    for seat in range(rules.players):
        if (hit >> seat) & 1:
            drew = draw_card(rules, key, state, seat, 0, scratch, events)
            state.drew[seat] = drew  # as the Acrobat without another card  # R3 R17


@jit
def smoke(rules, state, events):
    """All Guards in displays go to their owners' discards."""  # T9 R44
    for seat in range(rules.players):
        if state.display[seat] & card_bit(guard_of(state.suit[seat])):
            discard_guard(rules, state, seat)
            tell(state, events, GUARD_SMOKED, seat, 0, 0, 0)
