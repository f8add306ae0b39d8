"""What things are worth to a seat, in victory points, by what it can know.

A seat knows its own loot and the cards of the Vault that it has peeked at; of the others it knows
how many loot cards, tokens and training cards they hold. The knobs say what these are worth.
"""

from kernels.jit import jit
from kernels.vault.knobs import (
    FAIL,
    LAST_BREAK,
    LOOT_BONUS,
    PEEK,
    REACH_REVEAL,
    RIVAL_LOOT,
    SKIP_WORTH,
    SPITE,
    TOKEN,
    TOKEN_LATE,
    TRAINING_CARD,
)
from kernels.vault.layout import (
    ADD_TO_ROLL,
    ALL_CARDS,
    ALL_TOKENS,
    ANYBODY,
    DESTROY_TOKEN,
    DISCARD_TRAINING,
    DRAW_TRAINING,
    EXTRA_DIE,
    GAIN_TOKENS,
    JOIN_UNINVITED,
    LEFT,
    LOWER_THRESHOLD,
    MOST_DICE,
    MOST_PIPS,
    NO_TARGET,
    NOBODY,
    ONE_CARD,
    ONE_TOKEN,
    PEEK_LOOT,
    REROLL_LOWEST,
    SIDES,
    SKIP,
    SKIP_PLAYER,
    STEAL_LOOT,
    STEAL_TOKEN,
    STEAL_TRAINING,
    SWAP_LOOT,
)
from kernels.vault.loot import vault_size
from kernels.vault.targets import named_target
from kernels.vault.tokens import price


@jit
def chance(rules, n, pips):
    """The chance that n dice reach so many pips."""
    if pips <= 0:
        return 1.0
    if n <= 0 or pips > MOST_PIPS:
        return 0.0
    return rules.reach[min(n, MOST_DICE), pips]


@jit
def token_worth(rules, knobs, state):
    """What a token is worth; the fewer breaks are left, the less of use it may be."""
    return knobs[TOKEN] + knobs[TOKEN_LATE] * state.breaks / rules.thresholds


@jit
def known_loot(rules, state, seat):
    """How many of the Vault's top cards the seat knows."""
    return max(0, min(state.seen[seat], rules.loot_cards) - state.vault_top)


@jit
def mean_loot(rules, state, seat, scratch):
    """The mean VP of the loot cards that the seat has not seen."""
    total = scratch.loot_total - state.vp[seat]
    known = known_loot(rules, state, seat)
    for i in range(known):
        total -= state.vault[state.vault_top + i]
    return max(total, 0) / max(1, rules.loot_cards - state.loots[seat] - known)


@jit
def loot_at(state, i, known, mean):
    """What is expected of the i-th card from the top of the Vault, of which some are known."""
    if i < known:
        return 1.0 * state.vault[state.vault_top + i]
    return mean


@jit
def best_rival(rules, state, seat, mean):
    """The VP that the strongest other seat is expected to hold."""
    most = 0
    for other in range(rules.players):
        if other != seat:
            most = max(most, state.loots[other])
    return most * mean


@jit
def stake(rules, knobs, state, seat, scratch):
    """What the success of the break in ``scratch`` is worth to a seat."""
    mean = mean_loot(rules, state, seat, scratch)
    known = known_loot(rules, state, seat)
    return success_worth(rules, knobs, state, seat, mean, known, 1.0 * state.vp[seat], scratch)


@jit
def guest_stake(rules, knobs, state, seat, mean, scratch):
    """As `stake`, for another seat as one sees it whose mean unseen loot card is worth ``mean``."""
    return success_worth(rules, knobs, state, seat, mean, 0, state.loots[seat] * mean, scratch)


@jit
def success_worth(rules, knobs, state, seat, mean, known, vp, scratch):
    """What success is worth to a seat that holds ``vp`` and knows so many cards of the Vault."""
    worth = 0.0
    mine = 0.0
    theirs = 0
    most = 0
    for i in range(scratch.shares):
        if scratch.share[i] == seat:
            mine += loot_at(state, i, known, mean)
            worth += knobs[LOOT_BONUS]
        else:
            theirs += 1
            most = max(most, state.loots[scratch.share[i]] + 1)
    worth += mine - knobs[RIVAL_LOOT] * theirs * mean
    vp += mine
    if state.breaks + 1 == rules.thresholds:
        ahead = vp > max(best_rival(rules, state, seat, mean), most * mean)
        worth += knobs[LAST_BREAK] if ahead else -knobs[LAST_BREAK]
    elif vp >= rules.reveal_at:
        worth += knobs[REACH_REVEAL]
    return worth


@jit
def failure(rules, knobs, seat, breaker, takes_part):
    """What the failure of a break costs a seat."""
    hit = takes_part and (seat == breaker or rules.failure_hits_all == 1)
    return knobs[FAIL] if hit else 0.0


@jit
def break_worth(rules, knobs, state, seat, breaker, n, scratch):
    """What the offered break with n dice is worth to a seat, its dice paid."""
    p = chance(rules, n, rules.threshold[state.breaks])
    worth = p * stake(rules, knobs, state, seat, scratch)
    worth -= (1.0 - p) * failure(rules, knobs, seat, breaker, scratch.part[seat] > 0)
    return worth - scratch.part[seat] * token_worth(rules, knobs, state)


@jit
def aim_worth(rules, knobs, state, seat, target, effect, amount, scratch):
    """What an effect aimed at a target is worth to the seat that uses it."""
    token = token_worth(rules, knobs, state)
    if effect == STEAL_TOKEN:
        return min(amount, state.tokens[target]) * token * (1.0 + knobs[SPITE])
    if effect == DESTROY_TOKEN:
        return min(amount, state.tokens[target]) * token * knobs[SPITE]
    if effect == STEAL_TRAINING:
        return min(amount, state.cards[target]) * knobs[TRAINING_CARD] * (1.0 + knobs[SPITE])
    if effect == DISCARD_TRAINING:
        return min(amount, state.cards[target]) * knobs[TRAINING_CARD] * knobs[SPITE]
    if effect == SKIP_PLAYER:
        return 0.0 if state.skips[target] else knobs[SKIP_WORTH] * knobs[SPITE]
    mean = mean_loot(rules, state, seat, scratch)
    if effect == STEAL_LOOT:
        return min(amount, state.loots[target]) * (mean * (1.0 + knobs[SPITE]) + knobs[LOOT_BONUS])
    if effect == SWAP_LOOT and state.loots[target] > 0 and state.loots[seat] > 0:
        return (mean - state.vp[seat] / state.loots[seat]) * (1.0 + knobs[SPITE])
    return 0.0


@jit
def card_worth(rules, knobs, state, seat, deck, kind, scratch):
    """What it is worth to use a card now whatever happens else, its cost paid."""
    effect = rules.effect[deck, kind]
    amount = rules.amount[deck, kind]
    token = token_worth(rules, knobs, state)
    worth = 0.0
    if rules.target[deck, kind] != NO_TARGET:
        # of those drawn by lot, one is as good as any
        rule = rules.target[deck, kind]
        target = named_target(rules, state, seat, LEFT if rule == ANYBODY else rule)
        worth = aim_worth(rules, knobs, state, seat, target, effect, amount, scratch)
    elif effect == GAIN_TOKENS:
        left = 0
        for colour in state.supply:
            left += colour
        worth = min(amount, left) * token
    elif effect == DRAW_TRAINING:
        worth = min(amount, state.deck_size) * knobs[TRAINING_CARD]
    elif effect == PEEK_LOOT:
        more = min(amount, vault_size(rules, state)) - known_loot(rules, state, seat)
        worth = knobs[PEEK] if more > 0 else 0.0
    return worth - price(rules, deck, kind) * token


@jit
def failure_worth(rules, knobs, state, seat, die, scratch):
    """What the failure die would take from a seat."""
    if die == SKIP:
        return knobs[SKIP_WORTH]
    if die == ONE_CARD:
        return min(1, state.cards[seat]) * knobs[TRAINING_CARD]
    if die == ALL_CARDS:
        return state.cards[seat] * knobs[TRAINING_CARD]
    if die == ONE_TOKEN:
        return min(1, state.tokens[seat]) * token_worth(rules, knobs, state)
    if die == ALL_TOKENS:
        return state.tokens[seat] * token_worth(rules, knobs, state)
    return state.vp[seat] / max(1, state.loots[seat])


@jit
def break_card_worth(rules, knobs, state, seat, kind, n, scratch):
    """What a reaction that changes the break under way is worth, its cost paid."""
    effect = rules.effect[1, kind]
    amount = rules.amount[1, kind]
    gain = stake(rules, knobs, state, seat, scratch)
    gain += failure(rules, knobs, seat, state.seat, scratch.part[seat] > 0)
    threshold = rules.threshold[state.breaks] - scratch.lowered
    cost = price(rules, 1, kind) * token_worth(rules, knobs, state)
    missing = threshold - scratch.total - scratch.added
    if effect == EXTRA_DIE:
        better = chance(rules, n + amount, threshold) - chance(rules, n, threshold)
    elif effect == LOWER_THRESHOLD:
        better = chance(rules, n, threshold - amount) - chance(rules, n, threshold)
    elif effect == ADD_TO_ROLL:
        better = 1.0 if 0 < missing <= amount else 0.0
    elif effect == REROLL_LOWEST:
        better = reroll_chance(rules, amount, n, missing, scratch)
    else:  # JOIN_UNINVITED: a share of the loot that the breaker counts on
        p = chance(rules, n + amount, threshold)
        share = mean_loot(rules, state, seat, scratch) + knobs[LOOT_BONUS]
        share *= scratch.shares > 0
        risk = knobs[FAIL] if rules.failure_hits_all == 1 else 0.0
        return p * share - (1.0 - p) * risk - cost
    return better * gain - cost


@jit
def reroll_chance(rules, amount, n, missing, scratch):
    """The chance that rolling the lowest dice again turns a failure into a success."""
    if missing <= 0:
        return 0.0
    pips = 0
    low = 0
    for face in range(1, SIDES + 1):  # the lowest dice, from the ones on
        for i in range(n):
            if scratch.dice[i] == face and low < amount:
                pips += face
                low += 1
    return chance(rules, low, pips + missing)


@jit
def works_on_breaks(effect):
    """Whether an effect changes the break under way."""
    return EXTRA_DIE <= effect <= LOWER_THRESHOLD or effect == JOIN_UNINVITED


@jit
def aimed_at_me(rules, knobs, state, seat, scratch):
    """What the seat would lose by the effect that is aimed at it."""
    other = scratch.who
    if other == NOBODY:
        return 0.0
    what = scratch.what
    much = scratch.how_much
    token = token_worth(rules, knobs, state)
    if what in (STEAL_TOKEN, DESTROY_TOKEN):
        return min(much, state.tokens[seat]) * token
    if what in (STEAL_TRAINING, DISCARD_TRAINING):
        return min(much, state.cards[seat]) * knobs[TRAINING_CARD]
    if what == SKIP_PLAYER:
        return 0.0 if state.skips[seat] else knobs[SKIP_WORTH]
    if state.loots[seat] == 0:
        return 0.0
    own = state.vp[seat] / state.loots[seat]
    if what == STEAL_LOOT:
        return min(much, state.loots[seat]) * (own + knobs[LOOT_BONUS])
    return own - mean_loot(rules, state, seat, scratch)
