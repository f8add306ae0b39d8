"""Commands that look for better play: train and solve."""

from pathlib import Path
from typing import Annotated

import typer

from balance.cli.command import INTERRUPTED, app
from balance.cli.options import (
    File,
    JsonOption,
    QuietOption,
    SeedOption,
    Sets,
    WorkersOption,
    command_line,
    run_overrides,
    say_if_compiling,
    stdout,
)
from balance.errors import InputError

__all__ = ["solve", "train"]


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
    """Search better knobs for a policy; write a policy file."""
    from balance.files import check_file, write_file
    from balance.progress import TrainingLine
    from balance.scenario import Override, load_scenario
    from balance.studies.train import policy_yaml, summary
    from balance.studies.train import train as train_policy

    if seconds is not None and generations is not None:
        raise InputError("--seconds and --generations: give one of the two")
    overrides = [Override.from_set(text) for text in sets or []]
    scenario = load_scenario(file, overrides + run_overrides(seed=seed))
    chosen = scenario.variants if variant is None else (scenario.variant(variant),)
    check_file(out)
    if not quiet:
        say_if_compiling(scenario.game)
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
    write_file(out, policy_yaml(trained, scenario, chosen, command_line()))
    stdout().print(summary(trained, chosen, out), highlight=False, markup=False)
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
    as_json: JsonOption = False,
) -> None:
    """Which bids are right? An equilibrium of a stage.

    It says how exploitable the equilibrium is: what a best response would gain beyond it.
    """
    from balance.files import check_file, write_file
    from balance.results import to_json
    from balance.scenario import Override, load_scenario
    from balance.studies.solve import mixes_yaml, solutions_json, summary
    from balance.studies.solve import solve as solve_stage

    scenario = load_scenario(file, [Override.from_set(text) for text in sets or []])
    chosen = scenario.variants if variant is None else (scenario.variant(variant),)
    if out is not None:
        check_file(out)
    say_if_compiling(scenario.game)
    found = solve_stage(scenario, chosen, iterations=iterations)
    if out is not None:
        write_file(out, mixes_yaml(found, scenario, command_line()))
    if as_json:
        print(to_json(solutions_json(found, scenario)))
    else:
        print("\n".join(summary(found)))
