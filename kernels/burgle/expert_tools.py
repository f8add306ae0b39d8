"""When and on what `expert` uses its tools."""

import numpy as np

from kernels.burgle.knobs import (
    CLOSE,
    CROWBAR_FROM,
    DONUTS_FROM,
    DYNAMITE_FROM,
    EMP_FROM,
    LAST_STEALTH,
    MAKEUP_KIT_FROM,
    SMOKE_BOMB_FROM,
    STETHOSCOPE_FROM,
    TOOL_WORTH,
)
from kernels.burgle.layout import (
    AFTER_TRADE,
    AT_START,
    BEFORE_ALARM,
    BEFORE_END,
    CROWBAR,
    CRYSTAL_BALL,
    DONUTS,
    DYNAMITE,
    EMP,
    MAKEUP_KIT,
    NO_CARD,
    NO_USE,
    NUMBER_CARDS,
    RAVEN,
    SMOKE_BOMB,
    STETHOSCOPE,
    STETHOSCOPE_MINUS,
    TARGETS,
    TOOLS,
    VIRUS,
)
from kernels.burgle.legal import gains, guards_to_find, may_use
from kernels.burgle.outlook import SUIT_CARDS, TEN, alarm_risk, round_guard_chance, to_go
from kernels.burgle.table import counts_for, guard_of
from kernels.cards import card_bit, lowest_card
from kernels.jit import jit

GUARDS_WORTH_A_LOOK = 2  # the Crystal Ball is used when so many can be found
USED_IN = np.zeros(5, np.int64)  # the tools (bits) that it thinks of in each window
USED_IN[AT_START] = 1 << CRYSTAL_BALL | 1 << DONUTS | 1 << MAKEUP_KIT | 1 << VIRUS
USED_IN[AFTER_TRADE] = 1 << DYNAMITE
USED_IN[BEFORE_ALARM] = 1 << CROWBAR | 1 << STETHOSCOPE | 1 << EMP | 1 << VIRUS
USED_IN[BEFORE_END] = 1 << MAKEUP_KIT | 1 << SMOKE_BOMB


@jit
def prefers_tool(knobs, tool, other):
    """Whether one tool is worth more than another."""
    return knobs[TOOL_WORTH + tool] > knobs[TOOL_WORTH + other]


@jit
def need(knobs, state, seat):
    """How much the loss of a stealth would hurt this seat; one that it can afford counts 1."""
    return knobs[LAST_STEALTH] if state.stealth[seat] == 0 else 1.0


@jit
def is_over(state, seat):
    """Whether the seat is about to trigger an alarm."""
    if not state.active[seat] or state.hard[seat] <= state.over[seat] or state.emp:
        return False
    return state.character[seat] != RAVEN or state.hard[seat] % 2 == 1


@jit
def rescue(rules, knobs, state, seat):
    """What it is worth to keep a seat that is over its threshold in the round."""
    if not is_over(state, seat):
        return 0.0
    worth = alarm_risk(rules, state, seat) * need(knobs, state, seat)
    return worth + knobs[CLOSE] * max(0, 3 - to_go(rules, state, seat))


@jit
def choose_use(rules, knobs, state, seat, window):
    """How the seat uses one of its tools now, or NO_USE."""
    tools = state.tools[seat] & USED_IN[window]
    if tools == 0:
        return NO_USE
    for tool in range(TOOLS):
        if (tools >> tool) & 1:
            target = choose_target(rules, knobs, state, seat, tool)
            if target >= 0 and may_use(rules, state, seat, tool, target, window):
                return tool * TARGETS + target
    return NO_USE


@jit
def choose_target(rules, knobs, state, seat, tool):
    """What the seat would use the tool on now; -1 to keep it; 0 for no target."""
    wanted = False
    if tool == CROWBAR:
        return choose_card_to_break(rules, knobs, state)
    if tool == STETHOSCOPE:
        return choose_patient(rules, knobs, state)
    if tool == DONUTS:
        return choose_donuts(rules, knobs, state)
    if tool == CRYSTAL_BALL:
        wanted = guards_to_find(rules, state, seat) >= GUARDS_WORTH_A_LOOK
    elif tool == MAKEUP_KIT:
        wanted = gains(rules, state) >= knobs[MAKEUP_KIT_FROM] or last_gain(rules, state)
    elif tool == EMP:
        wanted = emp_worth(rules, knobs, state) >= knobs[EMP_FROM]
    elif tool == DYNAMITE:
        wanted = dynamite_worth(rules, knobs, state) >= knobs[DYNAMITE_FROM]
    elif tool == SMOKE_BOMB:
        wanted = shown_worth(rules, knobs, state) >= knobs[SMOKE_BOMB_FROM]
    else:  # the Virus works from the next shuffle on: the sooner the better
        wanted = True
    return 0 if wanted else -1


@jit
def choose_card_to_break(rules, knobs, state):
    """The card whose removal best keeps a seat that is over its threshold in the round, or -1."""
    best = -1
    best_worth = knobs[CROWBAR_FROM]
    for seat in range(rules.players):
        worth = rescue(rules, knobs, state, seat)
        if worth < best_worth:
            continue
        pile = state.display[seat] & NUMBER_CARDS
        if not state.cracked[seat]:
            pile &= ~SUIT_CARDS[state.suit[seat]]
        while pile:
            card = lowest_card(pile)
            pile &= pile - 1
            enough = state.hard[seat] - rules.value[card] <= state.over[seat]
            if enough and (worth > best_worth or best < 0 or rules.value[card] > rules.value[best]):
                best = card
                best_worth = worth
    return best


@jit
def choose_patient(rules, knobs, state):
    """The seat that the Stethoscope best keeps in the round, or -1."""
    best = -1
    best_worth = knobs[STETHOSCOPE_FROM]
    for seat in range(rules.players):
        worth = rescue(rules, knobs, state, seat)
        enough = state.hard[seat] - STETHOSCOPE_MINUS <= state.over[seat]
        if enough and worth >= best_worth and worth > 0.0:
            best = seat
            best_worth = worth
    return best


@jit
def choose_donuts(rules, knobs, state):
    """The seat that is likeliest to draw its Guard this round and would be hurt most, or -1."""
    best = -1
    best_worth = knobs[DONUTS_FROM]
    for seat in range(rules.players):
        worth = round_guard_chance(state, seat) * need(knobs, state, seat)
        if worth >= best_worth:
            best = seat
            best_worth = worth
    return best


@jit
def last_gain(rules, state):
    """Whether a seat without stealth would gain some by the Makeup Kit."""
    found = False
    for seat in range(rules.players):
        found = found or (state.cracked[seat] == 1 and state.stealth[seat] == 0)
    return found


@jit
def emp_worth(rules, knobs, state):
    """What the alarms that are about to be triggered would cost."""
    worth = 0.0
    for seat in range(rules.players):
        if is_over(state, seat):
            worth += alarm_risk(rules, state, seat) * need(knobs, state, seat)
    return worth


@jit
def dynamite_worth(rules, knobs, state):
    """How bad the current cards are: over the threshold, or high and of the wrong suit."""
    worth = 0.0
    for seat in range(rules.players):
        card = state.current[seat]
        if not state.active[seat] or card == NO_CARD or card == guard_of(state.suit[seat]):
            continue
        if not state.cracked[seat]:
            wanted = counts_for(card, state.suit[seat])
            worth += -1.0 if wanted else rules.value[card] / TEN
        worth += rescue(rules, knobs, state, seat)
    return worth


@jit
def shown_worth(rules, knobs, state):
    """What the Guards in displays are about to cost."""
    worth = 0.0
    for seat in range(rules.players):
        if state.display[seat] & card_bit(guard_of(state.suit[seat])):
            worth += need(knobs, state, seat)
    return worth
