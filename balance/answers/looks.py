"""What is said of a study that looks several times: what ended it, and how often it errs."""

from collections.abc import Sequence

from balance.sequential import Spending
from balance.tally import Tally

__all__ = ["error_words", "looks_words"]


def looks_words(stopped_by: str, tallies: Sequence[Tally], decided: str) -> str:
    """What ended a study, and after how many rollouts; ``decided`` says that it was done."""
    n = max(tally.rollouts for tally in tallies)
    if stopped_by == "interrupted":
        return f"interrupted after {n:,} rollouts per variant: what follows is partial"
    if stopped_by == "decided":
        return f"{decided} within {n:,} rollouts per variant"
    return f"the budget of {n:,} rollouts per variant ended: undecided"


def error_words(spending: Spending, which: str) -> str:
    """The chance that a verdict is wrong; ``which`` says which one."""
    return (
        f"the chance that {which} is wrong is at most {spending.error:g}, all looks (up to "
        f"{len(spending.looks)}, the last at {spending.budget:,} rollouts) included"
    )
