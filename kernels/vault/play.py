"""The game itself: the deal, the steps of a turn, one game, and many of them.

Every step leaves in ``state.phase`` what comes next, so a game can be copied and taken up before
any step: at the start of a turn, before the seat combines, before it chooses what to do.
"""

from kernels.cards import shuffle
from kernels.jit import inlined, jit
from kernels.streams import rollout_key, stream
from kernels.vault import decisions, happenings
from kernels.vault.breaking import break_vault
from kernels.vault.cards import act, ask_reveals, draw_up
from kernels.vault.hand import combine_faces, combine_set, draw_cards
from kernels.vault.happenings import tell
from kernels.vault.layout import (
    ACT,
    ACTION,
    ACTIONS,
    BREAK,
    BY_STALLING,
    CHOOSE,
    CLUBS,
    COLUMNS,
    DEAL,
    DIAMONDS,
    ENDED_BY,
    FACES,
    HEARTS,
    LOOT,
    NEXT,
    NO_CARD,
    OVER,
    REACTION,
    SEATS,
    SPADES,
    STALLED,
    SUITS,
    TRAIN,
    TURN_START,
    TURNS,
)
from kernels.vault.loot import share_win

ORDER = (SPADES, CLUBS, HEARTS, DIAMONDS)  # in which seats combine


@inlined
def begin(rules, key, state, events):
    """Deal a new game into ``state`` (modified in place)."""  # V1-V6
    state.phase = TURN_START
    state.turn = 0
    state.seat = 0
    state.breaks = 0
    state.count[:] = 0
    for seat in range(SEATS):
        clear_seat(state, seat)
    for suit in range(SUITS):
        state.supply[suit] = rules.tokens_each
    state.targets = 0
    state.rerolls = 0
    for i in range(rules.training_cards):
        state.deck[i] = rules.training[i]
    shuffle(state.deck, rules.training_cards, stream(key, DEAL, 0, 0))
    state.deck_top = 0
    state.deck_size = rules.training_cards
    for i in range(rules.loot_cards):
        state.vault[i] = rules.loot[i]
    shuffle(state.vault, rules.loot_cards, stream(key, LOOT, 0, 0))
    state.vault_top = 0
    for deck in range(2):
        for i in range(rules.cards[deck]):
            state.pile[deck, i] = rules.card[deck, i]
        shuffle(state.pile[deck], rules.cards[deck], stream(key, ACTIONS + deck, 0, 0))
        state.pile_top[deck] = 0
        state.pile_size[deck] = rules.cards[deck]
    if events.recording:
        tell_deal(rules, state, events)
    for seat in range(rules.players):
        draw_cards(state, seat, rules.start_cards, happenings.HAND, events)


@jit
def clear_seat(state, seat):
    """A seat with nothing in front of it."""
    for suit in range(SUITS):
        state.copies[seat, suit] = 0
        state.ranks[seat, suit] = 0
        state.points[seat, suit] = 0
        state.token[seat, suit] = 0
    state.cards[seat] = 0
    state.tokens[seat] = 0
    state.loots[seat] = 0
    state.vp[seat] = 0
    state.seen[seat] = 0
    state.skips[seat] = 0
    state.coins[seat] = 0
    state.losses[seat] = 0
    state.holds[ACTION, seat] = NO_CARD
    state.holds[REACTION, seat] = NO_CARD


@jit
def tell_deal(rules, state, events):
    """Record all decks as they are dealt from."""
    for i in range(rules.training_cards):
        tell(state, events, happenings.TRAINING_LAID, 0, state.deck[i], 0, 0)
    for i in range(rules.loot_cards):
        tell(state, events, happenings.LOOT_LAID, 0, state.vault[i], 0, 0)
    for deck in range(2):
        for i in range(rules.cards[deck]):
            tell(state, events, happenings.PILE_LAID, 0, deck, state.pile[deck, i], 0)


@inlined
def start_turn(rules, policies, key, state, scratch, events):
    """A seat's turn starts: it is skipped, or draws its cards."""  # V7 V8 V9
    seat = state.seat
    state.turn += 1
    tell(state, events, happenings.TURN, seat, 0, 0, 0)
    ask_reveals(rules, policies, key, state, scratch, events)
    if state.phase == OVER:
        return
    if state.skips[seat]:
        state.skips[seat] = 0
        tell(state, events, happenings.SKIPPED, seat, 0, 0, 0)
        end_turn(rules, state)
        return
    for deck in range(2):
        if rules.cards[deck] > 0:
            draw_up(rules, policies, key, state, seat, deck, scratch, events)
    draw_cards(state, seat, rules.draw, happenings.DREW, events)
    state.phase = TRAIN


@inlined
def train(rules, policies, key, state, scratch, events):
    """The seat combines training cards into tokens."""  # V10
    seat = state.seat
    for suit in ORDER:
        if state.ranks[seat, suit] & FACES:
            combine_faces(state, seat, suit, events)
    for suit in ORDER:
        while state.points[seat, suit] >= rules.combine_at and state.supply[suit] > 0:
            n = decisions.pick_set(rules, policies, key, state, seat, suit, scratch)
            if n == 0:
                break
            combine_set(rules, state, seat, suit, scratch, n, events)
    state.phase = CHOOSE


@inlined
def choose_step(rules, policies, key, state, scratch, events):
    """The seat acts, breaks the vault or passes."""  # V11
    choice = decisions.choose(rules, policies, key, state, scratch, events)
    if choice == BREAK:
        break_vault(rules, policies, key, state, scratch, events)
    elif choice == ACT:
        act(rules, policies, key, state, scratch, events)
    else:
        tell(state, events, happenings.PASSED, state.seat, 0, 0, 0)
    if state.phase != OVER:
        end_turn(rules, state)


@jit
def end_turn(rules, state):
    """The next seat's turn comes, unless the game has gone on for too long."""  # V6 V21
    if state.turn >= rules.max_turns:
        state.count[STALLED] = 1
        state.count[ENDED_BY] = BY_STALLING
        state.phase = OVER
        return
    state.seat += 1
    if state.seat == rules.players:
        state.seat = 0
    state.phase = TURN_START


@jit
def play_until(rules, policies, key, state, scratch, events, stop):
    """Play on from the phase where the game stands until it is about to enter ``stop`` or is over.

    At least one step is played, and with ``stop`` NEXT no more; ``state`` is modified.
    """
    while True:
        if state.phase == TURN_START:
            start_turn(rules, policies, key, state, scratch, events)
        elif state.phase == TRAIN:
            train(rules, policies, key, state, scratch, events)
        else:
            choose_step(rules, policies, key, state, scratch, events)
        if state.phase == stop or state.phase == OVER or stop == NEXT:
            return


@inlined
def finish(rules, state, outcome, events):
    """Write the outcome columns of a finished game into ``outcome`` (int32, shape (COLUMNS,))."""
    state.count[TURNS] = state.turn
    share_win(rules, state)
    tell(state, events, happenings.ENDED, 0, state.count[ENDED_BY], 0, 0)
    for column in range(COLUMNS):
        outcome[column] = state.count[column]


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
    decisions.prepare(rules[0], policies[0], scratch[0])
    play_until(rules[0], policies[0], key, states[0], scratch[0], events[0], stop)
