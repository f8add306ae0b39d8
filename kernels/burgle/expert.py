"""The policy `expert`: weighs what it sees on the table by trained weights, and counts cards.

It reads only what is open: displays, discards, stealth, tools, the number of cards in each deck,
the cards whose places everybody knows, and which cards a deck can hold (see `outlook.py`). Every
decision is a sum of features times knobs; docs/decisions/0006-expert.md tells how the knobs were
found.
"""

from kernels.burgle.expert_tools import (
    need,
)
from kernels.burgle.knobs import (
    CRACKED_GO,
    CRACKED_GO_ALARM_GUARD,
    CRACKED_GO_BUST,
    CRACKED_GO_BUST_GUARD,
    CRACKED_GO_BUST_LAST,
    CRACKED_GO_GUARD,
    CRACKED_GO_GUARD_LAST,
    CRACKED_GO_GUARDS,
    CRACKED_GO_OTHERS,
    CRACKED_GO_REACH,
    CRACKED_GO_SHOWN,
    CRACKED_GO_SHOWN_LAST,
    CRACKED_GO_UNSAFE,
    CRACKED_GO_UNSAFE_GUARD,
    CRACKED_GO_UNSAFE_LAST,
    CRACKED_TRADE_ALARM,
    CRACKED_TRADE_ALARM_GUARD,
    CRACKED_TRADE_ALARM_LAST,
    CRACKED_TRADE_JACKPOT,
    CRACKED_TRADE_JACKPOT_GUARDS,
    CRACKED_TRADE_PEEK,
    CRACKED_TRADE_PEEK_GUARD,
    CRACKED_TRADE_ROOM,
    CRACKED_TRADE_SAFE,
    CRACKED_TRADE_SAFE_GUARD,
    GO,
    GO_1_TO_GO,
    GO_1_TO_GO_SUIT,
    GO_ALARM_GUARD,
    GO_BUST,
    GO_BUST_1_TO_GO,
    GO_BUST_GUARD,
    GO_BUST_LAST,
    GO_GUARD,
    GO_GUARD_1_TO_GO,
    GO_GUARD_LAST,
    GO_GUARD_ONE_LEFT,
    GO_GUARDS,
    GO_LAST,
    GO_OTHERS,
    GO_OWN_SUIT,
    GO_ROOM,
    GO_ROOM_2,
    GO_ROOM_NEAR,
    GO_ROOM_SHORT,
    GO_SHORT_SUIT,
    GO_SHOWN,
    GO_SHOWN_LAST,
    GO_SHOWN_SUIT,
    GO_SUIT,
    GO_TO_CRACK,
    PEEK_KEEP,
    REMOVE_HIGH,
    REMOVE_WANTED,
    STAY_NEAR,
    TOP_VALUE,
    TRADE_1_TO_GO,
    TRADE_1_TO_GO_ROOM,
    TRADE_1_TO_GO_ROOM_2,
    TRADE_2_TO_GO_ROOM,
    TRADE_2_TO_GO_ROOM_2,
    TRADE_ACE,
    TRADE_ALARM,
    TRADE_ALARM_GUARD,
    TRADE_ALARM_LAST,
    TRADE_CRACK,
    TRADE_JACKPOT,
    TRADE_JACKPOT_GUARDS,
    TRADE_OTHER_VALUE,
    TRADE_PEEK,
    TRADE_PEEK_GUARD,
    TRADE_ROOM,
    TRADE_ROOM_2,
    TRADE_SUIT,
    TRADE_SUIT_VALUE,
)
from kernels.burgle.layout import (
    ALL_PEEK,
    DISCARD_GUARD,
    DISCARD_SECOND,
    DISCARD_TOP,
    KEEP,
    NO_CARD,
    RANKS,
    RAVEN,
    STAY,
    VAN,
)
from kernels.burgle.outlook import (
    HIGHER,
    SUIT_CARDS,
    TEN,
    alarm_risk,
    bust_chance,
    look_ahead,
    next_guard_chance,
    share,
    short_of,
    suit_chance,
    to_go,
)
from kernels.burgle.table import (
    best_reading,
    counts_for,
    guard_of,
    guards_shown,
    has_joker,
    known_top,
    readings,
    safe_ranks,
)
from kernels.burgle.trade import best_arrangement, give_other_card
from kernels.cards import (
    card_bit,
    count_cards,
)
from kernels.jit import inlined, jit


@jit
def weigh_shortness(knobs, by_near):
    """Fill ``by_near`` [near]: what it is worth to be so many cards short of the crack.

    A constant, and what room below the alarm threshold adds to it, linear and squared.
    """
    by_near[:, :] = 0.0
    for near in range(1, 5):
        by_near[near, 0] = knobs[TRADE_1_TO_GO + near - 1]
    by_near[1, 1] = knobs[TRADE_1_TO_GO_ROOM]
    by_near[1, 2] = knobs[TRADE_1_TO_GO_ROOM_2]
    by_near[2, 1] = knobs[TRADE_2_TO_GO_ROOM]
    by_near[2, 2] = knobs[TRADE_2_TO_GO_ROOM_2]


@inlined
def score_seat(rules, knobs, by_near, state, i, n, guards, scratch):
    """Fill ``scratch.score`` [i, j]: what a seat with its safe to crack makes of movable card j."""
    seat = scratch.movable[i]
    suit = state.suit[seat]
    rest = state.display[seat] & ~card_bit(scratch.cards[i])
    hard_before = state.hard[seat] - scratch.value[i]
    aces_before = state.aces[seat] - scratch.ace[i]
    near_before = short_of(rules, safe_ranks(rest, suit), has_joker(rest))
    risk = alarm_risk(rules, state, seat)
    alarm = knobs[TRADE_ALARM] + knobs[TRADE_ALARM_GUARD] * risk
    last_alarm = knobs[TRADE_ALARM_LAST] * risk * (state.stealth[seat] == 0)
    jackpot = knobs[TRADE_JACKPOT] + knobs[TRADE_JACKPOT_GUARDS] * guards
    peek = knobs[TRADE_PEEK] + knobs[TRADE_PEEK_GUARD] * next_guard_chance(state, seat)
    raven = state.character[seat] == RAVEN
    for j in range(n):
        value = scratch.value[j] / TEN
        near = near_before
        if (scratch.suits[j] >> suit) & 1:
            worth = knobs[TRADE_SUIT] + knobs[TRADE_SUIT_VALUE] * value
            pile = rest | card_bit(scratch.cards[j])
            near = short_of(rules, safe_ranks(pile, suit), has_joker(pile))
            if near <= 0:
                scratch.score[i, j] = worth + knobs[TRADE_CRACK]
                continue
        else:
            worth = knobs[TRADE_OTHER_VALUE] * value
        near = max(near, 0)
        worth += by_near[near, 0]
        hard = hard_before + scratch.value[j]
        if hard > state.over[seat]:  # the Raven escapes the alarm: it just leaves
            escapes = raven and hard % 2 == 0
            scratch.score[i, j] = worth if escapes else worth + alarm + last_alarm
            continue
        room = (state.over[seat] - hard) / TEN
        aces = aces_before + scratch.ace[j]
        worth += room * (knobs[TRADE_ROOM] + knobs[TRADE_ROOM_2] * room)
        worth += room * (by_near[near, 1] + by_near[near, 2] * room)
        can_read = readings(hard, aces)
        may_peek = peek if can_read & state.peek_totals[seat] else 0.0
        worth += jackpot if can_read & rules.jackpot_total else may_peek
        scratch.score[i, j] = worth + knobs[TRADE_ACE] * aces


@inlined
def score_cracked_seat(rules, knobs, state, i, n, guards, scratch):
    """As `score_seat`, for a seat that has cracked its safe."""
    seat = scratch.movable[i]
    hard_before = state.hard[seat] - scratch.value[i]
    aces_before = state.aces[seat] - scratch.ace[i]
    risk = alarm_risk(rules, state, seat)
    alarm = knobs[CRACKED_TRADE_ALARM] + knobs[CRACKED_TRADE_ALARM_GUARD] * risk
    alarm += knobs[CRACKED_TRADE_ALARM_LAST] * risk * (state.stealth[seat] == 0)
    safe = knobs[CRACKED_TRADE_SAFE] + knobs[CRACKED_TRADE_SAFE_GUARD] * risk
    jackpot = knobs[CRACKED_TRADE_JACKPOT] + knobs[CRACKED_TRADE_JACKPOT_GUARDS] * guards
    peek = knobs[CRACKED_TRADE_PEEK_GUARD] * next_guard_chance(state, seat)
    raven = state.character[seat] == RAVEN
    for j in range(n):
        hard = hard_before + scratch.value[j]
        if hard > state.over[seat]:
            scratch.score[i, j] = 0.0 if raven and hard % 2 == 0 else alarm
            continue
        aces = aces_before + scratch.ace[j]
        worth = knobs[CRACKED_TRADE_ROOM] * (state.over[seat] - hard) / TEN
        if best_reading(hard, aces, state.over[seat]) >= rules.targeted_safe_from:
            worth += safe
        can_read = readings(hard, aces)
        if can_read & rules.jackpot_total:
            worth += jackpot
        elif can_read & state.peek_totals[seat]:
            worth += knobs[CRACKED_TRADE_PEEK]
            worth += peek
        scratch.score[i, j] = worth


@jit
def choose_trade(rules, knobs, by_near, state, n, scratch):
    """Write the best arrangement of the n movable cards into ``scratch.takes``.

    Where the Hacker may give either of two cards, both are tried.
    """
    fill_scores(rules, knobs, by_near, state, n, scratch)
    best_arrangement(scratch, n)
    if scratch.hacker_at < 0:
        return
    total = arrangement_score(n, scratch)
    give_other_card(rules, scratch)
    fill_scores(rules, knobs, by_near, state, n, scratch)
    best_arrangement(scratch, n)
    gives = scratch.takes[scratch.hacker_at] != scratch.hacker_at
    if not gives or arrangement_score(n, scratch) <= total:
        give_other_card(rules, scratch)
        fill_scores(rules, knobs, by_near, state, n, scratch)
        best_arrangement(scratch, n)


@jit
def arrangement_score(n, scratch):
    """The total score of the arrangement in ``scratch.takes``."""
    total = 0.0
    for i in range(n):
        total += scratch.score[i, scratch.takes[i]]
    return total


@jit
def fill_scores(rules, knobs, by_near, state, n, scratch):
    """Fill ``scratch.score`` [i, j]: what number i makes of movable card j."""
    guards = count_cards(guards_shown(state, rules.players))
    for i in range(n):
        seat = scratch.movable[i]
        if seat == VAN:
            scratch.score[i, :] = 0.0
        elif state.cracked[seat]:
            score_cracked_seat(rules, knobs, state, i, n, guards, scratch)
        else:
            score_seat(rules, knobs, by_near, state, i, n, guards, scratch)


@inlined
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


@inlined
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


@inlined
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
