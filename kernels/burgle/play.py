"""The game itself: the steps of a turn, one game, and many of them.

Every step leaves in ``state.phase`` what comes next, so a game can be copied and taken up
before any step: after the draw, after the trade, before the bail.
"""

from kernels.burgle import decisions, happenings
from kernels.burgle.layout import (
    ALARM,
    ALARMS,
    ALL_PEEK,
    BAIL,
    BY_ALARM,
    BY_DISPLAY,
    BY_TARGETED_ALARM,
    COUNTED,
    CRACK,
    CRACK_ROUND,
    CRACKED,
    DEAL,
    DISCARD_GUARD,
    DRAW,
    DRAWS,
    FIRST_GUARD,
    LOST_TO,
    NO_CARD,
    OVER,
    PEEK,
    PEEKS,
    RANKS,
    REMAKE,
    REMOVED,
    ROUND_END,
    ROUND_START,
    ROUNDS,
    SEAT_ALARMS,
    SEATS,
    STALLED,
    STAY,
    STEALTH_LEFT,
    STEALTH_LOST,
    SUITS,
    TARGETED_ALARMS,
    TRADE,
    TRADES,
    TURNS,
    TWENTY_ONE,
    TWENTY_ONES,
    WON,
)
from kernels.burgle.table import (
    IS_ACE,
    RANK_COUNT,
    best_reading,
    counts_for,
    guard_of,
    has_joker,
    meets_crack,
    ranks_to_cards,
    readings,
    runs,
    safe_ranks,
)
from kernels.burgle.trade import find_movable
from kernels.cards import card_bit, lowest_card, order_by_hash, shuffle
from kernels.events import record
from kernels.jit import jit
from kernels.streams import below, draw, rollout_key, stream

NUMBER_CARDS = RANKS * SUITS
DEALT_CARDS = NUMBER_CARDS // SEATS
GUARD_DRAWS = 64  # draws of the deal's stream from here on place the Guards


@jit
def tell(state, events, kind, seat, first, second, third):
    """Record an event of the present round and turn."""
    if events.recording:
        record(events, kind, state.round_number, state.turn, seat, first, second, third)


@jit
def tell_deck(state, events, kind, seat, first):
    """Record a deck that was just dealt or shuffled, from its top."""
    if not events.recording:
        return
    n = state.deck_size[seat]
    tell(state, events, kind, seat, first, n, 0)
    for i in range(n):
        tell(state, events, happenings.LAID, seat, state.deck[seat, n - 1 - i], 0, 0)


@jit
def begin(rules, key, state, scratch, events):
    """Deal a new game into ``state`` (modified in place)."""  # B1 B2 B5 B10
    state.count[:] = 0
    state.round_number = 0
    state.turn = 0
    state.phase = ROUND_START
    state.to_crack = SEATS
    start = stream(key, DEAL, 0, 0)
    for seat in range(SEATS):
        state.suit[seat] = seat
    shuffle(state.suit, SEATS, draw(start, GUARD_DRAWS))
    for card in range(NUMBER_CARDS):
        scratch.cards[card] = card
    shuffle(scratch.cards, NUMBER_CARDS, start)
    for seat in range(SEATS):
        guard_at = below(draw(start, GUARD_DRAWS + 1 + seat), DEALT_CARDS + 1)
        for i in range(DEALT_CARDS):
            state.deck[seat, i + (i >= guard_at)] = scratch.cards[seat * DEALT_CARDS + i]
        state.deck[seat, guard_at] = guard_of(state.suit[seat])
        state.deck_size[seat] = DEALT_CARDS + 1
        reset_seat(rules, state, seat)
        tell_deck(state, events, happenings.DEALT, seat, guard_of(state.suit[seat]))


@jit
def reset_seat(rules, state, seat):
    """A seat before the first round: full stealth, nothing in front of it."""  # B5
    state.stealth[seat] = rules.stealth
    state.active[seat] = 0
    state.cracked[seat] = 0
    state.display[seat] = 0
    state.discards[seat] = 0
    state.hard[seat] = 0
    state.held[seat] = 0
    state.aces[seat] = 0
    state.drew[seat] = 0
    state.current[seat] = NO_CARD
    state.known_top[seat] = NO_CARD
    state.crack_round[seat] = 0
    state.seat_alarms[seat] = 0
    state.remakes[seat] = 0
    state.coins[seat] = 0


@jit
def remake_deck(key, state, seat, scratch, events):
    """Shuffle the seat's discards into a new deck."""  # B11
    start = stream(key, REMAKE, seat, state.remakes[seat])
    state.remakes[seat] += 1
    discards = state.discards[seat]
    state.deck_size[seat] = order_by_hash(discards, start, state.deck[seat], scratch.hashes)
    state.discards[seat] = 0
    tell_deck(state, events, happenings.SHUFFLED, seat, 0)


@jit
def has_top(key, state, seat, scratch, events):
    """Whether the seat's deck has a top card, after remaking an empty deck."""  # B11
    if state.deck_size[seat] == 0:
        if state.discards[seat] == 0:
            return False
        remake_deck(key, state, seat, scratch, events)
    return True


@jit
def take_top(key, state, seat, scratch, events):
    """Take the top card off the seat's deck; NO_CARD where there is none anywhere."""
    if not has_top(key, state, seat, scratch, events):
        return NO_CARD
    state.deck_size[seat] -= 1
    state.known_top[seat] = NO_CARD
    return state.deck[seat, state.deck_size[seat]]


@jit
def put_in_display(rules, state, seat, card):
    """Add a card to a display."""  # B13
    state.display[seat] |= card_bit(card)
    state.hard[seat] += rules.value[card]
    state.aces[seat] += IS_ACE[card]
    state.held[seat] += counts_for(card, state.suit[seat])


@jit
def take_from_display(rules, state, seat, card):
    """Take a card out of a display; a current card that leaves is not replaced."""  # R2
    state.display[seat] &= ~card_bit(card)
    state.hard[seat] -= rules.value[card]
    state.aces[seat] -= IS_ACE[card]
    state.held[seat] -= counts_for(card, state.suit[seat])
    if state.current[seat] == card:
        state.current[seat] = NO_CARD


@jit
def swap_current(rules, state, seat, card):
    """Replace the seat's current card by one that another seat gave for it."""  # B13 B14
    old = state.current[seat]
    state.display[seat] ^= card_bit(old) | card_bit(card)
    state.hard[seat] += rules.value[card] - rules.value[old]
    state.aces[seat] += IS_ACE[card] - IS_ACE[old]
    state.held[seat] += counts_for(card, state.suit[seat]) - counts_for(old, state.suit[seat])
    state.current[seat] = card


@jit
def lose_stealth(state, seat, cause, events):
    """Take 1 stealth from the seat, or end the game where it has none."""  # B24
    if state.stealth[seat] == 0:
        state.phase = OVER
        state.count[LOST_TO] = cause
        tell(state, events, happenings.CAUGHT, seat, cause, 0, 0)
        return
    state.stealth[seat] -= 1
    state.count[STEALTH_LOST] += 1
    tell(state, events, happenings.STEALTH_PAID, seat, cause, state.stealth[seat], 0)


@jit
def start_round(state, events):
    """All seats become active."""  # B10
    state.round_number += 1
    state.turn = 0
    state.count[ROUNDS] += 1
    for seat in range(SEATS):
        state.active[seat] = 1
    tell(state, events, happenings.ROUND_STARTED, 0, 0, 0, 0)
    state.phase = DRAW


@jit
def draw_step(rules, key, state, scratch, events):
    """Every active seat draws a card into its display."""  # B11
    state.turn += 1
    state.count[TURNS] += 1
    tell(state, events, happenings.TURN_STARTED, 0, 0, 0, 0)
    for seat in range(SEATS):
        state.current[seat] = NO_CARD
        if not state.active[seat]:
            continue
        card = take_top(key, state, seat, scratch, events)
        state.drew[seat] = card != NO_CARD
        if card == NO_CARD:
            tell(state, events, happenings.NOT_DRAWN, seat, 0, 0, 0)
            continue
        state.current[seat] = card
        state.count[DRAWS] += 1
        put_in_display(rules, state, seat, card)
        tell(state, events, happenings.DRAWN, seat, card, 0, 0)
    state.phase = TRADE


@jit
def trade_step(rules, policies, key, state, scratch, events):
    """The table may rearrange the movable current cards."""  # B14 B15
    state.phase = PEEK
    if not rules.trading:
        return
    n = find_movable(rules, state, scratch)
    if n < 2:
        return
    decisions.arrange_trade(rules, policies, key, state, n, scratch)
    for i in range(n):
        if scratch.takes[i] != i:
            swap_current(rules, state, scratch.movable[i], scratch.cards[scratch.takes[i]])
            state.count[TRADES] += 1
    if events.recording:
        tell_trade(state, scratch, n, events)


@jit
def tell_trade(state, scratch, n, events):
    """Record who gave what to whom, in the order of the giving seats."""
    for giver in range(n):
        for i in range(n):
            if scratch.takes[i] == giver and i != giver:
                receiver = scratch.movable[i]
                seat = scratch.movable[giver]
                tell(state, events, happenings.TRADED, seat, scratch.cards[giver], receiver, 0)


@jit
def peek(rules, policies, key, state, seat, by_twenty_one, scratch, events):
    """The seat looks at the top card of its deck and discards it or puts it back."""  # B18 R12
    if not has_top(key, state, seat, scratch, events):
        return
    state.count[PEEKS] += 1
    card = state.deck[seat, state.deck_size[seat] - 1]
    discard = decisions.discards_peeked(rules, policies, key, state, seat, card)
    if discard:
        state.deck_size[seat] -= 1
        state.discards[seat] |= card_bit(card)
        state.known_top[seat] = NO_CARD
    else:
        state.known_top[seat] = card
    tell(state, events, happenings.PEEKED, seat, card, discard, by_twenty_one)


@jit
def peek_step(rules, policies, key, state, scratch, events):
    """Every active seat with a peek total may peek once."""  # B17 B18
    checked = 0
    for seat in range(SEATS):
        if state.active[seat]:
            checked |= 1 << seat
            if readings(state.hard[seat], state.aces[seat]) & rules.peek_totals:
                peek(rules, policies, key, state, seat, 0, scratch, events)
    state.checked = checked
    state.phase = TWENTY_ONE


@jit
def twenty_one_step(rules, policies, key, state, scratch, events):
    """Every active seat with a twenty-one stays, or leaves the round with a benefit."""  # B19 R11
    for seat in range(SEATS):
        if not state.active[seat]:
            continue
        if not readings(state.hard[seat], state.aces[seat]) & rules.jackpot_total:
            continue
        state.count[TWENTY_ONES] += 1
        choice = decisions.use_twenty_one(rules, policies, key, state, seat)
        if choice == STAY:
            tell(state, events, happenings.STAYED, seat, 0, 0, 0)
            continue
        state.active[seat] = 0
        if choice == ALL_PEEK:
            tell(state, events, happenings.LEFT_TO_PEEK, seat, 0, 0, 0)
            for other in range(SEATS):
                peek(rules, policies, key, state, other, 1, scratch, events)
            continue
        owner = choice - DISCARD_GUARD
        guard = guard_of(state.suit[owner])
        take_from_display(rules, state, owner, guard)
        state.discards[owner] |= card_bit(guard)
        tell(state, events, happenings.LEFT_TO_DISCARD, seat, guard, owner, 0)
    state.phase = CRACK


@jit
def crack_step(rules, policies, key, state, events):
    """Every checked seat whose display opens its safe cracks it."""  # B17 B20 B25
    state.phase = ALARM
    for seat in range(SEATS):
        if not (state.checked >> seat) & 1 or state.cracked[seat]:
            continue
        if not meets_crack(rules, state.held[seat], state.display[seat], state.suit[seat]):
            continue
        crack_safe(rules, policies, key, state, seat, events)
        state.to_crack -= 1
        if state.to_crack == 0 and rules.win_at_once:
            state.count[WON] = 1
            state.phase = OVER
            return


@jit
def crack_safe(rules, policies, key, state, seat, events):
    """Crack the seat's safe, burning the lowest of the cards that did it."""  # B20 M1 R49
    state.cracked[seat] = 1
    state.active[seat] = 0
    state.crack_round[seat] = state.round_number
    state.count[CRACKED] += 1
    suit = state.suit[seat]
    ranks = safe_ranks(state.display[seat], suit)
    joker = has_joker(state.display[seat])
    flush = rules.flush > 0 and RANK_COUNT[ranks] + joker >= rules.flush
    if flush:
        ranks = decisions.choose_flush(policies, key, state, seat, ranks, rules.flush)
        joker &= RANK_COUNT[ranks] < rules.flush
    else:
        found = runs(rules, ranks, joker)
        first = decisions.choose_straight(policies, key, state, seat, found)
        ranks &= ((1 << rules.straight_flush) - 1) << first
        joker &= RANK_COUNT[ranks] < rules.straight_flush
    used = ranks_to_cards(ranks, suit)
    tell(state, events, happenings.SAFE_CRACKED, seat, used, not flush, joker)
    number_cards = used & (card_bit(FIRST_GUARD) - 1)
    for _ in range(rules.burn):
        if number_cards == 0:
            break
        card = lowest_card(number_cards)  # ranks of one suit: the lowest bit is the lowest value
        number_cards &= number_cards - 1
        take_from_display(rules, state, seat, card)
        state.count[REMOVED] += 1
        tell(state, events, happenings.BURNED, seat, card, 0, 0)


@jit
def alarm_step(rules, policies, key, state, scratch, events):
    """Every seat still active and over the threshold triggers an alarm."""  # B21
    state.phase = BAIL
    for seat in range(SEATS):
        if state.active[seat] and state.hard[seat] > rules.alarm_over:
            trigger_alarm(rules, policies, key, state, seat, BY_ALARM, scratch, events)
            if state.phase == OVER:
                return


@jit
def trigger_alarm(rules, policies, key, state, seat, cause, scratch, events):
    """Flip cards off the deck; the Guard costs stealth; one other card leaves the game."""  # B21
    state.active[seat] = 0
    state.count[ALARMS] += 1
    state.count[TARGETED_ALARMS] += cause == BY_TARGETED_ALARM
    state.seat_alarms[seat] += 1
    tell(state, events, happenings.ALARMED, seat, cause, 0, 0)
    guard = guard_of(state.suit[seat])
    n = 0
    removable = 0
    while n < rules.alarm_discards:  # R5: what is flipped stays out of a remade deck
        card = take_top(key, state, seat, scratch, events)
        if card == NO_CARD:
            break  # R6
        scratch.flipped[n] = card
        n += 1
        removable += card != guard
        tell(state, events, happenings.FLIPPED, seat, card, 0, 0)
    if removable < n:
        lose_stealth(state, seat, cause, events)
    if state.phase != OVER:
        for _ in range(min(rules.alarm_removes, removable)):
            gone = decisions.choose_removed(rules, policies, key, state, seat, scratch.flipped, n)
            tell(state, events, happenings.CARD_REMOVED, seat, scratch.flipped[gone], 0, 0)
            scratch.flipped[gone] = NO_CARD
            state.count[REMOVED] += 1
    for i in range(n):
        if scratch.flipped[i] != NO_CARD:
            state.discards[seat] |= card_bit(scratch.flipped[i])


@jit
def bail_step(rules, policies, key, state, scratch, events):
    """Every seat still active may leave the round; the round ends when nobody is active."""  # B22
    state.phase = ROUND_END
    for seat in range(SEATS):
        if not state.active[seat]:
            continue
        if not decisions.bails(rules, policies, key, state, seat):
            state.phase = DRAW
            continue
        state.active[seat] = 0
        tell(state, events, happenings.BAILED, seat, 0, 0, 0)
        if not state.cracked[seat]:
            continue
        best = best_reading(state.hard[seat], state.aces[seat], rules.alarm_over)
        if best < rules.targeted_safe_from:
            trigger_alarm(rules, policies, key, state, seat, BY_TARGETED_ALARM, scratch, events)
            if state.phase == OVER:
                return


@jit
def end_round(rules, state, events):
    """A Guard left in a display costs stealth; the displays are discarded."""  # B23 B25 B26 B27
    tell(state, events, happenings.ROUND_ENDED, 0, 0, 0, 0)
    state.phase = ROUND_START
    for seat in range(SEATS):
        if state.display[seat] & card_bit(guard_of(state.suit[seat])):
            lose_stealth(state, seat, BY_DISPLAY, events)
            if state.phase == OVER:
                return
    for seat in range(SEATS):
        state.discards[seat] |= state.display[seat]
        state.display[seat] = 0
        state.hard[seat] = 0
        state.held[seat] = 0
        state.aces[seat] = 0
        state.current[seat] = NO_CARD
    if state.to_crack == 0:
        state.count[WON] = 1
        state.phase = OVER
    elif state.round_number == rules.max_rounds:
        state.count[STALLED] = 1
        state.phase = OVER


@jit
def play_until(rules, policies, key, state, scratch, events, stop):
    """Play on from the phase where the game stands until it is about to enter ``stop`` or is over.

    At least one step is played; ``state`` is modified.
    """
    while True:
        if state.phase == ROUND_START:
            start_round(state, events)
        elif state.phase == DRAW:
            draw_step(rules, key, state, scratch, events)
        elif state.phase == TRADE:
            trade_step(rules, policies, key, state, scratch, events)
        elif state.phase == PEEK:
            peek_step(rules, policies, key, state, scratch, events)
        elif state.phase == TWENTY_ONE:
            twenty_one_step(rules, policies, key, state, scratch, events)
        elif state.phase == CRACK:
            crack_step(rules, policies, key, state, events)
        elif state.phase == ALARM:
            alarm_step(rules, policies, key, state, scratch, events)
        elif state.phase == BAIL:
            bail_step(rules, policies, key, state, scratch, events)
        elif state.phase == ROUND_END:
            end_round(rules, state, events)
        if state.phase == stop or state.phase == OVER:
            return


@jit
def write_outcome(state, outcome):
    """Write the outcome columns of a finished game into ``outcome`` (int32, shape (COLUMNS,))."""
    for column in range(COUNTED):
        outcome[column] = state.count[column]
    for seat in range(SEATS):
        outcome[CRACK_ROUND + seat] = state.crack_round[seat]
        outcome[STEALTH_LEFT + seat] = state.stealth[seat]
        outcome[SEAT_ALARMS + seat] = state.seat_alarms[seat]


@jit
def play_one(rules, policies, key, state, scratch, outcome, events):
    """Play the game of one key from the deal to its end.

    ``state`` and ``scratch`` are overwritten, ``outcome`` (int32, shape (COLUMNS,)) receives the
    columns, ``events`` what happened, if it records.
    """
    begin(rules, key, state, scratch, events)
    play_until(rules, policies, key, state, scratch, events, OVER)
    tell(state, events, happenings.ENDED, 0, 0, 0, 0)
    write_outcome(state, outcome)


@jit
def play_many(rules, policies, seed, first, outcomes, states, scratch, events):
    """Play rollouts ``first``, ``first + 1``, .. of a seed (uint64), one for each row.

    ``rules`` (RULES), ``policies`` (POLICIES), ``states`` (STATE), ``scratch`` (SCRATCH) and
    ``events`` (EVENTS) have the shape (1,); the last three are overwritten. ``outcomes`` (int32,
    shape (rollouts, COLUMNS)) is filled.
    """
    decisions.prepare(rules[0], policies[0], scratch[0])
    for i in range(outcomes.shape[0]):
        key = rollout_key(seed, first + i)
        play_one(rules[0], policies[0], key, states[0], scratch[0], outcomes[i], events[0])


@jit
def run_begin(rules, key, states, scratch, events):
    """Deal the game of a key into ``states`` (STATE, shape (1,)); arguments as `play_many` has."""
    begin(rules[0], key, states[0], scratch[0], events[0])


@jit
def run_until(rules, policies, key, states, scratch, events, stop):
    """Take up a game in ``states`` where it stands and play it until phase ``stop`` or its end."""
    decisions.prepare(rules[0], policies[0], scratch[0])
    play_until(rules[0], policies[0], key, states[0], scratch[0], events[0], stop)
