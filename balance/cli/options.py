"""Options that commands share, and what they all do with them."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from balance.answers.answer import Answer
    from balance.games import Game
    from balance.scenario import Override, Scenario
    from balance.simulate import Progress, Simulation

__all__ = [
    "AccurateOption",
    "BudgetOption",
    "File",
    "JsonOption",
    "MetricOption",
    "OneVariantOption",
    "OutOption",
    "QuickOption",
    "QuietOption",
    "RolloutsOption",
    "SeedOption",
    "Sets",
    "VariantOption",
    "WorkersOption",
    "command_line",
    "conclude",
    "load",
    "run_overrides",
    "say_cost",
    "say_if_compiling",
    "showing_progress",
    "simulate_with_progress",
    "stdout",
]

LONG = 5.0  # seconds from which a run's cost is said before it starts
DECIMALS = re.compile(r"[0-9]+\.[0-9]*")  # 2.000 is two thousand to some and two to others
PRESETS = {"--quick": (10_000, 100_000), "--accurate": (1_000_000, 10_000_000)}
"""Rollouts per variant, and the budget of rules that may end earlier."""

File = Annotated[Path, typer.Argument(metavar="FILE", help="A scenario file (YAML).")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change a value, like rules.stealth=3."),
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="S", help="The same seed, the same rollouts.")
]
WorkersOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, max=1024, help="Threads (all allowed cores).")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
VariantOption = Annotated[
    str | None, typer.Option("--variant", metavar="NAME", help="Which variant (the first).")
]


RolloutsOption = Annotated[
    str | None, typer.Option("--rollouts", metavar="N", help="Rollouts per variant (100,000).")
]
BudgetOption = Annotated[
    str | None,
    typer.Option("--max-rollouts", metavar="N", help="The most rollouts per variant (1,000,000)."),
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="10,000 rollouts (at most 100,000): a first look.")
]
AccurateOption = Annotated[
    bool, typer.Option("--accurate", help="1,000,000 rollouts (at most 10,000,000).")
]
MetricOption = Annotated[
    str | None, typer.Option("--metric", metavar="NAME", help="Of what (the win rate).")
]
OneVariantOption = Annotated[
    str | None, typer.Option("--variant", metavar="NAME", help="One variant (all).")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write tables, charts and a page into DIR."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def load(
    file: Path,
    sets: Sequence[str] | None,
    *,
    quick: bool = False,
    accurate: bool = False,
    out: Path | None = None,
    **run: str | None,
) -> "Scenario":
    """The scenario with what the options say laid over it; ``out`` is checked.

    ``run`` holds the options that are settings of the run: seed, rollouts, precision, max_rollouts.
    """
    from balance.files import check_folder
    from balance.scenario import Override, load_scenario

    presets = [name for name, given in (("--quick", quick), ("--accurate", accurate)) if given]
    rules = [f"--{n.replace('_', '-')}" for n in ("rollouts", "precision") if run.get(n)]
    asked = [*presets, *rules]
    if len(asked) > 1:
        raise InputError(f"{asked[0]} and {asked[1]}: give one of the two")
    overrides = [Override.from_set(text) for text in sets or []]
    for name in presets:
        rollouts, budget = PRESETS[name]
        overrides.append(Override("run.precision", "null", name))
        overrides.append(Override("run.rollouts", str(rollouts), name))
        if run.get("max_rollouts") is None:
            overrides.append(Override("run.max_rollouts", str(budget), name))
    for one, other in (("rollouts", "precision"), ("precision", "rollouts")):
        if run.get(one) is not None:
            overrides.append(Override(f"run.{other}", "null", f"--{one} {run[one]}"))
    scenario = load_scenario(file, overrides + run_overrides(**run))
    if out is not None:
        check_folder(out)
    return scenario


def conclude(
    out: Path | None,
    as_json: bool,
    json: "Callable[[], Mapping[str, Any]]",
    answer: "Callable[[], Answer]",
) -> None:
    """Write the answer if a folder is named, and print it or its JSON."""
    from balance.answers.answer import print_answer, write_answer
    from balance.results import to_json

    found = None if as_json and out is None else answer()
    if found is not None and out is not None:
        write_answer(found, out, command_line())
    if as_json:
        print(to_json(json()))
    elif found is not None:
        print_answer(found, stdout())
        if out is not None:
            stdout().print(f"\nwritten: {out / 'report.html'}", highlight=False, markup=False)


def run_overrides(**options: str | None) -> "list[Override]":
    """The given options as settings of the run."""
    from balance.scenario import Override

    found = []
    for name, text in options.items():
        if text is None:
            continue
        option = f"--{name.replace('_', '-')} {text}"
        if "rollouts" in name and DECIMALS.fullmatch(text.strip()):
            raise InputError(f"{option}: must be a whole number; write 2000 or 2_000")
        found.append(Override(f"run.{name}", text, option))
    return found


def command_line() -> str:
    """The command as it was given."""
    return shlex.join(["balance", *sys.argv[1:]])


def stdout() -> "Console":
    """The console of the answer."""
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # `main` ends quietly; rich would end with an error code

    return QuietConsole(emoji=False)


def say_cost(
    scenario: "Scenario",
    workers: int | None,
    rollouts: int,
    *,
    times: float = 1.0,
    most: bool = False,
) -> None:
    """Say on stderr what a long run will cost: rollouts and seconds.

    ``most`` says that it may end earlier; ``times`` is as in `balance.cost.predicted_cost`.
    """
    from balance.cost import predicted_cost

    cost = predicted_cost(scenario, rollouts, workers, times)
    if cost.seconds < LONG:
        return
    seconds = cost.seconds
    took = f"{seconds:,.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} min"
    words = f"{'at most ' * most}{cost.games:,} games, about {took}"
    words += "; it may end much earlier" if most else ""
    quicker = seconds > 60 and rollouts > PRESETS["--quick"][0] and not most
    print(f"balance: {words}{' (--quick is faster)' * quicker}", file=sys.stderr)


@contextmanager
def showing_progress(quiet: bool) -> "Iterator[Callable[[Progress], None] | None]":
    """Progress on stderr, if anybody wants it."""
    if quiet:
        yield None
        return
    from balance.progress import ProgressLine

    with ProgressLine() as line:
        yield line.show


def simulate_with_progress(scenario: "Scenario", workers: int | None, quiet: bool) -> "Simulation":
    """Simulate all variants; say the cost of a long run before."""
    from balance.simulate import goal_of, simulate

    run = scenario.run
    if not quiet:
        say_if_compiling(scenario.game)
        say_cost(scenario, workers, goal_of(run), most=run.precision is not None)
    with showing_progress(quiet) as report:
        return simulate(scenario, workers, report)


def say_if_compiling(game: "Game") -> None:
    """Say on stderr that the first use of a game compiles it, which takes a while."""
    import kernels
    from kernels.jit import JIT_DISABLED, cache_folder

    if JIT_DISABLED or game.style == "dice":  # dice compile in a moment
        return
    folder = cache_folder()
    if not (Path(kernels.__file__).parent / game.name).is_dir():  # not one of ours
        return
    # Numba keeps what it compiled of kernels/burgle/ in burgle_<hash of its path>/
    if folder is None or not any(folder.glob(f"{game.name}_*/*.nbc")):
        print(
            f"balance: compiling {game.title} for its first use, one to three minutes ..",
            file=sys.stderr,
        )
