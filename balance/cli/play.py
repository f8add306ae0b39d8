"""Commands that play a scenario as it is: run and trace."""

from typing import Annotated

import typer

from balance.cli.command import INTERRUPTED, UNDECIDED, app
from balance.cli.options import (
    AccurateOption,
    File,
    JsonOption,
    OutOption,
    QuickOption,
    QuietOption,
    SeedOption,
    Sets,
    VariantOption,
    WorkersOption,
    command_line,
    load,
    run_overrides,
    say_if_compiling,
    simulate_with_progress,
    stdout,
)
from balance.errors import InputError

__all__ = ["run", "trace"]


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
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    keep_rollouts: Annotated[
        bool, typer.Option("--keep-rollouts", help="With --out: every rollout, as Parquet.")
    ] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """How hard is it? Simulate every variant and report."""
    from balance.results import result_json, to_json

    if keep_rollouts and out is None:
        raise InputError("--keep-rollouts: also name a folder with --out DIR")
    scenario = load(
        file,
        sets,
        quick=quick,
        accurate=accurate,
        out=out,
        rollouts=rollouts,
        precision=precision,
        max_rollouts=max_rollouts,
        seed=seed,
    )
    simulation = simulate_with_progress(scenario, workers, quiet)
    if out is not None:
        from balance.report import write_result

        write_result(simulation, out, command_line(), keep_rollouts)
    if as_json:
        print(to_json(result_json(simulation)))
    else:
        from balance.report import print_result

        print_result(simulation, stdout())
        if out is not None:
            stdout().print(f"\nwritten: {out / 'report.html'}", highlight=False, markup=False)
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
    scenario = load_scenario(file, overrides + run_overrides(seed=seed))
    chosen = scenario.variants[0] if variant is None else scenario.variant(variant)
    index = _index(rollout)
    say_if_compiling(scenario.game)
    if find is not None:
        wanted = Wanted.parse(find, scenario)
        index = find_rollout(scenario, chosen, wanted, index)
    lines = trace_rollout(scenario, chosen, index)
    if as_json:
        for line in lines:
            print(json.dumps(line, allow_nan=False, ensure_ascii=False))
    else:
        print("\n".join(scenario.game.tell(lines)))


def _index(text: str | None) -> int:
    from balance.yaml_text import parse_value

    if text is None:
        return 0
    value = parse_value(text, f"--rollout {text}")
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**62:
        raise InputError(f"--rollout {text}: must be a whole number, 0 or more")
    return value
