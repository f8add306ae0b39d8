"""The planning policies: timid, greedy, bluffer, counter, expert and equilibrium.

They share their code and differ in their knobs: whether they go by what they have seen, stake a
share or what is worth most, and where they play which cards.
"""

import math

from kernels.bank.banks import closed
from kernels.bank.beliefs import known_places, look_at
from kernels.bank.knobs import (
    BLUR,
    BY_BELIEF,
    BY_WORTH,
    DENY,
    GUARD_HOPE,
    LOOK_FROM,
    LOOK_SIZE,
    NOISE,
    OTHERS,
    PLAY_KNOWN,
    PLAY_LADY,
    PLAY_MONEY,
    ROB_FROM,
    ROB_KNOWN,
    ROB_SIZE,
    ROB_WORTH,
    SHARE,
    SHOW_MONEY,
    SHOW_SPECIAL,
    SPREAD,
    THIEF_FEAR,
    TRUST,
)
from kernels.bank.layout import LOOK, PLAY, ROB, SPECIALS
from kernels.jit import jit
from kernels.streams import below

SLOPE = 1.702  # the logistic function with this slope is close to the normal distribution
NEVER = -1e9
MOST = 60  # no higher stake is weighed


@jit
def likely(z):
    """About the chance that a normal number is under z."""
    return 1.0 / (1.0 + math.exp(-SLOPE * min(max(z, -20.0), 20.0)))


@jit
def limit(rules, state, seat):
    """The most that a seat can stake."""  # K10 K22
    return max(state.coins[seat], rules.credit_to, 0)


@jit
def expect_stakes(rules, knobs, state, seat, bank, scratch):
    """Note what each other seat may stake, by what it has staked so far."""
    fair = state.bank_size[bank] * rules.mean_value / rules.players
    for other in range(rules.players):
        seen = knobs[TRUST] * state.fair
        habit = (knobs[OTHERS] * 10.0 + knobs[TRUST] * state.staked[other]) / (10.0 + seen)
        scratch.expected[other] = min(habit * fair, 1.0 * limit(rules, state, other))


@jit
def stake_worth(rules, knobs, seat, stake, scratch):
    """What a stake is worth to a seat, by its belief of the bank and of the others' stakes."""
    before = 0.0
    after = 0.0
    spread = scratch.pot_spread * scratch.pot_spread
    for other in range(rules.players):
        if other == seat:
            continue
        expected = scratch.expected[other]
        width = knobs[SPREAD] * expected + 1.0
        under = likely((stake - expected) / width)
        before += expected * under
        after += expected * (1.0 - under)
        spread += width * width
    width = math.sqrt(spread) * knobs[BLUR] + 0.5
    paid_low = likely((scratch.pot - before - stake + 0.5) / width)
    paid_high = likely((scratch.pot - after - stake + 0.5) / width)
    paid = (1.0 - scratch.judge) * paid_low + scratch.judge * paid_high
    stopped = 1.0 - (1.0 - scratch.guard) * (1.0 - scratch.thief)
    worth = (1.0 - stopped) * paid * stake
    if rules.lose_on_shortfall:
        worth -= (1.0 - stopped) * (1.0 - paid) * stake
    worth -= knobs[THIEF_FEAR] * scratch.thief * stake
    if stake == 0:
        worth += knobs[GUARD_HOPE] * scratch.guard * rules.guard_reward
    # what one takes, the others do not
    return worth + knobs[DENY] * (1.0 - stopped) * paid * min(stake, after)


@jit
def best_stake(rules, knobs, state, seat, scratch):
    """The stake that is worth most."""
    best = 0
    best_worth = NEVER
    for stake in range(min(limit(rules, state, seat), MOST) + 1):
        worth = stake_worth(rules, knobs, seat, stake, scratch)
        if worth > best_worth:
            best = stake
            best_worth = worth
    return best


@jit
def choose_stake(rules, policies, state, seat, bank, bits, scratch):
    """What the seat stakes."""
    knobs = policies.knobs[seat]
    most = limit(rules, state, seat)
    row = min(state.bank_size[bank], policies.mix.shape[1] - 1)
    if policies.mix[seat, row, -1] > 0.0:  # a mix: the first stake whose chances reach the lot
        lot = below(bits, 1 << 30) / (1 << 30)
        stake = 0
        while policies.mix[seat, row, stake] <= lot:
            stake += 1
        return min(stake, most)
    noise = below(bits, int(knobs[NOISE]) + 1)
    if knobs[BY_BELIEF] == 0.0:
        fair = knobs[SHARE] * state.bank_size[bank] * rules.mean_value / rules.players
        return min(most, int(fair) + noise)
    told = bank
    if policies.shuffled[seat]:
        told = (bank + 1 + below(bits, rules.banks - 1)) % rules.banks
    look_at(rules, state, seat, told, policies.counting[seat], scratch)
    expect_stakes(rules, knobs, state, seat, bank, scratch)
    if knobs[BY_WORTH] > 0.0:
        return best_stake(rules, knobs, state, seat, scratch)
    if scratch.thief + scratch.guard >= 0.5:
        return 0
    return min(most, int(knobs[SHARE] * scratch.pot / rules.players) + noise)


@jit
def bank_scores(rules, knobs, state, seat, bank, counting, scratch):
    """How much the seat likes to have this bank robbed."""
    if state.bank_size[bank] == 0:
        return NEVER
    score = knobs[ROB_SIZE] * state.bank_size[bank]
    if knobs[ROB_WORTH] == 0.0 and knobs[ROB_KNOWN] == 0.0:
        return score
    look_at(rules, state, seat, bank, counting, scratch)
    expect_stakes(rules, knobs, state, seat, bank, scratch)
    best = NEVER
    for stake in range(min(limit(rules, state, seat), MOST) + 1):
        best = max(best, stake_worth(rules, knobs, seat, stake, scratch))
    others = scratch.thief * 1.0
    for other in range(rules.players):
        if other != seat:
            others += scratch.thief * scratch.expected[other] / rules.players
    return score + knobs[ROB_WORTH] * (best + others) + knobs[ROB_KNOWN] * scratch.known_share


@jit
def choose_bank(rules, policies, state, seat, scratch):
    """The bank to rob."""
    knobs = policies.knobs[seat]
    counting = policies.counting[seat]
    best = 0
    best_score = NEVER
    for bank in range(rules.banks):
        score = bank_scores(rules, knobs, state, seat, bank, counting, scratch)
        if score > best_score:
            best = bank
            best_score = score
    return best


@jit
def plays_by_lot(knobs):
    """Whether a seat does not mind which card it plays where."""
    minds = 0.0
    for knob in range(PLAY_MONEY, PLAY_KNOWN + 1):
        minds += abs(knobs[knob])
    return minds == 0.0


@jit
def choose_play(rules, policies, state, seat):
    """Which card of the hand to play to which bank: place * 64 + bank."""
    knobs = policies.knobs[seat]
    best = 0
    best_score = NEVER
    mean = 0.0
    for bank in range(rules.banks):
        mean += state.bank_size[bank] / rules.banks
    for place in range(state.cards[seat]):
        card = state.hand[seat, place]
        if card < SPECIALS:
            likes = knobs[PLAY_LADY + card]
        else:
            likes = (
                knobs[PLAY_MONEY]
                * (rules.value[card] - rules.mean_value)
                / max(rules.mean_value, 1.0)
            )
        for bank in range(rules.banks):
            known = 0
            places = known_places(state, seat, bank)
            while places:
                places &= places - 1
                known += 1
            score = likes * (state.bank_size[bank] - mean) + knobs[PLAY_KNOWN] * known
            if score > best_score:
                best = place * 64 + bank
                best_score = score
    return best


@jit
def choose_look(rules, knobs, state, seat, pick):
    """The face-down card to look at: bank * 64 + place; of equals the one that ``pick`` names."""
    best = pick
    best_score = NEVER
    for bank in range(rules.banks):
        new = closed(state, bank)
        known = known_places(state, seat, bank)
        for place in range(state.bank_size[bank]):
            if (known >> place) & 1:
                continue
            score = knobs[LOOK_SIZE] * new
            if bank * 64 + place == pick:
                score += 0.01
            if score > best_score:
                best = bank * 64 + place
                best_score = score
    return best


@jit
def choose_reveal(rules, knobs, state, seat, pick):
    """The face-down card to turn up: one that it knows and likes shown, or the one drawn by lot."""
    best = pick
    best_score = 0.0
    for bank in range(rules.banks):
        seen = state.seen[seat, bank] & ~state.open[bank]
        for place in range(state.bank_size[bank]):
            if not (seen >> place) & 1:
                continue
            special = state.bank[bank, place] < SPECIALS
            score = knobs[SHOW_SPECIAL] if special else knobs[SHOW_MONEY]
            if score > best_score:
                best = bank * 64 + place
                best_score = score
    return best


@jit
def choose_action(rules, policies, state, seat, bits, scratch):
    """What to do, where the seat may choose."""
    knobs = policies.knobs[seat]
    bank = choose_bank(rules, policies, state, seat, scratch)
    if state.bank_size[bank] > 0:
        look_at(rules, state, seat, bank, policies.counting[seat], scratch)
        expect_stakes(rules, knobs, state, seat, bank, scratch)
        best = NEVER
        for stake in range(min(limit(rules, state, seat), MOST) + 1):
            best = max(best, stake_worth(rules, knobs, seat, stake, scratch))
        if best >= knobs[ROB_FROM]:
            return ROB
        if scratch.known_share < knobs[LOOK_FROM]:
            return LOOK
    return PLAY if state.cards[seat] > 0 else ROB
