"""Loot cards: the Vault, what seats hold of it, and who wins by it."""

from kernels.jit import jit
from kernels.streams import below, draw
from kernels.vault import happenings
from kernels.vault.hand import loss_stream
from kernels.vault.happenings import tell
from kernels.vault.layout import HELD, SEATS, VP, WHOLE_WIN, WIN_SHARE


@jit
def gain_loot(state, seat, value):
    """A loot card goes to a seat."""
    state.loot[seat, state.loots[seat]] = value
    state.loots[seat] += 1
    state.vp[seat] += value


@jit
def lift_loot(state, seat, place):
    """Take the loot card at this place away from a seat; return its value."""
    last = state.loots[seat] - 1
    value = state.loot[seat, place]
    state.loot[seat, place] = state.loot[seat, last]
    state.loots[seat] = last
    state.vp[seat] -= value
    return value


@jit
def top_loot(state):
    """Take the top card off the Vault, which has one; return its value."""
    value = state.vault[state.vault_top]
    state.vault_top += 1
    return value


@jit
def vault_size(rules, state):
    """How many loot cards the Vault holds."""
    return rules.loot_cards - state.vault_top


@jit
def lose_loot(key, state, seat, events):
    """A random loot card of the seat leaves the game; whether there was one."""  # V17
    start = loss_stream(key, state, seat)
    if state.loots[seat] == 0:
        return False
    value = lift_loot(state, seat, below(draw(start, 0), state.loots[seat]))
    tell(state, events, happenings.VALUE, seat, value, 0, 0)
    return True


@jit
def steal_loot(key, state, seat, target, n, events):
    """Up to n random loot cards of a target go to the seat; whether there were any."""
    n = min(n, state.loots[target])
    if n == 0:
        return False
    start = loss_stream(key, state, target)
    tell(state, events, happenings.TOOK_LOOT, seat, target, 0, 0)
    for i in range(n):
        value = lift_loot(state, target, below(draw(start, i), state.loots[target]))
        gain_loot(state, seat, value)
        tell(state, events, happenings.VALUE, seat, value, 0, 0)
    return True


@jit
def swap_loot(key, state, seat, target, n, events):
    """n times a random loot card of the seat changes place with one of the target, if both can."""
    if state.loots[seat] == 0 or state.loots[target] == 0:
        return False
    start = loss_stream(key, state, target)
    for i in range(n):
        given = lift_loot(state, seat, below(draw(start, 2 * i), state.loots[seat]))
        taken = lift_loot(state, target, below(draw(start, 2 * i + 1), state.loots[target]))
        gain_loot(state, seat, taken)
        gain_loot(state, target, given)
        tell(state, events, happenings.SWAPPED, seat, target, given, taken)
    return True


@jit
def peek_loot(rules, state, seat, n, events):
    """The seat alone sees the top n cards of the Vault."""
    n = min(n, vault_size(rules, state))
    if n == 0:
        return
    tell(state, events, happenings.PEEKED, seat, 0, 0, 0)
    for i in range(n):
        tell(state, events, happenings.VALUE, seat, state.vault[state.vault_top + i], 0, 0)
    state.seen[seat] = max(state.seen[seat], state.vault_top + n)


@jit
def share_win(rules, state):
    """Note in ``state.count`` what every seat holds, and how those with most VP share the win."""
    # V20
    most = state.vp[0]
    winners = 0
    for seat in range(rules.players):
        most = max(most, state.vp[seat])
    for seat in range(rules.players):
        winners += state.vp[seat] == most
    for seat in range(SEATS):
        plays = seat < rules.players
        state.count[VP + seat] = state.vp[seat]
        state.count[HELD + seat] = state.loots[seat]
        wins = plays and state.vp[seat] == most
        state.count[WIN_SHARE + seat] = WHOLE_WIN // winners if wins else 0
