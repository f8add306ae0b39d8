"""The policy `expert`: weighs what a display, a deck and an alarm are worth, by trained knobs.

It reads only what lies open: displays, discards, stealth, the number of cards in each deck, and a
top card that a peek has shown. Where a Guard is follows from that too: in a display, in the
discards, or else in its deck.
"""

from kernels.burgle.layout import ALL_PEEK, DISCARD_GUARD, NO_CARD, SEATS, STAY
from kernels.burgle.table import (
    IS_ACE,
    RANK_COUNT,
    best_reading,
    counts_for,
    guard_in_deck,
    guard_of,
    has_joker,
    opens_safe,
    readings,
    safe_ranks,
)
from kernels.burgle.trade import best_arrangement
from kernels.cards import card_bit, count_cards
from kernels.jit import jit

# Places of the knobs.
SUIT_1 = 0  # SUIT_1 .. SUIT_1 + 3: worth of a display with 1, 2, 3, 4 cards of the safe's suit
(
    CRACK,
    ALARM_COST,
    ALARM_RISK,
    JACKPOT,
    JACKPOT_GUARD,
    PEEK,
    HEIGHT,
    SAFE_TOTAL,
    GO_ON,
    GO_SUIT,
    GO_GUARD_SHOWN,
    FEAR_GUARD,
    FEAR_ALARM,
    FEAR_LAST_STEALTH,
    STAY_SUIT,
    PEEK_KEEP,
    REMOVE_HIGH,
    REMOVE_WANTED,
    SUIT_CARD,
    PEEK_GUARD,
    GO_CRACKED,
    GO_SAVE,
    FEAR_TARGETED,
) = range(4, 27)


@jit
def alarm_risk(rules, state, seat):
    """The chance (float64) that an alarm of this seat flips its Guard."""
    if not guard_in_deck(state, seat):
        return 0.0
    return min(1.0, rules.alarm_discards / max(1, state.deck_size[seat]))


@jit
def draw_guard_chance(state, seat):
    """The chance (float64) that the seat's next card is its Guard."""
    guard = guard_of(state.suit[seat])
    top = state.known_top[seat]
    if top != NO_CARD:
        return 1.0 if top == guard else 0.0
    if state.deck_size[seat] == 0:
        discards = state.discards[seat]
        return 1.0 / count_cards(discards) if discards & card_bit(guard) else 0.0
    return 1.0 / state.deck_size[seat] if guard_in_deck(state, seat) else 0.0


@jit
def progress(rules, ranks):
    """How many of these cards (rank bits of the safe's suit) work towards the crack."""
    if rules.flush > 0:
        return RANK_COUNT[ranks]
    best = 0
    window = (1 << rules.straight_flush) - 1
    for start in range(12 - rules.straight_flush):
        best = max(best, RANK_COUNT[ranks & (window << start)])
    return best


@jit
def trade_score(rules, knobs, state, seat, card, risk, guards):
    """What the seat makes of holding ``card`` in place of its current card (float64)."""
    old = state.current[seat]
    hard = state.hard[seat] - rules.value[old] + rules.value[card]
    aces = state.aces[seat] - IS_ACE[old] + IS_ACE[card]
    suit = state.suit[seat]
    score = 0.0
    if not state.cracked[seat]:
        pile = (state.display[seat] & ~card_bit(old)) | card_bit(card)
        ranks = safe_ranks(pile, suit)
        if opens_safe(rules, ranks, has_joker(pile)):
            return knobs[CRACK]
        near = progress(rules, ranks)
        if near > 0:
            score += knobs[SUIT_1 + min(near, 4) - 1]
        score += knobs[SUIT_CARD] * counts_for(card, suit)
    if hard > rules.alarm_over:
        return score - knobs[ALARM_COST] - knobs[ALARM_RISK] * risk
    can_read = readings(hard, aces)
    if can_read & rules.jackpot_total:
        score += knobs[JACKPOT] + knobs[JACKPOT_GUARD] * guards
    elif can_read & rules.peek_totals:
        score += knobs[PEEK] + knobs[PEEK_GUARD] * draw_guard_chance(state, seat)
    if state.cracked[seat]:
        if best_reading(hard, aces, rules.alarm_over) >= rules.targeted_safe_from:
            score += knobs[SAFE_TOTAL]
    else:
        score -= knobs[HEIGHT] * hard
    return score


@jit
def guards_shown(state):
    """How many Guards lie in displays."""
    n = 0
    for seat in range(SEATS):
        n += (state.display[seat] >> guard_of(state.suit[seat])) & 1
    return n


@jit
def choose_trade(rules, knobs, state, n, scratch):
    """Write the best arrangement of the n movable cards into ``scratch.takes``."""
    guards = guards_shown(state)
    for i in range(n):
        seat = scratch.movable[i]
        risk = alarm_risk(rules, state, seat)
        for j in range(n):
            card = state.current[scratch.movable[j]]
            scratch.score[i, j] = trade_score(rules, knobs, state, seat, card, risk, guards)
    best_arrangement(scratch, n)


@jit
def discards_peeked(rules, knobs, state, seat, card):
    """Whether a peeked card is discarded: the Guard, and what is too high and not of the suit."""
    if card == guard_of(state.suit[seat]):
        return True
    if not state.cracked[seat] and counts_for(card, state.suit[seat]):
        return False
    return rules.value[card] > knobs[PEEK_KEEP]


@jit
def choose_twenty_one(rules, knobs, state, seat):
    """Save the seat that can least afford its Guard; stay on when near a crack; else peek."""
    neediest = -1
    for owner in range(SEATS):
        shown = (state.display[owner] >> guard_of(state.suit[owner])) & 1
        if shown and (neediest < 0 or state.stealth[owner] < state.stealth[neediest]):
            neediest = owner
    near = 0
    if not state.cracked[seat]:
        near = progress(rules, safe_ranks(state.display[seat], state.suit[seat]))
    if neediest >= 0 and (state.stealth[neediest] == 0 or near < knobs[STAY_SUIT]):
        return DISCARD_GUARD + neediest
    return ALL_PEEK if near < knobs[STAY_SUIT] else STAY


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
        for other in range(SEATS):
            wanted = counts_for(card, state.suit[other]) and not state.cracked[other]
            score -= wanted * knobs[REMOVE_WANTED] * (3.0 if other == seat else 1.0)
        if best < 0 or score > best_score:
            best = i
            best_score = score
    return best


@jit
def alarm_chance(rules, state, seat):
    """The chance (float64) that the seat's next card is over the threshold, by the average deck."""
    hard = state.hard[seat]
    top = state.known_top[seat]
    if top != NO_CARD:
        return 1.0 if hard + rules.value[top] > rules.alarm_over else 0.0
    return min(1.0, max(0.0, (hard + 10 - rules.alarm_over) / 10.0))


@jit
def bails(rules, knobs, state, seat):
    """Whether the hope of going on is less than the fear of the Guard and of the alarm."""
    shown = (state.display[seat] >> guard_of(state.suit[seat])) & 1
    risk = alarm_risk(rules, state, seat)
    fear = knobs[FEAR_GUARD] + knobs[FEAR_LAST_STEALTH] * (state.stealth[seat] == 0)
    go = knobs[GO_GUARD_SHOWN] * shown + knobs[GO_SAVE] * (guards_shown(state) - shown)
    go -= fear * draw_guard_chance(state, seat)
    go -= knobs[FEAR_ALARM] * alarm_chance(rules, state, seat) * risk
    if not state.cracked[seat]:
        return go + knobs[GO_ON] + knobs[GO_SUIT] * state.held[seat] < 0.0
    go += knobs[GO_CRACKED]
    best = best_reading(state.hard[seat], state.aces[seat], rules.alarm_over)
    if best < rules.targeted_safe_from:
        go += knobs[FEAR_TARGETED] * risk
    return go < 0.0
