"""Playing from look to look: what is settled is played no more."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from balance.scenario import Scenario
from balance.simulate import Player, Progress, packed_variants, play_batch
from balance.tally import Tallies, Tally

__all__ = ["Looked", "play_from_look_to_look"]

Look = Callable[[Sequence[int], Tallies], set[int]]
"""Takes the places of the variants that were played and their tallies over the same rollouts;
returns the places of those that are to be played on."""


@dataclass(frozen=True)
class Looked:
    """How far every variant was played."""

    tallies: tuple[Tally, ...]
    """One of each variant; one that was settled early has fewer rollouts."""
    stopped_by: str  # decided, max_rollouts (undecided) or interrupted


@dataclass
class _Course:
    """The variants that are still played, their tallies, and those of the others."""

    active: list[int]
    tallies: Tallies
    settled: dict[int, Tally] = field(default_factory=dict)

    def keep(self, wanted: set[int]) -> None:
        """Go on with some of the variants only."""
        kept = [at for at, place in enumerate(self.active) if place in wanted]
        if len(kept) == len(self.active):
            return
        for at, place in enumerate(self.active):
            if place not in wanted:
                self.settled[place] = self.tallies.variants[at]
        self.tallies = self.tallies.chosen(kept)
        self.active = [self.active[at] for at in kept]

    def everything(self) -> tuple[Tally, ...]:
        """The tally of every variant, settled or not."""
        found = self.settled | dict(zip(self.active, self.tallies.variants, strict=True))
        return tuple(found[place] for place in sorted(found))


def play_from_look_to_look(
    scenario: Scenario,
    looks: Sequence[int],
    look: Look,
    workers: int | None = None,
    report: Callable[[Progress], None] | None = None,
) -> Looked:
    """Play all variants on the same seed; at each look, drop those that are settled.

    Parameters
    ----------
    scenario
        What to play; its stopping rule does not matter.
    looks
        The rollout counts at which is looked; the last one is the budget.
    look
        Says which variants go on.
    workers, report
        As in `balance.simulate.simulate`.
    """
    packed = packed_variants(scenario)
    nothing = play_batch(scenario.game, packed, scenario.run.seed, 0, 0)
    course = _Course(list(range(len(packed))), nothing)
    started = time.monotonic()

    def collect(played: Tallies) -> None:
        course.tallies = course.tallies.merged(played)
        if report is not None:
            seconds = time.monotonic() - started
            report(Progress(course.tallies.rollouts, looks[-1], None, seconds))

    try:
        with Player(scenario.game, scenario.run.seed, workers, collect) as player:
            done = 0
            for count in looks:
                player.play([packed[place] for place in course.active], done, count)
                done = count
                wanted = look(course.active, course.tallies)
                if not wanted:
                    return Looked(course.everything(), "decided")
                course.keep(wanted)
    except KeyboardInterrupt:
        return Looked(course.everything(), "interrupted")
    return Looked(course.everything(), "max_rollouts")
