"""The progress of a run, on stderr and only where somebody is looking."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from balance.simulate import Progress
from balance.studies.train import Step

__all__ = ["ProgressLine", "TrainingLine"]


class _Line:
    """One line that changes in place."""

    def __init__(self, quiet: bool = False) -> None:
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, transient=True, refresh_per_second=8)
        self.shown = self.console.is_terminal and not quiet

    def __enter__(self) -> Self:
        if self.shown:
            self.live.start()
            self.live.update(Text("loading the game .."))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown:
            self.live.stop()


class ProgressLine(_Line):
    """The progress of a run: rollouts, speed, half-width, time left."""

    def show(self, progress: Progress) -> None:
        """Take the newest progress."""
        if not self.shown:
            return
        speed = progress.done / max(progress.seconds, 1e-9)
        left = (progress.goal - progress.done) / max(speed, 1e-9)
        half = "" if progress.half_width is None else f", ±{progress.half_width:.3%}"
        self.live.update(
            Text(
                f"{progress.done:,} of {progress.goal:,} rollouts per variant, "
                f"{speed:,.0f}/s{half}, {left:,.0f} s left"
            )
        )


class TrainingLine(_Line):
    """The progress of training: generations, time, and what the middle of the search reaches."""

    def __init__(self, seconds: float, generations: int | None, quiet: bool) -> None:
        super().__init__(quiet)
        self.seconds = seconds
        self.generations = generations
        self.first: float | None = None

    def show(self, step: Step) -> None:
        """Take the newest generation."""
        self.first = step.goal if self.first is None else self.first
        if not self.shown:
            return
        if self.generations is None:
            end = f"{step.seconds:,.0f} of {self.seconds:,.0f} s"
        else:
            end = f"{step.generation} of {self.generations}, {step.seconds:,.0f} s"
        goal = f"goal {step.goal:.4f}, at first {self.first:.4f}"
        self.live.update(Text(f"generation {step.generation}, {end}: {goal}"))
