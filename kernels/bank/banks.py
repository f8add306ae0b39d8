"""Cards on the move: the deck, hands and banks."""

from kernels.bank import happenings
from kernels.bank.happenings import tell
from kernels.bank.layout import COUNT_BITS, KEEP_MONEY, REFILL, SPECIALS
from kernels.jit import inlined, jit


@jit
def deck_left(rules, state):
    """How many cards the deck holds."""
    return rules.cards - state.dealt


@jit
def next_card(state):
    """Take the top card of the deck, which has one."""
    card = state.deck[state.dealt]
    state.dealt += 1
    return card


@jit
def lay(rules, state, bank, card):
    """Lay a card face down at a bank."""
    state.bank[bank, state.bank_size[bank]] = card
    state.bank_size[bank] += 1
    state.money[bank] += rules.value[card]
    if card < SPECIALS:
        state.specials[bank] += 1 << (card * COUNT_BITS)


@inlined
def take_from_hand(state, seat, place):
    """Take the card at this place out of a hand."""
    card = state.hand[seat, place]
    last = state.cards[seat] - 1
    for i in range(place, last):
        state.hand[seat, i] = state.hand[seat, i + 1]
    state.cards[seat] = last
    return card


@jit
def draw_into_hand(rules, state, seat):
    """Draw a card into the hand; returns it."""
    card = next_card(state)
    state.hand[seat, state.cards[seat]] = card
    state.cards[seat] += 1
    return card


@jit
def face_down(rules, state):
    """How many face-down cards lie at all banks."""
    n = 0
    for bank in range(rules.banks):
        n += closed(state, bank)
    return n


@jit
def closed(state, bank):
    """How many face-down cards lie at a bank."""
    n = state.bank_size[bank]
    up = state.open[bank]
    while up:
        up &= up - 1
        n -= 1
    return n


@jit
def find_face_down(rules, state, pick):
    """The face-down card number ``pick``, counted over all banks: bank * 64 + place."""
    for bank in range(rules.banks):
        if state.open[bank] == 0:  # most often none lies face up
            if pick < state.bank_size[bank]:
                return bank * 64 + pick
            pick -= state.bank_size[bank]
            continue
        for place in range(state.bank_size[bank]):
            if not (state.open[bank] >> place) & 1:
                if pick == 0:
                    return bank * 64 + place
                pick -= 1
    return -1


@inlined
def clear_bank(rules, state, bank, keep, events):
    """The cards of a robbed bank leave the game, but for the money where it is kept."""  # K19
    size = state.bank_size[bank]
    kept = 0
    for place in range(size):
        card = state.bank[bank, place]
        if keep and card >= SPECIALS:
            state.bank[bank, kept] = card
            kept += 1
        else:
            state.gone[card] += 1
    state.bank_size[bank] = kept
    state.open[bank] = (1 << kept) - 1
    state.specials[bank] = 0
    if kept == 0:
        state.money[bank] = 0
    for seat in range(rules.players):
        state.seen[seat, bank] = 0
    if kept > 0:
        tell(state, events, happenings.KEPT, 0, bank, 0, 0)
        for place in range(kept):
            tell(state, events, happenings.CARD, 0, state.bank[bank, place], 0, 0)


@inlined
def after_robbery(rules, state, bank, paid_out, thieved, final, events):
    """What becomes of a robbed bank."""  # K19
    keep = rules.after_robbery == KEEP_MONEY and paid_out == 0 and not thieved
    clear_bank(rules, state, bank, keep, events)
    if rules.after_robbery == REFILL and not final and deck_left(rules, state) > 0:
        card = next_card(state)
        lay(rules, state, bank, card)
        tell(state, events, happenings.REFILLED, 0, bank, card, 0)
