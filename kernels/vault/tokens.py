"""Skill tokens: paying, losing, taking and gaining them."""

from kernels.jit import inlined, jit
from kernels.vault import happenings
from kernels.vault.hand import give_token
from kernels.vault.happenings import tell
from kernels.vault.layout import ANY_COLOUR, SPENT, SUITS


@jit
def most_held(state, seat):
    """The colour of which the seat holds most tokens, the first of equals."""
    best = 0
    for colour in range(1, SUITS):
        if state.token[seat, colour] > state.token[seat, best]:
            best = colour
    return best


@jit
def return_token(state, seat, colour, events):
    """One token of a colour goes from the seat to the supply."""
    state.token[seat, colour] -= 1
    state.tokens[seat] -= 1
    state.supply[colour] += 1
    tell(state, events, happenings.PAID, seat, colour, 0, 0)


@jit
def lose_tokens(state, seat, n, events):
    """Up to n tokens go to the supply, each of the colour held most at that moment."""
    for _ in range(min(n, state.tokens[seat])):
        return_token(state, seat, most_held(state, seat), events)


@inlined
def pay_dice(state, seat, n, events):
    """Pay n tokens for n dice."""  # V12
    state.count[SPENT] += n
    lose_tokens(state, seat, n, events)


@jit
def price(rules, deck, kind):
    """How many tokens a card costs."""
    total = 0
    for place in range(SUITS + 1):
        total += rules.cost[deck, kind, place]
    return total


@jit
def can_pay(rules, state, seat, deck, kind):
    """Whether the seat has the tokens that a card costs."""
    for colour in range(SUITS):
        if state.token[seat, colour] < rules.cost[deck, kind, colour]:
            return False
    return state.tokens[seat] >= price(rules, deck, kind)


@jit
def pay_card(rules, state, seat, deck, kind, events):
    """Pay for a card: the colours that it names, then what may be of any colour."""  # V5
    state.count[SPENT] += price(rules, deck, kind)
    for colour in range(SUITS):
        for _ in range(rules.cost[deck, kind, colour]):
            return_token(state, seat, colour, events)
    lose_tokens(state, seat, rules.cost[deck, kind, ANY_COLOUR], events)


@jit
def least_held(state, seat):
    """The colour of which the seat holds fewest among those in the supply, or -1."""
    best = -1
    for colour in range(SUITS):
        if state.supply[colour] > 0 and (
            best < 0 or state.token[seat, colour] < state.token[seat, best]
        ):
            best = colour
    return best


@jit
def gain_tokens(state, seat, n, events):
    """Up to n tokens from the supply, each of the colour held least."""
    if least_held(state, seat) < 0:
        return
    tell(state, events, happenings.GAINED, seat, 0, 0, 0)
    for _ in range(n):
        colour = least_held(state, seat)
        if colour < 0:
            return
        give_token(state, seat, colour)
        tell(state, events, happenings.PAID, seat, colour, 0, 0)


@jit
def take_tokens(state, seat, target, n, steal, effect, events):
    """Up to n tokens of a target go to the seat that steals them, or to the supply."""
    n = min(n, state.tokens[target])
    if n == 0:
        return
    tell(state, events, happenings.TOOK_TOKENS, seat, target, effect, 0)
    for _ in range(n):
        colour = most_held(state, target)
        return_token(state, target, colour, events)
        if steal:
            state.supply[colour] -= 1
            state.token[seat, colour] += 1
            state.tokens[seat] += 1
