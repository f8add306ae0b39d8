"""The game itself: the steps of a turn, one game, and many of them.

Every step leaves in ``state.phase`` what comes next, so a game can be copied and taken up
before any step: after the draw, after the trade, before the bail.
"""

import numpy as np

from kernels.burgle import decisions, happenings
from kernels.burgle.deal import begin
from kernels.burgle.happenings import tell
from kernels.burgle.layout import (
    ABILITY,
    AFTER_DRAW,
    AFTER_TRADE,
    ALARM,
    ALARMS,
    ALL_PEEK,
    AT_START,
    BAIL,
    BEFORE_ALARM,
    BEFORE_END,
    BY_ALARM,
    BY_DISPLAY,
    BY_TARGETED_ALARM,
    CHARACTERS,
    COUNTED,
    CRACK,
    CRACK_ROUND,
    CRACKED,
    DISCARD_GUARD,
    DISCARD_TOP,
    DRAW,
    DRAWS,
    FIRST_GUARD,
    HACKER,
    HAWK,
    JOKER,
    JUICER,
    KEEP,
    NEXT,
    NO_CARD,
    NO_PLAN,
    NUMBER_CARDS,
    OVER,
    PEEK,
    PEEKS,
    PETERMAN,
    RAVEN,
    REMOVED,
    ROOK,
    ROUND_END,
    ROUND_START,
    ROUNDS,
    SEAT_ALARMS,
    SEATED,
    SEATS,
    STALLED,
    STAY,
    STEALTH_LEFT,
    TARGETED_ALARMS,
    TOOLS,
    TRADE,
    TRADES,
    TURNS,
    TWENTY_ONE,
    TWENTY_ONES,
    USED,
    VAN,
    WON,
)
from kernels.burgle.piles import (
    discard_guard,
    draw_card,
    has_top,
    lift,
    lose_stealth,
    put_on_top,
    show,
    swap_card,
    take_from_display,
    take_top,
)
from kernels.burgle.table import (
    RANK_COUNT,
    best_reading,
    guard_of,
    has_joker,
    meets_crack,
    ranks_to_cards,
    readings,
    runs,
    safe_ranks,
)
from kernels.burgle.tools import open_window, take_tool
from kernels.cards import card_bit, lowest_card
from kernels.jit import inlined, jit
from kernels.streams import rollout_key


@inlined
def start_round(rules, policies, key, state, scratch, events):
    """All seats become active; tools may be used."""  # B10 R30
    state.round_number += 1
    state.turn = 0
    state.count[ROUNDS] += 1
    for seat in range(rules.players):
        state.active[seat] = 1
    tell(state, events, happenings.ROUND_STARTED, 0, 0, 0, 0)
    if state.tools_held:
        open_window(rules, policies, key, state, AT_START, scratch, events)
    state.phase = DRAW


@inlined
def draw_step(rules, policies, key, state, scratch, events):
    """Every active seat draws a card into its display, then the Van draws."""  # B11 B12 R4
    state.turn += 1
    state.count[TURNS] += 1
    tell(state, events, happenings.TURN_STARTED, 0, 0, 0, 0)
    for seat in range(SEATS):
        if state.active[seat]:
            state.current[seat] = NO_CARD
            drew = draw_card(rules, key, state, seat, 1, scratch, events)
            state.drew[seat] = drew
    if rules.players < SEATS:
        draw_for_van(rules, policies, key, state, scratch, events)
    state.phase = TRADE


@jit
def draw_for_van(rules, policies, key, state, scratch, events):
    """The Van draws a card; by a Jack one seat may discard its Guard."""  # B12 R46
    card = take_top(key, state, VAN, scratch, events)
    state.current[VAN] = card
    if card == NO_CARD:
        return
    state.count[DRAWS] += 1
    tell(state, events, happenings.DRAWN, VAN, card, 0, 0)
    if FIRST_GUARD <= card < JOKER:
        owner = decisions.choose_van_guard(rules, policies, key, state)
        if owner >= 0:
            discard_guard(rules, state, owner)
            guard = guard_of(state.suit[owner])
            tell(state, events, happenings.VAN_GUARD, owner, guard, 0, 0)


@inlined
def trade_step(rules, policies, key, state, scratch, events):
    """The table may rearrange the movable current cards."""  # B14 B15 R30
    state.phase = PEEK
    if state.tools_held:
        open_window(rules, policies, key, state, AFTER_DRAW, scratch, events)
    if not rules.trading:
        return
    n = decisions.arrange_trade(rules, policies, key, state, scratch)
    carry_out_trade(rules, state, n, scratch, events)


@inlined
def carry_out_trade(rules, state, n, scratch, events):
    """Hand over the cards as ``scratch.takes`` says."""  # B14 R58
    for i in range(n):
        if scratch.takes[i] == i:
            continue
        card = scratch.cards[scratch.takes[i]]
        state.count[TRADES] += 1
        seat = scratch.movable[i]
        if seat == VAN:
            state.current[VAN] = card
            continue
        if scratch.cards[i] != state.current[seat]:
            state.ability[HACKER] += 1
        swap_card(rules, state, seat, scratch.cards[i], card)
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


@inlined
def peek_step(rules, policies, key, state, scratch, events):
    """Every active seat with a peek total may peek once."""  # B17 B18 R30
    if state.tools_held:
        open_window(rules, policies, key, state, AFTER_TRADE, scratch, events)
    checked = 0
    for seat in range(SEATS):
        if state.active[seat]:
            checked |= 1 << seat
            if readings(state.hard[seat], state.aces[seat]) & state.peek_totals[seat]:
                peek(rules, policies, key, state, seat, 0, scratch, events)
    state.checked = checked
    state.phase = TWENTY_ONE


@jit
def peek(rules, policies, key, state, seat, by_twenty_one, scratch, events):
    """The seat looks at the top card of its deck and discards it or puts it back."""  # B18 R12
    if not has_top(key, state, seat, scratch, events):
        return
    state.count[PEEKS] += 1
    top = state.deck_size[seat] - 1
    two = state.character[seat] == HAWK and not by_twenty_one and top > 0  # R13 R15
    if two and decisions.looks_at_two(policies, seat):
        look_at_two(rules, policies, key, state, seat, top, events)
        return
    card = show(state, seat, top)
    discard = decisions.discards_peeked(rules, policies, key, state, seat, card)
    if discard:
        state.discards[seat] |= card_bit(lift(state, seat, top))
    tell(state, events, happenings.PEEKED, seat, card, discard, by_twenty_one)
    if state.character[seat] == ROOK and not discard:
        look_for_other(rules, policies, key, state, seat, scratch, events)


@jit
def look_at_two(rules, policies, key, state, seat, top, events):
    """The Hawk looks at two cards and discards at most one of them."""  # C1 R56
    card = show(state, seat, top)
    second = show(state, seat, top - 1)
    choice = decisions.discards_of_two(rules, policies, key, state, seat, card, second)
    state.ability[HAWK] += 1
    if choice != KEEP:
        place = top if choice == DISCARD_TOP else top - 1
        state.discards[seat] |= card_bit(lift(state, seat, place))
    tell(state, events, happenings.LOOKED_AT_TWO, seat, card, second, choice)


@jit
def look_for_other(rules, policies, key, state, seat, scratch, events):
    """The Rook looks at the top card of another seat's deck, which it may discard."""  # C7 R25 R26
    other = decisions.choose_deck(rules, policies, key, state, seat)
    if other < 0 or not has_top(key, state, other, scratch, events):
        return
    state.count[PEEKS] += 1
    state.ability[ROOK] += 1
    top = state.deck_size[other] - 1
    card = show(state, other, top)
    discard = decisions.discards_for_other(rules, policies, key, state, seat, other, card)
    if discard:
        state.discards[other] |= card_bit(lift(state, other, top))
    tell(state, events, happenings.ROOK_LOOKED, seat, card, other, discard)


@inlined
def twenty_one_step(rules, policies, key, state, scratch, events):
    """Every active seat with a twenty-one stays, or leaves the round with a benefit."""  # B19 R11
    state.phase = CRACK
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
            for other in range(rules.players):
                peek(rules, policies, key, state, other, 1, scratch, events)
            continue
        owner = choice - DISCARD_GUARD
        discard_guard(rules, state, owner)
        guard = guard_of(state.suit[owner])
        tell(state, events, happenings.LEFT_TO_DISCARD, seat, guard, owner, 0)
    if policies.searching:
        drop_plans(state)


@jit
def drop_plans(state):
    """Forget what a search had planned for the step that is over."""
    for seat in range(SEATS):
        state.plan[seat] = NO_PLAN


@inlined
def crack_step(rules, policies, key, state, scratch, events):
    """Every checked seat whose display opens its safe cracks it."""  # B17 B20 B25
    state.phase = ALARM
    most = 0
    for seat in range(SEATS):
        most = max(most, state.held[seat])
    if most < rules.crack_from:
        return
    for seat in range(SEATS):
        if not (state.checked >> seat) & 1 or state.cracked[seat]:
            continue
        if not meets_crack(rules, state.held[seat], state.display[seat], state.suit[seat]):
            continue
        crack_safe(rules, policies, key, state, seat, events)
        take_tool(rules, policies, key, state, seat, scratch, events)  # B6 R32
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
        suited = (ranks << 1) | joker  # the Joker counts 0 and is the lowest of them
        suited = decisions.choose_flush(policies, key, state, seat, suited, rules.flush)
        ranks = suited >> 1
        joker = suited & 1
    else:
        found = runs(rules, ranks, joker)
        first = decisions.choose_straight(policies, key, state, seat, found)
        ranks &= ((1 << rules.straight_flush) - 1) << first
        joker &= RANK_COUNT[ranks] < rules.straight_flush
    used = ranks_to_cards(ranks, suit)
    tell(state, events, happenings.SAFE_CRACKED, seat, used, not flush, joker)
    burn(rules, state, seat, used, joker, events)


@jit
def burn(rules, state, seat, used, joker, events):
    """The lowest of the cards that cracked the safe leave the game, never the Guard."""  # M1 R50
    number_cards = used & NUMBER_CARDS
    for _ in range(rules.burn):
        if joker:
            card = np.int64(JOKER)
            joker = 0
        elif number_cards:
            card = lowest_card(number_cards)  # ranks of one suit: the lowest bit is the lowest
            number_cards &= number_cards - 1
        else:
            break
        take_from_display(rules, state, seat, card)
        state.count[REMOVED] += 1
        tell(state, events, happenings.BURNED, seat, card, 0, 0)


@inlined
def alarm_step(rules, policies, key, state, scratch, events):
    """Every seat still active and over its threshold triggers an alarm."""  # B21 C5 C6 T6 R30
    if state.tools_held:
        open_window(rules, policies, key, state, BEFORE_ALARM, scratch, events)
    state.phase = BAIL
    if not any_over(rules, state):
        return
    for seat in range(SEATS):
        if not state.active[seat]:
            continue
        if state.hard[seat] <= state.over[seat]:
            state.ability[JUICER] += state.hard[seat] > rules.alarm_over
            continue
        if state.emp:
            state.active[seat] = 0
            tell(state, events, happenings.SILENCED, seat, BY_ALARM, 0, 0)
        elif state.character[seat] == RAVEN and state.hard[seat] % 2 == 0:  # R23 R24
            state.active[seat] = 0
            state.ability[RAVEN] += 1
            tell(state, events, happenings.DISTRACTED, seat, 0, 0, 0)
        else:
            trigger_alarm(rules, policies, key, state, seat, BY_ALARM, scratch, events)
            if state.phase == OVER:
                return


@jit
def any_over(rules, state):
    """Whether an active seat is over somebody's threshold; without a branch: mostly none is."""
    found = 0
    for seat in range(SEATS):
        over = min(state.over[seat], rules.alarm_over)
        found |= (state.hard[seat] > over) & state.active[seat]
    return found != 0


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


@inlined
def bail_step(rules, policies, key, state, scratch, events):
    """Every seat still active may leave the round; the round ends when nobody is active."""  # B22
    state.phase = ROUND_END
    scratch.looked_ahead = 0
    for seat in range(SEATS):
        if not state.active[seat]:
            continue
        if not decisions.bails(rules, policies, key, state, seat, scratch):
            state.phase = DRAW
            continue
        state.active[seat] = 0
        tell(state, events, happenings.BAILED, seat, 0, 0, 0)
        if not state.cracked[seat]:
            continue
        best = best_reading(state.hard[seat], state.aces[seat], state.over[seat])
        if best >= rules.targeted_safe_from:
            continue
        if state.emp:
            tell(state, events, happenings.SILENCED, seat, BY_TARGETED_ALARM, 0, 0)
            continue
        trigger_alarm(rules, policies, key, state, seat, BY_TARGETED_ALARM, scratch, events)
        scratch.looked_ahead = 0
        if state.phase == OVER:
            return
    if policies.searching:
        drop_plans(state)
    if rules.players < SEATS and state.current[VAN] != NO_CARD:  # B12 R48
        state.discards[VAN] |= card_bit(state.current[VAN])
        state.current[VAN] = NO_CARD


@inlined
def end_round(rules, policies, key, state, scratch, events):
    """A Guard left in a display costs stealth; the displays are discarded."""  # B23 B25 B26 B27
    if state.tools_held:
        open_window(rules, policies, key, state, BEFORE_END, scratch, events)
    tell(state, events, happenings.ROUND_ENDED, 0, 0, 0, 0)
    state.phase = ROUND_START
    if rules.peterman_before_guard:
        save_top(rules, policies, key, state, events)
    for seat in range(SEATS):
        if state.display[seat] & card_bit(guard_of(state.suit[seat])):
            lose_stealth(state, seat, BY_DISPLAY, events)
            if state.phase == OVER:
                return
    if not rules.peterman_before_guard:
        save_top(rules, policies, key, state, events)
    for seat in range(SEATS):
        state.discards[seat] |= state.display[seat]
        state.display[seat] = 0
        state.hard[seat] = 0
        state.held[seat] = 0
        state.aces[seat] = 0
        state.current[seat] = NO_CARD
    state.row_size = 0
    state.emp = 0
    state.donuts = -1
    if state.to_crack == 0:
        state.count[WON] = 1
        state.phase = OVER
    elif state.round_number == rules.max_rounds:
        state.count[STALLED] = 1
        state.phase = OVER


@jit
def save_top(rules, policies, key, state, events):
    """The Peterman may put its current card on top of its deck."""  # C9 R29
    for seat in range(rules.players):
        card = state.current[seat]
        if state.character[seat] != PETERMAN or card == NO_CARD:
            continue
        if decisions.puts_on_top(rules, policies, key, state, seat):
            take_from_display(rules, state, seat, card)
            put_on_top(state, seat, card)
            state.ability[PETERMAN] += 1
            tell(state, events, happenings.PUT_ON_TOP, seat, card, 0, 0)


@inlined
def play_step(rules, policies, key, state, scratch, events):
    """Play the step of the phase in which the game stands; ``state`` is modified."""
    if state.phase == ROUND_START:
        start_round(rules, policies, key, state, scratch, events)
    elif state.phase == DRAW:
        draw_step(rules, policies, key, state, scratch, events)
    elif state.phase == TRADE:
        trade_step(rules, policies, key, state, scratch, events)
    elif state.phase == PEEK:
        peek_step(rules, policies, key, state, scratch, events)
    elif state.phase == TWENTY_ONE:
        twenty_one_step(rules, policies, key, state, scratch, events)
    elif state.phase == CRACK:
        crack_step(rules, policies, key, state, scratch, events)
    elif state.phase == ALARM:
        alarm_step(rules, policies, key, state, scratch, events)
    elif state.phase == BAIL:
        bail_step(rules, policies, key, state, scratch, events)
    elif state.phase == ROUND_END:
        end_round(rules, policies, key, state, scratch, events)


@jit
def play_until(rules, policies, key, state, scratch, events, stop):
    """Play on from the phase where the game stands until it is about to enter ``stop`` or is over.

    At least one step is played, and with ``stop`` NEXT no more; ``state`` is modified.
    """
    while True:
        play_step(rules, policies, key, state, scratch, events)
        if state.phase == stop or state.phase == OVER or stop == NEXT:
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
        outcome[SEATED + seat] = state.character[seat] + 1
    for tool in range(TOOLS):
        outcome[USED + tool] = state.used[tool]
    for character in range(CHARACTERS):
        outcome[ABILITY + character] = state.ability[character]


@jit
def play_many(rules, policies, seed, first, outcomes, states, scratch, events):
    """Play rollouts ``first``, ``first + 1``, .. of a seed (uint64), one for each row.

    ``rules`` (RULES), ``policies`` (POLICIES), ``states`` (STATE), ``scratch`` (SCRATCH) and
    ``events`` (EVENTS) have the shape (1,); the last three are overwritten. ``outcomes`` (int32,
    shape (rollouts, COLUMNS)) is filled.
    """
    decisions.prepare(rules[0], policies[0], scratch[0])
    state = states[0]
    for i in range(outcomes.shape[0]):
        key = rollout_key(seed, first + i)
        begin(rules[0], policies[0], key, state, scratch[0], events[0])
        play_until(rules[0], policies[0], key, state, scratch[0], events[0], OVER)
        tell(state, events[0], happenings.ENDED, 0, 0, 0, 0)
        write_outcome(state, outcomes[i])


@jit
def run_begin(rules, policies, key, states, scratch, events):
    """Deal the game of a key into ``states`` (STATE, shape (1,)); arguments as `play_many` has."""
    begin(rules[0], policies[0], key, states[0], scratch[0], events[0])


@jit
def run_until(rules, policies, key, states, scratch, events, stop):
    """Take up a game in ``states`` where it stands and play it until phase ``stop`` or its end."""
    decisions.prepare(rules[0], policies[0], scratch[0])
    play_until(rules[0], policies[0], key, states[0], scratch[0], events[0], stop)
