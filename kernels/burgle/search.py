"""The policy `search`: at a joint decision it plays the few best candidates on and compares.

Every candidate is continued from the same positions: hidden cards dealt anew, the same shuffles to
come, all seats played by `expert`. After each stage the worse half of the candidates is dropped
(sequential halving: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013). The choice of `expert` stays in to the end, and another one is taken only if its paired
difference is larger than the noise.
"""

from itertools import permutations

import numpy as np

from kernels.burgle import decisions, expert, simple
from kernels.burgle.deal import begin
from kernels.burgle.happenings import ENDED, tell
from kernels.burgle.hidden import reorder_hidden
from kernels.burgle.layout import (
    AFTER_DRAW,
    BAIL,
    CRACKED,
    DISCARD_GUARD,
    NEXT,
    NO_PLAN,
    OVER,
    PEEK,
    SEARCH,
    SEARCHER,
    SEATS,
    SIMPLE,
    TRADE,
    TWENTY_ONE,
    WON,
)
from kernels.burgle.play import carry_out_trade, play_until, write_outcome
from kernels.burgle.table import guards_shown, readings
from kernels.burgle.tools import open_window
from kernels.burgle.trade import find_movable, give_other_card
from kernels.jit import inlined, jit
from kernels.streams import draw, rollout_key, stream

CONTINUATIONS, CANDIDATES, NOISE, CRACK_WORTH = range(4)  # places of the knobs

ARMS = 16
PARTS = 1 + 3 * SEATS  # a candidate: how many trade, then who, their cards, whose they take
REORDER_DRAW = 1

ROOM = np.dtype(
    [
        ("arm", np.int64, (ARMS, PARTS)),
        ("alive", np.int64, (ARMS,)),
        ("total", np.float64, (ARMS,)),  # of the differences from arm 0, sample by sample
        ("squares", np.float64, (ARMS,)),
        ("score", np.float64, (ARMS,)),
        ("seat", np.int64),  # whose knobs rule the search
        ("traders", np.int64),  # how many take part in the trade to come
        ("samples", np.int64),
        ("searches", np.int64),  # decisions searched in this game so far
    ]
)
"""Room for one search."""


def _all_permutations() -> np.ndarray:
    table = np.zeros((SEATS + 1, 24, SEATS), np.int64)
    for n in range(SEATS + 1):
        for row, order in enumerate(permutations(range(n))):
            table[n, row, :n] = order
    return table


PERMUTATIONS = _all_permutations()


@jit
def play_searching(rules, policies, seed, first, outcomes, states, scratch, room, events, quiet):
    """As `play.play_many`, with seats that search.

    ``states`` has the shape (2,), ``room`` (ROOM) the shape (1,); ``quiet`` (EVENTS, shape (1,))
    does not record.
    """
    decisions.prepare(rules[0], policies[0], scratch[0])
    for i in range(outcomes.shape[0]):
        key = rollout_key(seed, first + i)
        begin(rules[0], policies[0], key, states[0], scratch[0], events[0])
        room[0].searches = 0
        while states[0].phase != OVER:
            step(rules[0], policies[0], key, states, scratch[0], room[0], events[0], quiet[0])
        tell(states[0], events[0], ENDED, 0, 0, 0, 0)
        write_outcome(states[0], outcomes[i])


@jit
def run_step(rules, policies, key, states, scratch, room, events, quiet):
    """Play one step of the game in ``states`` [0], as `play_searching` does."""
    decisions.prepare(rules[0], policies[0], scratch[0])
    step(rules[0], policies[0], key, states, scratch[0], room[0], events[0], quiet[0])


@inlined
def step(rules, policies, key, states, scratch, room, events, quiet):
    """Play one step; a seat that searches and has something to choose compares its candidates."""
    state = states[0]
    trading = state.phase == TRADE
    arms = list_arms(rules, policies, key, state, scratch, room, events)
    best = 0
    if arms > 1:
        best = compare(rules, policies, key, states, arms, scratch, room, quiet)
    if trading:
        if arms > 0:
            restore_trade(scratch, room, best)
        carry_out_trade(rules, state, room.traders, scratch, events)
    else:
        if arms > 1:
            follow_plan(state, room, best)
        play_until(rules, policies, key, state, scratch, events, NEXT)


@jit
def list_arms(rules, policies, key, state, scratch, room, events):
    """Note the candidates of the coming decision; return how many there are.

    A trade is taken up to the decision itself: the phase is PEEK then, and without candidates the
    trade in ``scratch`` is the one to carry out.
    """
    if state.phase == TRADE:
        return list_trades(rules, policies, key, state, scratch, room, events)
    if state.phase == TWENTY_ONE:
        return list_twenty_ones(rules, policies, state, room)
    if state.phase == BAIL:
        return list_bails(rules, policies, state, scratch, room)
    return 0


@jit
def list_trades(rules, policies, key, state, scratch, room, events):
    """The best trades by the score of `expert`, if the seat that decides searches."""
    state.phase = PEEK
    room.traders = 0
    if state.tools_held:
        open_window(rules, policies, key, state, AFTER_DRAW, scratch, events)
    if not rules.trading:
        return 0
    n = find_movable(rules, state, True, scratch)
    seat = scratch.movable[0]
    if n < 2 or policies.kind[seat] != SEARCHER or not policies.trading[seat]:
        room.traders = decisions.arrange_trade(rules, policies, key, state, scratch)
        return 0
    room.traders = n
    room.seat = seat
    if decisions.by_chance(policies, key, state, seat):
        decisions.any_trade(rules, key, state, seat, n, scratch)
        return 0
    return rank_trades(rules, policies, state, seat, n, scratch, room)


@jit
def rank_trades(rules, policies, state, seat, n, scratch, room):
    """Note the choice of `expert` and the next best trades as arms; return how many."""
    expert.choose_trade(rules, policies.knobs[seat], scratch.by_near[seat], state, n, scratch)
    note_trade(scratch, room, 0, n)
    wanted = min(np.int64(policies.search[seat, CANDIDATES]), ARMS)
    arms = 1
    for other in range(2):
        if other == 1:
            if scratch.hacker_at < 0:
                break
            give_other_card(rules, scratch)
            knobs = policies.knobs[seat]
            expert.fill_scores(rules, knobs, scratch.by_near[seat], state, n, scratch)
        for row in range(decisions.arrangements(n)):
            same = other == 0
            for i in range(n):
                scratch.takes[i] = PERMUTATIONS[n, row, i]
                same = same and scratch.takes[i] == room.arm[0, 1 + 2 * SEATS + i]
            if same or (other == 1 and scratch.takes[scratch.hacker_at] == scratch.hacker_at):
                continue
            score = expert.arrangement_score(n, scratch)
            arms = insert_trade(scratch, room, score, n, arms, wanted)
    return arms


@jit
def insert_trade(scratch, room, score, n, arms, wanted):
    """Put the trade in ``scratch`` among arms 1, 2, .. by its score, if it is one of the best."""
    place = arms
    while place > 1 and score > room.score[place - 1]:
        place -= 1
    if place >= wanted:
        return arms
    last = min(arms, wanted - 1)
    for i in range(last, place, -1):
        room.arm[i, :] = room.arm[i - 1, :]
        room.score[i] = room.score[i - 1]
    note_trade(scratch, room, place, n)
    room.score[place] = score
    return last + 1


@jit
def note_trade(scratch, room, arm, n):
    """Copy the trade in ``scratch`` into an arm."""
    room.arm[arm, 0] = n
    for i in range(n):
        room.arm[arm, 1 + i] = scratch.movable[i]
        room.arm[arm, 1 + SEATS + i] = scratch.cards[i]
        room.arm[arm, 1 + 2 * SEATS + i] = scratch.takes[i]


@jit
def restore_trade(scratch, room, arm):
    """Copy the trade of an arm into ``scratch``; return among how many it is."""
    n = room.arm[arm, 0]
    for i in range(n):
        scratch.movable[i] = room.arm[arm, 1 + i]
        scratch.cards[i] = room.arm[arm, 1 + SEATS + i]
        scratch.takes[i] = room.arm[arm, 1 + 2 * SEATS + i]
    return n


@jit
def list_twenty_ones(rules, policies, state, room):
    """What the first seat with a twenty-one can do, if it searches."""
    for seat in range(rules.players):
        can_read = readings(state.hard[seat], state.aces[seat])
        if not state.active[seat] or not can_read & rules.jackpot_total:
            continue
        if policies.kind[seat] != SEARCHER:
            return 0
        room.seat = seat
        own = expert.choose_twenty_one(rules, policies.knobs[seat], state, seat)
        plan_one(room, 0, seat, own)
        arms = 1
        shown = guards_shown(state, rules.players)
        for choice in range(DISCARD_GUARD + rules.players):
            legal = choice < DISCARD_GUARD or (shown >> (choice - DISCARD_GUARD)) & 1
            if legal and choice != own:
                plan_one(room, arms, seat, choice)
                arms += 1
        return arms
    return 0


@jit
def list_bails(rules, policies, state, scratch, room):
    """Who bails: as `expert` would, or with one seat deciding otherwise."""
    plan_one(room, 0, 0, NO_PLAN)
    scratch.looked_ahead = 0
    arms = 1
    gone = 0
    for seat in range(rules.players):
        if not state.active[seat]:
            continue
        leaves = foresee_bail(rules, policies, state, seat, scratch)
        if state.drew[seat] and policies.kind[seat] == SEARCHER:
            room.seat = seat
            plan_one(room, arms, seat, 1 - leaves)
            arms += 1
        if leaves:  # who decides after it sees it gone
            state.active[seat] = 0
            gone |= 1 << seat
    for seat in range(rules.players):
        state.active[seat] |= (gone >> seat) & 1
    return arms


@jit
def foresee_bail(rules, policies, state, seat, scratch):
    """1 if the seat bails when its turn to decide comes, mistakes and alarms left aside."""
    if not state.drew[seat]:
        return 1  # R3
    if not policies.bailing[seat]:
        return 0
    if policies.kind[seat] == SIMPLE:
        return np.int64(simple.bails(rules, policies, state, seat))
    return np.int64(expert.bails(rules, policies.knobs[seat], state, seat, scratch))


@jit
def plan_one(room, arm, seat, choice):
    """Make an arm a plan in which only this seat has one."""
    for other in range(SEATS):
        room.arm[arm, 1 + other] = NO_PLAN
    room.arm[arm, 1 + seat] = choice


@jit
def follow_plan(state, room, arm):
    """Let the seats decide as the arm says."""
    for seat in range(SEATS):
        state.plan[seat] = room.arm[arm, 1 + seat]


@inlined
def compare(rules, policies, key, states, arms, scratch, room, quiet):
    """The arm to take: the best one if it is better than arm 0 by more than the noise, else 0."""
    room.alive[:arms] = 1
    room.total[:arms] = 0.0
    room.squares[:arms] = 0.0
    seat = room.seat
    start = stream(key, SEARCH, 0, room.searches)
    room.searches += 1
    room.samples = 0
    stages = 1
    while 1 << stages < arms:
        stages += 1
    alive = arms
    budget = policies.search[seat, CONTINUATIONS] / stages
    while alive > 1:
        worth = policies.search[seat, CRACK_WORTH]
        for _ in range(max(1, np.int64(budget / alive))):
            sample(
                rules,
                policies,
                draw(start, room.samples),
                states,
                arms,
                worth,
                scratch,
                room,
                quiet,
            )
            room.samples += 1
        if alive == 2:
            break
        keep = (alive + 1) // 2
        while alive > max(keep, 2):
            drop_worst(room, arms)
            alive -= 1
    return better_than_noise(room, arms, policies.search[seat, NOISE])


@inlined
def sample(rules, policies, key, states, arms, worth, scratch, room, quiet):
    """Continue each living arm from one dealing of what is hidden."""
    base = 0.0
    for arm in range(arms):
        if not room.alive[arm]:
            continue
        value = continue_arm(rules, policies, key, states, arm, worth, scratch, room, quiet)
        if arm == 0:
            base = value
        else:
            room.total[arm] += value - base
            room.squares[arm] += (value - base) ** 2


@inlined
def continue_arm(rules, policies, key, states, arm, worth, scratch, room, quiet):
    """Play the game on from an arm's decision to its end; 1 for a win, and a little for cracks."""
    states[1] = states[0]
    state = states[1]
    reorder_hidden(rules, state, draw(key, REORDER_DRAW), scratch)
    if state.phase == PEEK:
        n = restore_trade(scratch, room, arm)
        carry_out_trade(rules, state, n, scratch, quiet)
    else:
        follow_plan(state, room, arm)
    play_until(rules, policies, key, state, scratch, quiet, OVER)
    return state.count[WON] + worth * state.count[CRACKED]


@jit
def drop_worst(room, arms):
    """Drop the arm with the least sum; arm 0 stays."""
    worst = -1
    for arm in range(1, arms):
        if room.alive[arm] and (worst < 0 or room.total[arm] < room.total[worst]):
            worst = arm
    room.alive[worst] = 0


@jit
def better_than_noise(room, arms, noise):
    """The best living arm if it is better by over ``noise`` standard errors, else 0.

    The error is the one that there would be without a difference: few samples, or equal ones, are
    no proof.
    """
    best = 0
    for arm in range(1, arms):
        if room.alive[arm] and (best == 0 or room.total[arm] > room.total[best]):
            best = arm
    return best if room.total[best] > noise * np.sqrt(room.squares[best]) else 0
