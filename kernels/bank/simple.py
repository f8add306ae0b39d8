"""The pinned policy `simple`: every line follows docs/rules/bank.md to the letter."""

from kernels.bank.layout import LOOK, PLAY, REVEAL, ROB
from kernels.jit import jit
from kernels.streams import below

NOISE, SHARE = 0, 1  # places of the knobs
CHANCES = 7  # play, look, reveal and rob with the chances 4 : 1 : 1 : 1


@jit
def choose_action(bits):
    """The action, where the seat may choose."""
    pick = below(bits, CHANCES)
    if pick < 4:
        return PLAY
    return LOOK if pick == 4 else REVEAL if pick == 5 else ROB


@jit
def choose_bank(rules, state):
    """The bank with most cards, of equals the first."""
    best = 0
    for bank in range(1, rules.banks):
        if state.bank_size[bank] > state.bank_size[best]:
            best = bank
    return best


@jit
def stake(rules, state, seat, bank, share, noise, bits):
    """What the seat stakes."""
    # the mean value as a fraction: a whole number of coins must not come out a hair lower
    fair = int(share * state.bank_size[bank] * rules.money / (rules.cards * rules.players))
    return min(max(state.coins[seat], 0), fair + below(bits, noise + 1))
