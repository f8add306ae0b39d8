"""The policy `expert`: weighs what it sees on the table by trained weights, and counts cards.

It reads only what is open: displays, discards, stealth, tools, the number of cards in each deck,
the cards whose places everybody knows, and which cards a deck can hold (see `table.py`). Every
decision is a sum of features times knobs; docs/decisions/0006-expert.md tells how the knobs were
found.
"""

import numpy as np

from kernels.burgle.layout import (
    AFTER_TRADE,
    ALL_PEEK,
    AT_START,
    BEFORE_ALARM,
    BEFORE_END,
    CROWBAR,
    CRYSTAL_BALL,
    DISCARD_GUARD,
    DISCARD_SECOND,
    DISCARD_TOP,
    DONUTS,
    DYNAMITE,
    EMP,
    JOKER,
    KEEP,
    MAKEUP_KIT,
    NO_CARD,
    NO_USE,
    NUMBER_CARDS,
    RANKS,
    RAVEN,
    SMOKE_BOMB,
    STAY,
    STETHOSCOPE,
    STETHOSCOPE_MINUS,
    SUITS,
    TARGETS,
    TOOLS,
    VAN,
    VIRUS,
)
from kernels.burgle.legal import gains, guards_to_find, may_use
from kernels.burgle.table import (
    IS_ACE,
    RANK_COUNT,
    best_reading,
    counts_for,
    guard_in_deck,
    guard_of,
    guards_shown,
    has_joker,
    known_cards,
    known_top,
    opens_safe,
    possible_tops,
    readings,
    safe_ranks,
    unknown_places,
)
from kernels.burgle.trade import best_arrangement, give_other_card
from kernels.cards import card_bit, count_cards, lowest_card
from kernels.jit import jit

# Places of the knobs, whose names and meanings stand in balance/games/burgle_expert.py.
(
    TRADE_SUIT,
    TRADE_SUIT_VALUE,
    TRADE_OTHER_VALUE,
    TRADE_CRACK,
    TRADE_1_TO_GO,
    TRADE_2_TO_GO,
    TRADE_3_TO_GO,
    TRADE_4_TO_GO,
    TRADE_ALARM,
    TRADE_ALARM_GUARD,
    TRADE_ALARM_LAST,
    TRADE_ROOM,
    TRADE_ROOM_2,
    TRADE_1_TO_GO_ROOM,
    TRADE_1_TO_GO_ROOM_2,
    TRADE_2_TO_GO_ROOM,
    TRADE_2_TO_GO_ROOM_2,
    TRADE_JACKPOT,
    TRADE_JACKPOT_GUARDS,
    TRADE_PEEK,
    TRADE_PEEK_GUARD,
    TRADE_ACE,
    CRACKED_TRADE_ALARM,
    CRACKED_TRADE_ALARM_GUARD,
    CRACKED_TRADE_ALARM_LAST,
    CRACKED_TRADE_SAFE,
    CRACKED_TRADE_SAFE_GUARD,
    CRACKED_TRADE_ROOM,
    CRACKED_TRADE_JACKPOT,
    CRACKED_TRADE_JACKPOT_GUARDS,
    CRACKED_TRADE_PEEK,
    CRACKED_TRADE_PEEK_GUARD,
    GO,
    GO_1_TO_GO,
    GO_2_TO_GO,
    GO_3_TO_GO,
    GO_4_TO_GO,
    GO_SUIT,
    GO_OWN_SUIT,
    GO_1_TO_GO_SUIT,
    GO_2_TO_GO_SUIT,
    GO_BUST,
    GO_BUST_GUARD,
    GO_BUST_LAST,
    GO_BUST_1_TO_GO,
    GO_GUARD,
    GO_GUARD_LAST,
    GO_GUARD_ONE_LEFT,
    GO_GUARD_1_TO_GO,
    GO_SHOWN,
    GO_SHOWN_LAST,
    GO_SHOWN_SUIT,
    GO_ROOM,
    GO_ROOM_2,
    GO_ROOM_NEAR,
    GO_ROOM_SHORT,
    GO_OTHERS,
    GO_GUARDS,
    GO_ALARM_GUARD,
    GO_TO_CRACK,
    GO_LAST,
    GO_SHORT_SUIT,
    CRACKED_GO,
    CRACKED_GO_UNSAFE_GUARD,
    CRACKED_GO_UNSAFE_LAST,
    CRACKED_GO_BUST,
    CRACKED_GO_BUST_GUARD,
    CRACKED_GO_BUST_LAST,
    CRACKED_GO_GUARD,
    CRACKED_GO_GUARD_LAST,
    CRACKED_GO_SHOWN,
    CRACKED_GO_SHOWN_LAST,
    CRACKED_GO_REACH,
    CRACKED_GO_UNSAFE,
    CRACKED_GO_OTHERS,
    CRACKED_GO_GUARDS,
    CRACKED_GO_ALARM_GUARD,
    STAY_NEAR,
    PEEK_KEEP,
    REMOVE_HIGH,
    REMOVE_WANTED,
    TOP_VALUE,
    WORTH_CROWBAR,
    WORTH_CRYSTAL_BALL,
    WORTH_STETHOSCOPE,
    WORTH_DONUTS,
    WORTH_MAKEUP_KIT,
    WORTH_EMP,
    WORTH_DYNAMITE,
    WORTH_VIRUS,
    WORTH_SMOKE_BOMB,
    LAST_STEALTH,
    CLOSE,
    CROWBAR_FROM,
    STETHOSCOPE_FROM,
    DONUTS_FROM,
    MAKEUP_KIT_FROM,
    EMP_FROM,
    DYNAMITE_FROM,
    SMOKE_BOMB_FROM,
) = range(100)
TOOL_WORTH = WORTH_CROWBAR  # one knob a tool from here on
GUARDS_WORTH_A_LOOK = 2  # the Crystal Ball is used when so many can be found
TEN = 10.0  # rooms and values are measured in tens

SUIT_CARDS = np.array(
    [(((1 << RANKS) - 1) << (suit * RANKS)) | (1 << JOKER) for suit in range(SUITS)], np.int64
)
HIGHER = np.array(  # the number cards whose rank is over 0, 1, .. 10
    [
        sum(1 << (suit * RANKS + rank - 1) for suit in range(SUITS) for rank in range(low + 1, 11))
        for low in range(RANKS + 1)
    ],
    np.int64,
)


USED_IN = np.zeros(5, np.int64)  # the tools (bits) that it thinks of in each window
USED_IN[AT_START] = 1 << CRYSTAL_BALL | 1 << DONUTS | 1 << MAKEUP_KIT | 1 << VIRUS
USED_IN[AFTER_TRADE] = 1 << DYNAMITE
USED_IN[BEFORE_ALARM] = 1 << CROWBAR | 1 << STETHOSCOPE | 1 << EMP | 1 << VIRUS
USED_IN[BEFORE_END] = 1 << MAKEUP_KIT | 1 << SMOKE_BOMB


@jit
def alarm_risk(rules, state, seat):
    """The chance (float64) that an alarm of this seat flips its Guard."""
    if state.emp or not guard_in_deck(state, seat):
        return 0.0
    return min(1.0, rules.alarm_discards / max(1, state.deck_size[seat]))


@jit
def look_ahead(rules, state, scratch):
    """Note for every active seat which cards can come next, once for all decisions of a step."""
    scratch.shown = guards_shown(state, rules.players)
    for seat in range(rules.players):
        if not state.active[seat]:
            continue
        pile = next_cards(state, seat)
        guard = card_bit(guard_of(state.suit[seat]))
        scratch.next_guard[seat] = guard_share(state, seat, pile) if pile & guard else 0.0
        pile &= ~guard
        scratch.next_cards[seat] = pile
        scratch.next_share[seat] = 1.0 / max(1, count_cards(pile))
    scratch.looked_ahead = 1


@jit
def next_cards(state, seat):
    """The cards (pile) that the seat's next card can be, its Guard among them."""
    top = known_top(state, seat)
    if top != NO_CARD:
        return card_bit(top)
    if state.deck_size[seat] == 0:
        return state.discards[seat]
    return possible_tops(state, seat)


@jit
def guard_share(state, seat, pile):
    """The chance (float64) that of these next cards, the Guard among them, it is the Guard."""
    if state.remakes[seat] == 0 and state.deck_size[seat] > 0 and pile & (pile - 1):
        return 1.0 / unknown_places(state, seat)
    return 1.0 / count_cards(pile)


@jit
def next_guard_chance(state, seat):
    """The chance (float64) that the seat's next card is its Guard."""
    pile = next_cards(state, seat)
    if pile & card_bit(guard_of(state.suit[seat])) == 0:
        return 0.0
    return guard_share(state, seat, pile)


@jit
def share(cards, seat, scratch):
    """Which share (float64) of the seat's next cards these are, its Guard left aside."""
    return count_cards(cards & scratch.next_cards[seat]) * scratch.next_share[seat]


@jit
def suit_chance(rules, state, seat, suit, scratch):
    """The chance (float64) that a card of this suit comes up in the next draws.

    Those of the other active seats count too: it could be traded for.
    """
    missed = 1.0
    for other in range(rules.players):
        if other == seat or (state.active[other] and rules.trading):
            found = share(SUIT_CARDS[suit], other, scratch)
            missed *= 1.0 - found * (1.0 - scratch.next_guard[other])
    return 1.0 - missed


@jit
def progress(rules, ranks, joker):
    """How many of these cards (rank bits of the safe's suit, a Joker) work towards the crack."""
    if rules.flush > 0:
        return RANK_COUNT[ranks] + joker
    best = 0
    window = (1 << rules.straight_flush) - 1
    for start in range(12 - rules.straight_flush):
        best = max(best, RANK_COUNT[ranks & (window << start)])
    return best + (joker & rules.joker_in_straight)


@jit
def needed(rules):
    """How many cards of the safe's suit open it."""
    return rules.flush if rules.flush > 0 else rules.straight_flush


@jit
def trade_worth(rules, knobs, state, seat, old, card, near, guards):
    """What holding ``card`` instead of ``old`` is worth to a seat with its safe to crack.

    ``near`` is how many cards it would be short of the crack with a card of another suit.
    """
    suit = state.suit[seat]
    value = rules.value[card] / TEN
    if counts_for(card, suit):
        worth = knobs[TRADE_SUIT] + knobs[TRADE_SUIT_VALUE] * value
        pile = (state.display[seat] & ~card_bit(old)) | card_bit(card)
        joker = has_joker(pile)
        ranks = safe_ranks(pile, suit)
        near = needed(rules) - progress(rules, ranks, joker)
        if near <= 0 and opens_safe(rules, ranks, joker):
            return worth + knobs[TRADE_CRACK]
    else:
        worth = knobs[TRADE_OTHER_VALUE] * value
    if 1 <= near <= 4:
        worth += knobs[TRADE_1_TO_GO + near - 1]
    hard = state.hard[seat] - rules.value[old] + rules.value[card]
    if hard > state.over[seat]:
        if state.character[seat] == RAVEN and hard % 2 == 0:
            return worth  # no alarm: it just leaves
        risk = alarm_risk(rules, state, seat)
        worth += knobs[TRADE_ALARM] + knobs[TRADE_ALARM_GUARD] * risk
        return worth + knobs[TRADE_ALARM_LAST] * risk * (state.stealth[seat] == 0)
    room = (state.over[seat] - hard) / TEN
    worth += room * (knobs[TRADE_ROOM] + knobs[TRADE_ROOM_2] * room)
    if near == 1:
        worth += room * (knobs[TRADE_1_TO_GO_ROOM] + knobs[TRADE_1_TO_GO_ROOM_2] * room)
    elif near == 2:
        worth += room * (knobs[TRADE_2_TO_GO_ROOM] + knobs[TRADE_2_TO_GO_ROOM_2] * room)
    aces = state.aces[seat] - IS_ACE[old] + IS_ACE[card]
    can_read = readings(hard, aces)
    if can_read & rules.jackpot_total:
        worth += knobs[TRADE_JACKPOT] + knobs[TRADE_JACKPOT_GUARDS] * guards
    elif can_read & state.peek_totals[seat]:
        worth += knobs[TRADE_PEEK] + knobs[TRADE_PEEK_GUARD] * next_guard_chance(state, seat)
    return worth + knobs[TRADE_ACE] * aces


@jit
def cracked_trade_worth(rules, knobs, state, seat, old, card, guards):
    """As `trade_worth`, for a seat that has cracked its safe."""
    hard = state.hard[seat] - rules.value[old] + rules.value[card]
    if hard > state.over[seat]:
        if state.character[seat] == RAVEN and hard % 2 == 0:
            return 0.0
        risk = alarm_risk(rules, state, seat)
        worth = knobs[CRACKED_TRADE_ALARM] + knobs[CRACKED_TRADE_ALARM_GUARD] * risk
        return worth + knobs[CRACKED_TRADE_ALARM_LAST] * risk * (state.stealth[seat] == 0)
    aces = state.aces[seat] - IS_ACE[old] + IS_ACE[card]
    worth = knobs[CRACKED_TRADE_ROOM] * (state.over[seat] - hard) / TEN
    if best_reading(hard, aces, state.over[seat]) >= rules.targeted_safe_from:
        risk = alarm_risk(rules, state, seat)
        worth += knobs[CRACKED_TRADE_SAFE] + knobs[CRACKED_TRADE_SAFE_GUARD] * risk
    can_read = readings(hard, aces)
    if can_read & rules.jackpot_total:
        worth += knobs[CRACKED_TRADE_JACKPOT] + knobs[CRACKED_TRADE_JACKPOT_GUARDS] * guards
    elif can_read & state.peek_totals[seat]:
        worth += knobs[CRACKED_TRADE_PEEK]
        worth += knobs[CRACKED_TRADE_PEEK_GUARD] * next_guard_chance(state, seat)
    return worth


@jit
def choose_trade(rules, knobs, state, n, scratch):
    """Write the best arrangement of the n movable cards into ``scratch.takes``.

    Where the Hacker may give either of two cards, both are tried.
    """
    fill_scores(rules, knobs, state, n, scratch)
    best_arrangement(scratch, n)
    if scratch.hacker_at < 0:
        return
    total = arrangement_score(n, scratch)
    give_other_card(rules, scratch)
    fill_scores(rules, knobs, state, n, scratch)
    best_arrangement(scratch, n)
    gives = scratch.takes[scratch.hacker_at] != scratch.hacker_at
    if not gives or arrangement_score(n, scratch) <= total:
        give_other_card(rules, scratch)
        fill_scores(rules, knobs, state, n, scratch)
        best_arrangement(scratch, n)


@jit
def arrangement_score(n, scratch):
    """The total score of the arrangement in ``scratch.takes``."""
    total = 0.0
    for i in range(n):
        total += scratch.score[i, scratch.takes[i]]
    return total


@jit
def fill_scores(rules, knobs, state, n, scratch):
    """Fill ``scratch.score`` [i, j]: what number i makes of movable card j."""
    guards = count_cards(guards_shown(state, rules.players))
    for i in range(n):
        seat = scratch.movable[i]
        if seat == VAN:
            scratch.score[i, :] = 0.0
            continue
        old = scratch.cards[i]
        if state.cracked[seat]:
            for j in range(n):
                card = scratch.cards[j]
                scratch.score[i, j] = cracked_trade_worth(
                    rules, knobs, state, seat, old, card, guards
                )
            continue
        rest = state.display[seat] & ~card_bit(old)
        ranks = safe_ranks(rest, state.suit[seat])
        near = needed(rules) - progress(rules, ranks, has_joker(rest))
        for j in range(n):
            card = scratch.cards[j]
            scratch.score[i, j] = trade_worth(rules, knobs, state, seat, old, card, near, guards)


@jit
def go_worth(rules, knobs, state, seat, scratch):
    """What another card is worth to a seat with its safe to crack; below 0 it should leave."""
    suit = state.suit[seat]
    near = to_go(rules, state, seat)
    room = (state.over[seat] - state.hard[seat]) / TEN
    suited = suit_chance(rules, state, seat, suit, scratch)
    bust = bust_chance(state, seat, scratch)
    risk = alarm_risk(rules, state, seat)
    guard_next = scratch.next_guard[seat]
    shown = (state.display[seat] >> guard_of(suit)) & 1
    worth = knobs[GO] + knobs[GO_SUIT] * suited + knobs[GO_SHORT_SUIT] * near * suited
    worth += knobs[GO_OWN_SUIT] * share(SUIT_CARDS[suit], seat, scratch)
    if 1 <= near <= 4:
        worth += knobs[GO_1_TO_GO + near - 1]
    if near <= 2:
        worth += knobs[GO_ROOM_NEAR] * room
        if near >= 1:
            worth += knobs[GO_1_TO_GO_SUIT + near - 1] * suited
    if near == 1:
        worth += knobs[GO_BUST_1_TO_GO] * bust * suited + knobs[GO_GUARD_1_TO_GO] * guard_next
    worth += room * (knobs[GO_ROOM] + knobs[GO_ROOM_2] * room + knobs[GO_ROOM_SHORT] * near)
    worth += knobs[GO_BUST] * bust
    worth += knobs[GO_GUARD] * guard_next + knobs[GO_ALARM_GUARD] * risk
    if state.character[seat] == RAVEN:
        bust *= 0.5  # of the totals over the threshold every other one is no alarm
    worth += knobs[GO_BUST_GUARD] * bust * risk
    if state.stealth[seat] == 0:
        worth += knobs[GO_LAST] + knobs[GO_GUARD_LAST] * guard_next
        worth += knobs[GO_BUST_LAST] * bust * risk + knobs[GO_SHOWN_LAST] * shown
    elif state.stealth[seat] == 1:
        worth += knobs[GO_GUARD_ONE_LEFT] * guard_next
    if shown:
        worth += knobs[GO_SHOWN] + knobs[GO_SHOWN_SUIT] * suited
    for other in range(rules.players):
        worth += knobs[GO_OTHERS] * (other != seat and state.active[other] == 1)
    worth += knobs[GO_GUARDS] * (count_cards(scratch.shown) - shown)
    return worth + knobs[GO_TO_CRACK] * state.to_crack


@jit
def bust_chance(state, seat, scratch):
    """The share (float64) of the seat's next cards that take it over its threshold."""
    room = state.over[seat] - state.hard[seat]
    return share(HIGHER[min(max(room, 0), RANKS)], seat, scratch)


@jit
def cracked_go_worth(rules, knobs, state, seat, scratch):
    """As `go_worth`, for a seat that has cracked its safe."""
    bust = bust_chance(state, seat, scratch)
    risk = alarm_risk(rules, state, seat)
    guard_next = scratch.next_guard[seat]
    shown = (state.display[seat] >> guard_of(state.suit[seat])) & 1
    last = state.stealth[seat] == 0
    worth = knobs[CRACKED_GO] + knobs[CRACKED_GO_BUST] * bust
    worth += knobs[CRACKED_GO_ALARM_GUARD] * risk
    best = best_reading(state.hard[seat], state.aces[seat], state.over[seat])
    if best < rules.targeted_safe_from:
        short = rules.targeted_safe_from - state.hard[seat]
        reach = share(HIGHER[min(max(short - 1, 0), RANKS)], seat, scratch) - bust
        worth += knobs[CRACKED_GO_UNSAFE] + knobs[CRACKED_GO_REACH] * reach
        worth += risk * (knobs[CRACKED_GO_UNSAFE_GUARD] + knobs[CRACKED_GO_UNSAFE_LAST] * last)
    if state.character[seat] == RAVEN:
        bust *= 0.5
    worth += bust * risk * (knobs[CRACKED_GO_BUST_GUARD] + knobs[CRACKED_GO_BUST_LAST] * last)
    worth += guard_next * (knobs[CRACKED_GO_GUARD] + knobs[CRACKED_GO_GUARD_LAST] * last)
    worth += shown * (knobs[CRACKED_GO_SHOWN] + knobs[CRACKED_GO_SHOWN_LAST] * last)
    for other in range(rules.players):
        helps = other != seat and state.active[other] == 1 and state.cracked[other] == 0
        worth += knobs[CRACKED_GO_OTHERS] * helps
    return worth + knobs[CRACKED_GO_GUARDS] * (count_cards(scratch.shown) - shown)


@jit
def bails(rules, knobs, state, seat, scratch):
    """Whether going on is worth less than leaving the round."""
    if not scratch.looked_ahead:
        look_ahead(rules, state, scratch)
    if state.cracked[seat]:
        return cracked_go_worth(rules, knobs, state, seat, scratch) < 0.0
    return go_worth(rules, knobs, state, seat, scratch) < 0.0


@jit
def discards_peeked(rules, knobs, state, seat, card):
    """Whether a peeked card is discarded: the Guard, and what is too high and not of the suit."""
    if card == guard_of(state.suit[seat]):
        return True
    if not state.cracked[seat] and counts_for(card, state.suit[seat]):
        return False
    return rules.value[card] > knobs[PEEK_KEEP]


@jit
def discards_of_two(rules, knobs, state, seat, top, second):
    """KEEP, DISCARD_TOP or DISCARD_SECOND: the Guard goes, else the worse of two bad cards."""
    guard = guard_of(state.suit[seat])
    top_goes = discards_peeked(rules, knobs, state, seat, top)
    second_goes = discards_peeked(rules, knobs, state, seat, second)
    if second_goes and (second == guard or not top_goes):
        return DISCARD_SECOND
    if top_goes and second_goes and top != guard and rules.value[second] > rules.value[top]:
        return DISCARD_SECOND
    return DISCARD_TOP if top_goes else KEEP


@jit
def choose_deck(rules, knobs, state, seat):
    """The deck at which the Rook looks: where a Guard on top is likeliest and would hurt most."""
    best = -1
    best_score = -1.0
    for other in range(rules.players):
        top = known_top(state, other)
        if other == seat or (
            top != NO_CARD and not discards_peeked(rules, knobs, state, other, top)
        ):
            continue
        score = next_guard_chance(state, other) * need(knobs, state, other)
        if score > best_score:
            best = other
            best_score = score
    return best


@jit
def puts_on_top(rules, knobs, state, seat):
    """Whether the Peterman saves its current card: a card of its suit to start the next round."""
    card = state.current[seat]
    if card == guard_of(state.suit[seat]):  # worth it only if the Guard is not yet counted
        return rules.peterman_before_guard == 1 and state.stealth[seat] == 0
    if state.cracked[seat] or not counts_for(card, state.suit[seat]):
        return False
    return rules.value[card] <= knobs[TOP_VALUE]


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
def to_go(rules, state, seat):
    """How many cards a display is short of a crack; many where the safe is cracked."""
    if state.cracked[seat]:
        return 9
    ranks = safe_ranks(state.display[seat], state.suit[seat])
    return needed(rules) - progress(rules, ranks, has_joker(state.display[seat]))


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
def round_guard_chance(state, seat):
    """The chance (float64) that one of the seat's next three cards is its Guard."""
    guard = guard_of(state.suit[seat])
    size = state.deck_size[seat]
    unknown = 0
    for place in range(max(0, size - 3), size):
        if not (state.known[seat] >> place) & 1:
            unknown += 1
        elif state.deck[seat, place] == guard:
            return 1.0
    if known_cards(state, seat) & card_bit(guard) or not guard_in_deck(state, seat):
        return 0.0
    return unknown / unknown_places(state, seat)


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
            worth += -1.0 if wanted else rules.value[card] / 10.0
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


@jit
def neediest(rules, knobs, state):
    """The seat with its Guard in its display that can least afford it, or -1."""
    owner = -1
    for seat in range(rules.players):
        shown = (state.display[seat] >> guard_of(state.suit[seat])) & 1
        if shown and (owner < 0 or state.stealth[seat] < state.stealth[owner]):
            owner = seat
    return owner


@jit
def choose_twenty_one(rules, knobs, state, seat):
    """Save the seat that can least afford its Guard; stay on when near a crack; else peek."""
    owner = neediest(rules, knobs, state)
    near = to_go(rules, state, seat)
    if owner >= 0 and (state.stealth[owner] == 0 or near > knobs[STAY_NEAR]):
        return DISCARD_GUARD + owner
    return ALL_PEEK if near > knobs[STAY_NEAR] else STAY


@jit
def choose_straight(n):
    """Of n straights the lowest one: its cards are the ones to do without."""
    return 0


@jit
def choose_removed(rules, knobs, state, seat, flipped, n):
    """The flipped card (index) that is worth least: high, and of no open safe's suit."""
    best = -1
    best_score = 0.0
    for i in range(n):
        card = flipped[i]
        if card == NO_CARD or card == guard_of(state.suit[seat]):
            continue
        score = knobs[REMOVE_HIGH] * rules.value[card]
        for other in range(rules.players):
            wanted = counts_for(card, state.suit[other]) and not state.cracked[other]
            score -= wanted * knobs[REMOVE_WANTED] * (3.0 if other == seat else 1.0)
        if best < 0 or score > best_score:
            best = i
            best_score = score
    return best
