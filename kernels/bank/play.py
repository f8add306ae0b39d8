"""The game itself: the deal, the steps of a turn, robberies, one game, and many of them.

Every step leaves in ``state.phase`` what comes next, so a game can be copied and taken up before
any step: at the start of a turn, before the seat acts.
"""

from kernels.bank import decisions, happenings
from kernels.bank.banks import (
    after_robbery,
    deck_left,
    draw_into_hand,
    lay,
    take_from_hand,
)
from kernels.bank.happenings import tell
from kernels.bank.layout import (
    CHOOSE,
    COINS,
    COINS_LOST,
    COINS_PAID,
    COINS_THIEVED,
    COLUMNS,
    COUNT_BITS,
    DEAL,
    ENDED_GUARDED,
    ENDED_PAID,
    ENDED_SHORT,
    ENDED_THIEVED,
    GUARDED,
    KINDS,
    LADIES,
    LOOK,
    NEXT,
    OVER,
    PAID,
    PLAY,
    POT,
    REVEAL,
    REWARDS,
    ROB,
    ROBBED,
    ROBBERIES,
    SEATS,
    SHORT,
    STAKES,
    STALLED,
    THIEVED,
    TILE,
    TURN_START,
    TURNS,
    WHOLE_WIN,
    WIN_SHARE,
    WITH_LADY,
)
from kernels.bank.robbery import acting, resolve
from kernels.cards import shuffle
from kernels.jit import inlined, jit
from kernels.streams import rollout_key, stream


@inlined
def begin(rules, key, state, events):
    """Deal a new game into ``state`` (modified in place)."""  # K1 K2 K3
    state.phase = TURN_START
    state.turn = 0
    state.seat = 0
    state.tiles_left = 0
    state.tile_shuffles = 0
    state.fair = 0.0
    state.count[:] = 0
    for kind in range(KINDS):
        state.gone[kind] = 0
    for i in range(rules.cards):
        state.deck[i] = rules.card[i]
    shuffle(state.deck, rules.cards, stream(key, DEAL, 0, 0))
    state.dealt = 0
    if events.recording:
        for i in range(rules.cards):
            tell(state, events, happenings.DECK_LAID, 0, state.deck[i], 0, 0)
    for seat in range(SEATS):
        state.cards[seat] = 0
        state.coins[seat] = rules.coins if seat < rules.players else 0
        state.staked[seat] = 0
        state.tosses[seat] = 0
    for seat in range(rules.players):
        tell(state, events, happenings.HAND, seat, 0, 0, 0)
        for _ in range(rules.hand):
            card = draw_into_hand(rules, state, seat)
            tell(state, events, happenings.CARD, seat, card, 0, 0)
    for bank in range(rules.banks):
        state.bank_size[bank] = 0
        state.open[bank] = 0
        state.money[bank] = 0
        state.specials[bank] = 0
        for seat in range(SEATS):
            state.seen[seat, bank] = 0
        card = state.deck[state.dealt]
        state.dealt += 1
        lay(rules, state, bank, card)
        tell(state, events, happenings.BANK, 0, bank, card, 0)


@inlined
def start_turn(rules, policies, key, state, scratch, events):
    """The next turn begins."""
    state.turn += 1
    tell(state, events, happenings.TURN, state.seat, 0, 0, 0)
    state.phase = CHOOSE


@inlined
def next_tile(rules, key, state, events):
    """Reveal the next tile; after the last one they are shuffled anew."""  # K4
    if state.tiles_left == 0:
        for i in range(rules.tiles):
            state.tile[i] = rules.tile[i]
        shuffle(state.tile, rules.tiles, stream(key, TILE, 0, state.tile_shuffles))
        state.tile_shuffles += 1
        state.tiles_left = rules.tiles
        if events.recording:
            tell(state, events, happenings.TILES, 0, 0, 0, 0)
            for i in range(rules.tiles - 1, -1, -1):
                tell(state, events, happenings.TILE, 0, state.tile[i], 0, 0)
    state.tiles_left -= 1
    return state.tile[state.tiles_left]


@inlined
def act(rules, policies, key, state, scratch, events):
    """The seat does what its tile says, or what it chooses."""  # K4-K9
    seat = state.seat
    if rules.tiles > 0:
        action = next_tile(rules, key, state, events)
    else:
        action = decisions.choose_action(rules, policies, key, state, seat, scratch)
    tell(state, events, happenings.ACTION, seat, action, 0, 0)
    if action == PLAY:
        play_card(rules, policies, key, state, seat, events)
    elif action == ROB:
        bank = decisions.choose_bank(rules, policies, key, state, seat, scratch)
        if bank < 0:
            tell(state, events, happenings.NOTHING, seat, 0, 0, 0)
        else:
            state.count[ROBBED + seat] += 1
            rob(rules, policies, key, state, seat, bank, 0, scratch, events)
    else:
        turn_up(rules, policies, key, state, seat, action, events)
    end_turn(rules, policies, key, state, scratch, events)


@inlined
def play_card(rules, policies, key, state, seat, events):
    """A card goes face down to a bank, and another one into the hand."""  # K5
    if state.cards[seat] == 0:
        tell(state, events, happenings.NOTHING, seat, 0, 0, 0)
        return
    pick = decisions.choose_play(rules, policies, key, state, seat)
    bank = pick & 63
    card = take_from_hand(state, seat, pick >> 6)
    state.seen[seat, bank] |= 1 << state.bank_size[bank]
    lay(rules, state, bank, card)
    tell(state, events, happenings.PLAYED, seat, card, bank, 0)
    if deck_left(rules, state) > 0:
        card = draw_into_hand(rules, state, seat)
        tell(state, events, happenings.DREW, seat, card, 0, 0)


@inlined
def turn_up(rules, policies, key, state, seat, action, events):
    """The seat looks at a face-down card, or turns it up for all."""  # K6 K7 K9
    pick = decisions.choose_card(rules, policies, key, state, seat, action == REVEAL)
    if pick < 0:
        tell(state, events, happenings.NOTHING, seat, 0, 0, 0)
        return
    bank = pick >> 6
    place = pick & 63
    if action == LOOK:
        state.seen[seat, bank] |= 1 << place
        tell(state, events, happenings.LOOKED, seat, bank, place, state.bank[bank, place])
    else:
        state.open[bank] |= 1 << place
        tell(state, events, happenings.REVEALED, seat, bank, place, state.bank[bank, place])


@jit
def rob(rules, policies, key, state, seat, bank, final, scratch, events):
    """All seats stake, the bank is opened, and who can be paid is paid."""  # K8 K10-K19
    tell(state, events, happenings.ROBBED, seat, bank, final, 0)
    staked = 0
    for other in range(rules.players):
        stake = decisions.choose_stake(rules, policies, key, state, other, bank, scratch)
        state.stake[other] = stake
        staked += stake
    for other in range(rules.players):
        state.staked[other] += state.stake[other]
        tell(state, events, happenings.STAKED, other, state.stake[other], 0, 0)
    state.fair += state.bank_size[bank] * rules.mean_value / rules.players
    pot = state.money[bank]
    specials = state.specials[bank]
    players = rules.players
    what = resolve(rules, players, pot, specials, seat, state.stake, state.gain, state.order)
    pot <<= acting(rules, specials) >> COUNT_BITS
    if events.recording:
        tell_result(rules, state, bank, pot, what, events)
    paid_out = settle(rules, state, pot, staked, what)
    thieved = what & THIEVED != 0
    after_robbery(rules, state, bank, paid_out, thieved, final, events)


@inlined
def settle(rules, state, pot, staked, what):
    """Move the coins and count what happened; returns the coins paid out of the pot."""
    count = state.count
    count[ROBBERIES] += 1
    count[ENDED_PAID] += what & PAID != 0
    count[ENDED_SHORT] += what & SHORT != 0
    count[ENDED_GUARDED] += what & GUARDED != 0
    count[ENDED_THIEVED] += what & THIEVED != 0
    count[WITH_LADY] += what & LADIES != 0
    count[POT] += pot
    count[STAKES] += staked
    gained = 0
    lost = 0
    for seat in range(rules.players):
        gain = state.gain[seat]
        state.coins[seat] += gain
        gained += max(gain, 0)
        lost -= min(gain, 0)
    count[COINS_THIEVED if what & THIEVED else COINS_LOST] += lost
    if what & (GUARDED | THIEVED):
        count[REWARDS] += gained
        return 0
    count[COINS_PAID] += gained
    return gained


@jit
def tell_result(rules, state, bank, pot, what, events):
    """Record the open bank and who gained what, in the order of taking."""
    tell(state, events, happenings.OPENED, 0, bank, pot, 0)
    for place in range(state.bank_size[bank]):
        tell(state, events, happenings.CARD, 0, state.bank[bank, place], 0, 0)
    tell(state, events, happenings.RESULT, 0, what, 0, 0)
    for i in range(rules.players):
        seat = state.order[i]
        tell(state, events, happenings.GAIN, seat, state.gain[seat], 0, 0)


@inlined
def end_turn(rules, policies, key, state, scratch, events):
    """The game ends with the final robberies, or is stopped, or the next seat's turn comes."""
    # K20 K23
    if deck_left(rules, state) == 0 and someone_is_out(rules, state):
        for bank in range(rules.banks):
            if state.bank_size[bank] > 0:
                rob(rules, policies, key, state, state.seat, bank, 1, scratch, events)
        state.phase = OVER
    elif state.turn >= rules.max_turns:
        state.count[STALLED] = 1
        state.phase = OVER
    else:
        state.seat += 1
        if state.seat == rules.players:
            state.seat = 0
        state.phase = TURN_START


@jit
def someone_is_out(rules, state):
    """Whether a seat has no card in its hand."""
    least = state.cards[0]
    for seat in range(1, rules.players):
        least = min(least, state.cards[seat])
    return least == 0


@jit
def play_until(rules, policies, key, state, scratch, events, stop):
    """Play on from the phase where the game stands until it is about to enter ``stop`` or is over.

    At least one step is played, and with ``stop`` NEXT no more; ``state`` is modified.
    """
    while True:
        if state.phase == TURN_START:
            start_turn(rules, policies, key, state, scratch, events)
        else:
            act(rules, policies, key, state, scratch, events)
        if state.phase == stop or state.phase == OVER or stop == NEXT:
            return


@inlined
def finish(rules, state, outcome, events):
    """Write the outcome columns of a finished game into ``outcome`` (int32, shape (COLUMNS,))."""
    # K21
    state.count[TURNS] = state.turn
    most = state.coins[0]
    winners = 0
    for seat in range(rules.players):
        most = max(most, state.coins[seat])
    for seat in range(rules.players):
        winners += state.coins[seat] == most
    for seat in range(rules.players):
        state.count[COINS + seat] = state.coins[seat]
        if state.coins[seat] == most:
            state.count[WIN_SHARE + seat] = WHOLE_WIN // winners
    tell(state, events, happenings.ENDED, 0, 0, 0, 0)
    for column in range(COLUMNS):
        outcome[column] = state.count[column]


@jit
def play_many(rules, policies, seed, first, outcomes, states, scratch, events):
    """Play rollouts ``first``, ``first + 1``, .. of a seed (uint64), one for each row.

    ``rules`` (RULES), ``policies`` (POLICIES), ``states`` (STATE), ``scratch`` (SCRATCH) and
    ``events`` (EVENTS) have the shape (1,); the last three are overwritten. ``outcomes`` (int32,
    shape (rollouts, COLUMNS)) is filled.
    """
    state = states[0]
    for i in range(outcomes.shape[0]):
        key = rollout_key(seed, first + i)
        begin(rules[0], key, state, events[0])
        play_until(rules[0], policies[0], key, state, scratch[0], events[0], OVER)
        finish(rules[0], state, outcomes[i], events[0])


@jit
def run_begin(rules, policies, key, states, scratch, events):
    """Deal the game of a key into ``states`` (STATE, shape (1,)); arguments as `play_many` has."""
    begin(rules[0], key, states[0], events[0])


@jit
def run_until(rules, policies, key, states, scratch, events, stop):
    """Take up a game in ``states`` where it stands and play it until phase ``stop`` or its end."""
    play_until(rules[0], policies[0], key, states[0], scratch[0], events[0], stop)
