"""The policy `expert`: exact chances, and what is won and lost weighed by trained knobs.

It reads only what its seat can know (see `worth.py`). The rule-of-thumb players share its view of
actions and reactions.
"""

import numpy as np

from kernels.cards import lowest_card
from kernels.jit import jit
from kernels.vault.hand import FOUR_BITS, find_set
from kernels.vault.knobs import (
    ACT_FROM,
    BREAK_FROM,
    FAIL,
    JOIN_FROM,
    PARTNER_CARDS,
    PARTNER_ODDS,
    REVEAL_LEAD,
    WASTE,
)
from kernels.vault.layout import (
    ACT,
    ACTION,
    BREAK,
    CANCEL_ACTION,
    IGNORE_FAILURE,
    NO_CARD,
    NOBODY,
    NUMBERS,
    PASS,
    PROTECT,
    REACTION,
    SUMS,
)
from kernels.vault.loot import vault_size
from kernels.vault.simple import needs_partner, offer
from kernels.vault.tokens import can_pay, price
from kernels.vault.worth import (
    aim_worth,
    aimed_at_me,
    best_rival,
    break_card_worth,
    break_worth,
    card_worth,
    chance,
    failure_worth,
    guest_stake,
    mean_loot,
    stake,
    token_worth,
    works_on_breaks,
)

HARDLY = -1000.0  # worth less than anything that can be done


@jit
def find_thrifty_set(rules, knobs, state, seat, suit, scratch):
    """Note the set of a suit that wastes least in ``scratch.set``; return its length.

    0 where every set wastes more than the knob allows.
    """
    last = scratch.last
    for total in range(SUMS):
        last[total] = -1
    last[0] = 0
    top = rules.combine_at + 11
    ranks = state.ranks[seat, suit] & NUMBERS
    while ranks:
        place = lowest_card(ranks)
        ranks &= ranks - 1
        for _ in range((state.copies[seat, suit] >> 4 * place) & FOUR_BITS):
            for total in range(top - 1, place, -1):  # downwards: each card once
                if last[total] < 0 and last[total - place - 1] >= 0:
                    last[total] = place
    for total in range(rules.combine_at, top):
        if last[total] >= 0:
            if total - rules.combine_at > knobs[WASTE]:
                return 0
            return note_set(total, scratch)
    return find_set(rules, state, seat, suit, scratch)


@jit
def note_set(total, scratch):
    """Note the cards that make up a total; return how many they are."""
    n = 0
    while total > 0:
        scratch.set[n] = scratch.last[total]
        total -= scratch.last[total] + 1
        n += 1
    return n


@jit
def propose_break(rules, knobs, state, seat, inviting, scratch):
    """Leave the best offer in ``scratch``; return what it is worth, HARDLY if there is none."""
    best = HARDLY
    best_partner, best_own, best_theirs, best_cards = NOBODY, 0, 0, 0
    a = min(state.tokens[seat], rules.dice)
    cards_left = min(rules.loot_per_break, vault_size(rules, state))
    token = token_worth(rules, knobs, state)
    if a > 0 and not needs_partner(rules, state):
        offer(rules, state, seat, 1, NOBODY, 0, cards_left, scratch)
        gain = stake(rules, knobs, state, seat, scratch)
        for own in range(1, a + 1):
            worth = odds_worth(rules, knobs, state, own, gain) - own * token
            if worth > best:
                best, best_own = worth, own
    mean = mean_loot(rules, state, seat, scratch)
    most = min(cards_left, np.int64(knobs[PARTNER_CARDS]) + 1)
    # once somebody has declined, an offer must be one that it would accept itself
    least = knobs[JOIN_FROM] + (knobs[PARTNER_ODDS] if nobody_refused(rules, scratch) else 0.01)
    guest_fails = knobs[FAIL] if rules.failure_hits_all == 1 else 0.0
    for other in range(rules.players if inviting and a > 0 else 0):
        if other == seat or scratch.refused[other]:
            continue
        b = min(state.tokens[other], rules.dice)
        last = min(rules.dice, a + b) if rules.table_limit else a + b
        for cards in range(1, most + 1):
            offer(rules, state, seat, 1, other, 1, cards_left - cards, scratch)
            gain = stake(rules, knobs, state, seat, scratch)
            guest = guest_stake(rules, knobs, state, other, mean, scratch)
            for n in range(2, last + 1):
                p = chance(rules, n, rules.threshold[state.breaks])
                theirs_wins = p * guest - (1.0 - p) * guest_fails
                success = odds_worth(rules, knobs, state, n, gain)
                for own in range(max(1, n - b), min(a, n - 1) + 1):
                    worth = success - own * token
                    fair = theirs_wins - (n - own) * token >= least
                    if fair and worth > best:
                        best, best_partner = worth, other
                        best_own, best_theirs, best_cards = own, n - own, cards
    if best_own > 0:
        own_cards = cards_left - best_cards
        offer(rules, state, seat, best_own, best_partner, best_theirs, own_cards, scratch)
    return best


@jit
def nobody_refused(rules, scratch):
    """Whether nobody has declined an invitation this turn."""
    refused = 0
    for seat in range(rules.players):
        refused += scratch.refused[seat]
    return refused == 0


@jit
def odds_worth(rules, knobs, state, n, gain):
    """What n dice are worth to the breaker of whom success is worth ``gain``."""
    p = chance(rules, n, rules.threshold[state.breaks])
    return p * gain - (1.0 - p) * knobs[FAIL]


@jit
def choose(rules, knobs, state, seat, acting, inviting, scratch):
    """PASS, ACT, or BREAK with the offer in ``scratch``: what is worth most."""
    worth = propose_break(rules, knobs, state, seat, inviting, scratch)
    best = BREAK if worth >= knobs[BREAK_FROM] and worth > HARDLY else PASS
    kind = state.holds[ACTION, seat]
    if acting and kind != NO_CARD and can_pay(rules, state, seat, ACTION, kind):
        act_worth = card_worth(rules, knobs, state, seat, ACTION, kind, scratch)
        if act_worth > knobs[ACT_FROM] and (best == PASS or act_worth > worth):
            best = ACT
    return best


@jit
def joins(rules, knobs, state, seat, n, scratch):
    """Whether an invited seat takes part in the break with n dice that is offered."""
    worth = break_worth(rules, knobs, state, seat, state.seat, n, scratch)
    return worth >= knobs[JOIN_FROM]


@jit
def reacts(rules, knobs, state, seat, moment, n, scratch):
    """Whether the reaction is worth its cost now; n dice are rolled in the break under way."""
    kind = state.holds[REACTION, seat]
    effect = rules.effect[REACTION, kind]
    cost = price(rules, REACTION, kind) * token_worth(rules, knobs, state)
    if works_on_breaks(effect):
        return break_card_worth(rules, knobs, state, seat, kind, n, scratch) > 0.0
    if effect == PROTECT:
        return aimed_at_me(rules, knobs, state, seat, scratch) > cost
    if effect == IGNORE_FAILURE:
        return failure_worth(rules, knobs, state, seat, scratch.how_much, scratch) > cost
    if effect == CANCEL_ACTION:
        return cancel_worth(rules, knobs, state, seat, scratch) > cost
    return card_worth(rules, knobs, state, seat, REACTION, kind, scratch) > 0.0


@jit
def cancel_worth(rules, knobs, state, seat, scratch):
    """What it is worth to undo the action that has just been announced."""
    if scratch.aim == seat:
        return aimed_at_me(rules, knobs, state, seat, scratch)
    if scratch.aim == NOBODY:
        return 0.0
    # as if it were its own: what the acting seat holds is hidden
    return 0.5 * aim_worth(
        rules, knobs, state, seat, scratch.aim, scratch.what, scratch.how_much, scratch
    )


@jit
def keeps_second(rules, knobs, state, seat, deck, first, second, scratch):
    """Whether the second of two cards is worth more."""
    return standing(rules, knobs, state, seat, deck, second, scratch) > standing(
        rules, knobs, state, seat, deck, first, scratch
    )


@jit
def standing(rules, knobs, state, seat, deck, kind, scratch):
    """What it is worth to hold a card for when its moment comes."""
    effect = rules.effect[deck, kind]
    amount = rules.amount[deck, kind]
    mean = mean_loot(rules, state, seat, scratch)
    cost = price(rules, deck, kind) * token_worth(rules, knobs, state)
    if works_on_breaks(effect):  # a pip or a die turns one break in so many
        return 0.2 * min(amount, 4) * mean - cost
    if effect in (PROTECT, CANCEL_ACTION):
        return 0.5 * mean - cost
    if effect == IGNORE_FAILURE:
        return 0.3 * mean - cost
    return card_worth(rules, knobs, state, seat, deck, kind, scratch)


@jit
def reveals(rules, knobs, state, seat, scratch):
    """Whether a seat with enough VP ends the game: if it is ahead of what others may hold."""
    mean = mean_loot(rules, state, seat, scratch)
    return state.vp[seat] - best_rival(rules, state, seat, mean) >= knobs[REVEAL_LEAD]
