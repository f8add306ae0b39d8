"""The progress of a run, on stderr and only where somebody is looking."""

from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from balance.simulate import Progress

__all__ = ["ProgressLine"]


class ProgressLine:
    """One line that changes in place: rollouts, speed, half-width, time left."""

    def __init__(self) -> None:
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, transient=True, refresh_per_second=8)
        self.shown = self.console.is_terminal

    def __enter__(self) -> "ProgressLine":
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
