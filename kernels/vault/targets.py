"""Seats around the table, and whom a card aims at."""

from kernels.jit import jit
from kernels.vault.layout import LEADER, LEFT, RIGHT


@jit
def next_seat(rules, seat, i):
    """The seat i places clockwise (0 <= i <= players)."""
    other = seat + i
    return other - rules.players if other >= rules.players else other


@jit
def named_target(rules, state, seat, target):
    """The seat that a target rule names, for all rules but the one that draws lots."""  # E1
    if target == LEFT:
        return next_seat(rules, seat, 1)
    if target == RIGHT:
        return next_seat(rules, seat, rules.players - 1)
    best = next_seat(rules, seat, 1)
    for i in range(2, rules.players):
        other = next_seat(rules, seat, i)
        if target == LEADER:
            more = state.loots[other] > state.loots[best]
        else:
            more = state.tokens[other] > state.tokens[best]
        if more:
            best = other
    return best
