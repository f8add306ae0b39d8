"""The command `balance`: each command parses its options, calls the toolkit and prints."""

import io
import os
import shlex
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from balance import __version__
from balance.errors import BalanceError, InputError

if TYPE_CHECKING:
    from rich.console import Console

    from balance.scenario import Override, Scenario
    from balance.simulate import Simulation

__all__ = ["app", "main"]

DONE, FAILED, BAD_INPUT, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130

app = typer.Typer(
    name="balance",
    help="How hard is the game, what makes it so, and is the difference real?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

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


def _version(wanted: bool) -> None:
    if wanted:
        print(f"heist-balance {__version__}")
        raise typer.Exit


@app.callback()
def _balance(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def run(
    file: File,
    rollouts: Annotated[
        str | None, typer.Option(metavar="N", help="Stop after N rollouts per variant.")
    ] = None,
    precision: Annotated[
        str | None, typer.Option(metavar="P", help="Stop when every interval is within +-P.")
    ] = None,
    max_rollouts: Annotated[
        str | None, typer.Option(metavar="N", help="The budget of --precision.")
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write tables, charts and a page into DIR.")
    ] = None,
    keep_rollouts: Annotated[
        bool, typer.Option("--keep-rollouts", help="With --out: every rollout, as Parquet.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    quiet: QuietOption = False,
) -> None:
    """How hard is it? Simulate every variant and report."""
    from balance.files import check_folder
    from balance.results import result_json, to_json
    from balance.scenario import Override, load_scenario

    if rollouts is not None and precision is not None:
        raise InputError("--rollouts and --precision: give one of the two")
    if keep_rollouts and out is None:
        raise InputError("--keep-rollouts: also name a folder with --out DIR")
    overrides = [Override.from_set(text) for text in sets or []]
    if rollouts is not None:
        overrides.append(Override("run.precision", "null", f"--rollouts {rollouts}"))
    if precision is not None:
        overrides.append(Override("run.rollouts", "null", f"--precision {precision}"))
    overrides += _options(
        rollouts=rollouts, precision=precision, max_rollouts=max_rollouts, seed=seed
    )
    scenario = load_scenario(file, overrides)
    if out is not None:
        check_folder(out)
    simulation = _simulate_with_progress(scenario, workers, quiet)
    if out is not None:
        from balance.report import write_result

        write_result(simulation, out, _command(), keep_rollouts)
    if as_json:
        print(to_json(result_json(simulation)))
    else:
        from balance.report import print_result

        print_result(simulation, _stdout())
        if out is not None:
            _stdout().print(f"\nwritten: {out / 'report.html'}", highlight=False, markup=False)
    if simulation.partial:
        raise typer.Exit(INTERRUPTED)
    if simulation.stopped_by == "max_rollouts":
        raise typer.Exit(UNDECIDED)


@app.command()
def trace(
    file: File,
    rollout: Annotated[
        str | None, typer.Option(metavar="I", help="Which rollout (0), or where --find starts.")
    ] = None,
    find: Annotated[
        str | None, typer.Option(metavar="COLUMN=VALUE", help="The first game like that: won=0.")
    ] = None,
    variant: VariantOption = None,
    seed: SeedOption = None,
    sets: Sets = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON Lines.")] = False,
) -> None:
    """One game, told in words."""
    import json

    from balance.scenario import Override, load_scenario
    from balance.trace import Wanted, find_rollout, trace_rollout

    overrides = [Override.from_set(text) for text in sets or []]
    scenario = load_scenario(file, overrides + _options(seed=seed))
    chosen = scenario.variants[0] if variant is None else scenario.variant(variant)
    index = _index(rollout)
    _say_if_compiling()
    if find is not None:
        wanted = Wanted.parse(find, scenario)
        index = find_rollout(scenario, chosen, wanted, index)
    lines = trace_rollout(scenario, chosen, index)
    if as_json:
        for line in lines:
            print(json.dumps(line, allow_nan=False, ensure_ascii=False))
    else:
        print("\n".join(scenario.game.tell(lines)))


@app.command()
def train(
    file: File,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="YAML", help="The policy file.")],
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0, help="How long (300).")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Instead: how many generations.")
    ] = None,
    rollouts: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games a candidate plays in a generation.")
    ] = 2_000,
    held_out: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games of the final figure.")
    ] = 100_000,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="NAME", help="One variant (all).")
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    quiet: QuietOption = False,
) -> None:
    """Search better knobs for the policy of all variants (or one); write a policy file."""
    from balance.files import check_file, write_file
    from balance.progress import TrainingLine
    from balance.scenario import Override, load_scenario
    from balance.train import policy_yaml, summary
    from balance.train import train as train_policy

    if seconds is not None and generations is not None:
        raise InputError("--seconds and --generations: give one of the two")
    overrides = [Override.from_set(text) for text in sets or []]
    scenario = load_scenario(file, overrides + _options(seed=seed))
    chosen = scenario.variants if variant is None else (scenario.variant(variant),)
    check_file(out)
    if not quiet:
        _say_if_compiling()
    wanted = 300.0 if seconds is None else seconds
    with TrainingLine(wanted, generations, quiet) as line:
        trained = train_policy(
            scenario,
            chosen,
            seconds=wanted,
            generations=generations,
            rollouts=rollouts,
            held_out=held_out,
            workers=workers,
            report=line.show,
        )
    write_file(out, policy_yaml(trained, scenario, chosen, _command()))
    _stdout().print(summary(trained, chosen, out), highlight=False, markup=False)
    if trained.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)


@app.command()
def solve(
    file: File,
    iterations: Annotated[
        int, typer.Option(metavar="N", min=1, help="Steps of the search.")
    ] = 20_000,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="NAME", help="One variant (all).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="YAML", help="Write a policy file.")
    ] = None,
    sets: Sets = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Which bids are right? An equilibrium of a one-shot stage, and how exploitable it is."""
    from balance.files import check_file, write_file
    from balance.results import to_json
    from balance.scenario import Override, load_scenario
    from balance.solve import mixes_yaml, solutions_json, summary
    from balance.solve import solve as solve_stage

    scenario = load_scenario(file, [Override.from_set(text) for text in sets or []])
    chosen = scenario.variants if variant is None else (scenario.variant(variant),)
    if out is not None:
        check_file(out)
    _say_if_compiling()
    found = solve_stage(scenario, chosen, iterations=iterations)
    if out is not None:
        write_file(out, mixes_yaml(found, scenario, _command()))
    if as_json:
        print(to_json(solutions_json(found, scenario)))
    else:
        print("\n".join(summary(found)))


@app.command()
def games() -> None:
    """The games that can be simulated."""
    from balance.games import game_names, load_game

    for name in game_names():
        game = load_game(name)
        print(f"{name:10} {game.title}; policies: {', '.join(game.policies)}")
        for stage in game.stages:
            print(f"{'':10} stage: {stage}, a part of it alone")


@app.command()
def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game, as `balance games` says.")],
) -> None:
    """A game's rules and policies: every field with default, bounds and meaning."""
    from rich.table import Table

    from balance.games import load_game
    from balance.schema import field_rows

    try:
        found = load_game(game)
    except InputError as error:
        raise InputError(f"GAME: {error}") from None
    console = _stdout()
    sections = [("rules", found.rules)]
    sections += [(f"stage {name}", part.rules) for name, part in found.stages.items()]
    sections += [(f"policy {name}", model) for name, model in found.policies.items()]
    for title, model in sections:
        table = Table(title=None, box=None, pad_edge=False, header_style="bold")
        table.add_column(title, no_wrap=True)
        for header in ("default", "bounds", "meaning"):
            table.add_column(header, overflow="fold")
        for row in field_rows(model):
            table.add_row(row.name, *(_plain(x) for x in (row.default, row.bounds, row.meaning)))
        console.print(table)
        console.print()


@app.command()
def schema() -> None:
    """The JSON schema of scenario files, for an editor's completion."""
    from balance.results import to_json
    from balance.schema import scenario_schema

    print(to_json(scenario_schema()))


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _options(**options: str | None) -> "list[Override]":
    from balance.scenario import Override

    return [
        Override(f"run.{name}", text, f"--{name.replace('_', '-')} {text}")
        for name, text in options.items()
        if text is not None
    ]


def _index(text: str | None) -> int:
    from balance.yaml_text import parse_value

    if text is None:
        return 0
    value = parse_value(text, f"--rollout {text}")
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**62:
        raise InputError(f"--rollout {text}: must be a whole number, 0 or more")
    return value


def _command() -> str:
    return shlex.join(["balance", *sys.argv[1:]])


def _stdout() -> "Console":
    from rich.console import Console

    class QuietConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # `main` ends quietly; rich would end with an error code

    return QuietConsole(emoji=False)


def _simulate_with_progress(scenario: "Scenario", workers: int | None, quiet: bool) -> "Simulation":
    from balance.simulate import simulate

    if quiet:
        return simulate(scenario, workers)
    from balance.progress import ProgressLine

    _say_if_compiling()
    with ProgressLine() as line:
        return simulate(scenario, workers, line.show)


def _say_if_compiling() -> None:
    """The first use of a game compiles it, which takes a while."""
    from kernels.jit import JIT_DISABLED, cache_folder

    folder = cache_folder()
    if JIT_DISABLED:
        return
    if folder is None or not any(folder.rglob("*.nbc")):
        print(
            "balance: compiling the game for its first use, one to two minutes ..", file=sys.stderr
        )


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Run the command; every error is one line on stderr and an exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    try:
        code = app(standalone_mode=False)
    except BalanceError as error:
        code = _say(str(error), BAD_INPUT)
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        code = _say(message, BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        code = _say("interrupted", INTERRUPTED)
    except SystemExit as error:  # typer answers a broken pipe like this
        code = DONE if isinstance(error.__context__, BrokenPipeError) else error.code
    except OSError as error:
        code = _lost_output(error)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        code = _lost_output(error)
    sys.exit(code if isinstance(code, int) else DONE)


def _lost_output(error: OSError) -> int:
    """What was printed went nowhere: quietly where the reader has gone (`balance .. | head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return DONE
    return _say(f"the output cannot be written ({error.strerror})", BAD_INPUT)


def _say(message: str, code: int) -> int:
    print("balance: " + " ".join(message.split()), file=sys.stderr)
    return code
