"""The pinned policy `simple`: every line follows docs/rules/vault.md to the letter."""

from kernels.jit import inlined, jit
from kernels.vault.layout import BREAK, MOST_DICE, NOBODY, PASS, SEATS
from kernels.vault.loot import vault_size

BREAK_AT = 0  # the place of the knob
NEVER = MOST_DICE + 1
OWN_CARDS = 2  # of a break with a partner: the first two loot cards are the breaker's


@jit
def count_dice(rules, break_at, enough):
    """Fill ``enough`` [i]: the fewest dice whose chance at threshold i is ``break_at`` or more."""
    for number in range(rules.thresholds):
        enough[number] = NEVER
        for n in range(MOST_DICE, 0, -1):
            if rules.reach[n, rules.threshold[number]] >= break_at:
                enough[number] = n


@jit
def needs_partner(rules, state):
    """Whether at least one other seat must join the break."""  # V13
    return rules.first_needs_partner == 1 and state.breaks == 0


@inlined
def richest_other(rules, state, seat, refused):
    """The other seat with most tokens, of equals the next clockwise; NOBODY if all refused."""
    best = NOBODY
    for i in range(1, rules.players):
        other = seat + i
        if other >= rules.players:
            other -= rules.players
        if not refused[other] and (best == NOBODY or state.tokens[other] > state.tokens[best]):
            best = other
    return best


@jit
def clear_offer(scratch):
    """An offer of no dice."""
    for seat in range(SEATS):
        scratch.part[seat] = 0


@jit
def offer(rules, state, seat, own, partner, theirs, own_cards, scratch):
    """Offer a break alone or with a partner, who gets the loot after ``own_cards``."""  # V14
    clear_offer(scratch)
    scratch.part[seat] = own
    scratch.shares = min(rules.loot_per_break, vault_size(rules, state))
    for i in range(scratch.shares):
        scratch.share[i] = seat
    if partner == NOBODY:
        return BREAK
    scratch.part[partner] = theirs
    for i in range(own_cards, scratch.shares):
        scratch.share[i] = partner
    return BREAK


@jit
def propose(rules, state, seat, enough, inviting, scratch):
    """BREAK with the offer in ``scratch``, or PASS; ``enough`` dice are as many as it wants."""
    limit = rules.dice
    a = min(state.tokens[seat], limit)
    if a < 1:
        return PASS
    alone = not needs_partner(rules, state)
    if alone and enough <= a:
        return offer(rules, state, seat, enough, NOBODY, 0, 0, scratch)
    partner = richest_other(rules, state, seat, scratch.refused) if inviting else NOBODY
    b = min(state.tokens[partner], limit) if partner != NOBODY else 0
    if b >= 1:
        n = max(enough, 2)
        k = min(a, n - 1)
        if n <= (limit if rules.table_limit else a + b) and n - k <= b:
            return offer(rules, state, seat, k, partner, n - k, OWN_CARDS, scratch)
    if not rules.table_limit:
        if a == limit and b == limit:
            return offer(rules, state, seat, limit, partner, limit, OWN_CARDS, scratch)
        return PASS
    if a == limit and alone:
        return offer(rules, state, seat, limit, NOBODY, 0, 0, scratch)
    k = min(a, limit - 1)
    if k >= 1 and b >= 1 and k + b >= limit:
        return offer(rules, state, seat, k, partner, limit - k, OWN_CARDS, scratch)
    return PASS
