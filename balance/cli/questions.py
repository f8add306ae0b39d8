"""Commands that answer a designer's questions, one study each."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli.command import DONE, FAILED, INTERRUPTED, UNDECIDED, app
from balance.cli.options import (
    AccurateOption,
    BudgetOption,
    File,
    JsonOption,
    MetricOption,
    OneVariantOption,
    OutOption,
    QuickOption,
    QuietOption,
    RolloutsOption,
    SeedOption,
    Sets,
    VariantOption,
    WorkersOption,
    conclude,
    load,
    say_cost,
    say_if_compiling,
    showing_progress,
)
from balance.errors import InputError

if TYPE_CHECKING:
    from balance.scenario import Scenario

__all__ = ["check", "compare", "influence", "ladder", "sweep", "tune"]


@app.command()
def compare(
    file: File,
    baseline: Annotated[
        str | None, typer.Option(metavar="NAME", help="The variant to compare with (the first).")
    ] = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Go on until every pair is settled.")
    ] = False,
    equal_within: Annotated[
        float | None,
        typer.Option(
            metavar="D", min=0, max=1, help="Then: no more apart than this is equal (0.01)."
        ),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(metavar="E", min=1e-6, max=0.5, help="Then: chance of any error (0.05)."),
    ] = None,
    rollouts: RolloutsOption = None,
    max_rollouts: BudgetOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Which variants differ? Paired differences on the same seeds."""
    from balance.answers.compare import comparison_answer, decided_answer
    from balance.sequential import ERROR, budget_of
    from balance.simulate import goal_of
    from balance.studies.compare import EQUAL_WITHIN, baseline_of
    from balance.studies.compare import compare as compared
    from balance.studies.compare import compare_until_decided as decided

    if not until_decided:
        for name, given in (
            ("--equal-within", equal_within),
            ("--error", error),
            ("--max-rollouts", max_rollouts),
        ):
            if given is not None:
                raise InputError(f"{name}: only with --until-decided")
    elif baseline is not None:
        raise InputError("--baseline: --until-decided compares every pair; leave it out")
    elif rollouts is not None:
        raise InputError("--rollouts: --until-decided ends by itself; give --max-rollouts")
    scenario = load(
        file,
        sets,
        quick=quick,
        accurate=accurate,
        out=out,
        rollouts=rollouts,
        max_rollouts=max_rollouts,
        seed=seed,
    )
    baseline_of(scenario, baseline)
    run = scenario.run
    goal = budget_of(run) if until_decided else goal_of(run)
    if not quiet:
        say_if_compiling(scenario.game)
        say_cost(scenario, workers, goal, most=until_decided or run.precision is not None)
    with showing_progress(quiet) as report:
        if until_decided:
            settled = decided(
                scenario,
                equal_within=EQUAL_WITHIN if equal_within is None else equal_within,
                error=ERROR if error is None else error,
                workers=workers,
                report=report,
            )
            stopped_by = settled.stopped_by
        else:
            found = compared(scenario, baseline, workers=workers, report=report)
            stopped_by = found.simulation.stopped_by
    if until_decided:
        conclude(out, as_json, settled.json, lambda: decided_answer(settled))
    else:
        conclude(out, as_json, found.json, lambda: comparison_answer(found))
    _end(stopped_by)


@app.command()
def sweep(
    file: File,
    fields: Annotated[
        list[str],
        typer.Argument(metavar="PATH=VALUES..", help="rules.stealth=1:4, or [1, 2]; one or two."),
    ],
    metric: MetricOption = None,
    variant: OneVariantOption = None,
    rollouts: RolloutsOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """What happens if I change this number? A curve, or a map of two."""
    from balance.answers.sweep import sweep_answer
    from balance.axes import parse_axis
    from balance.studies.sweep import metric_of, points_of
    from balance.studies.sweep import sweep as swept

    scenario = load(
        file, sets, quick=quick, accurate=accurate, out=out, rollouts=rollouts, seed=seed
    )
    if variant is not None:
        scenario = scenario.playing([scenario.variant(variant)])
    axes = [parse_axis(text, scenario.variants[0]) for text in fields]
    metric_of(scenario, metric)
    points, _ = points_of(scenario, axes)
    _announce(scenario.playing(points), workers, quiet)
    with showing_progress(quiet) as report:
        found = swept(scenario, axes, metric=metric, workers=workers, report=report)
    conclude(out, as_json, found.json, lambda: sweep_answer(found))
    _end(found.simulation.stopped_by)


@app.command()
def tune(
    file: File,
    field: Annotated[
        str, typer.Argument(metavar="PATH[=VALUES]", help="rules.stealth, or rules.stealth=1:4.")
    ],
    target: Annotated[
        str, typer.Option("--target", metavar="METRIC=VALUE", help="Like win_rate=0.4.")
    ],
    variant: VariantOption = None,
    rollouts: RolloutsOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """To what do I turn it? The value that meets a target."""
    from balance.answers.tune import tune_answer
    from balance.axes import parse_axis
    from balance.studies.tune import SEARCHED, parse_target, tries_all
    from balance.studies.tune import tune as tuned

    scenario = load(
        file, sets, quick=quick, accurate=accurate, out=out, rollouts=rollouts, seed=seed
    )
    chosen = scenario.variants[0] if variant is None else scenario.variant(variant)
    axis, wanted = parse_axis(field, chosen), parse_target(target, scenario)
    times = len(axis.values) if tries_all(axis) else SEARCHED
    _announce(scenario.playing([chosen]), workers, quiet, times)
    with showing_progress(quiet) as report:
        found = tuned(scenario, chosen, axis, wanted, workers=workers, report=report)
    conclude(out, as_json, found.json, lambda: tune_answer(found))
    _end(found.simulation.stopped_by)


@app.command()
def influence(
    file: File,
    metric: MetricOption = None,
    variant: VariantOption = None,
    rollouts: RolloutsOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Which rule matters? Each a step up and down, or flipped."""
    from balance.answers.influence import influence_answer
    from balance.studies.influence import column_of, steps_of
    from balance.studies.influence import influence as influences

    scenario = load(
        file, sets, quick=quick, accurate=accurate, out=out, rollouts=rollouts, seed=seed
    )
    chosen = scenario.variants[0] if variant is None else scenario.variant(variant)
    column_of(scenario, chosen, metric)
    steps, _ = steps_of(scenario, chosen)
    _announce(scenario.playing([chosen, *(changed for _, changed in steps)]), workers, quiet)
    with showing_progress(quiet) as report:
        found = influences(scenario, chosen, metric=metric, workers=workers, report=report)
    conclude(out, as_json, found.json, lambda: influence_answer(found))
    _end(found.simulation.stopped_by)


@app.command()
def ladder(
    file: File,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="OPTION", help="What an option is worth: play without it (or all)."),
    ] = None,
    policies: Annotated[
        str | None, typer.Option(metavar="A,B,..", help="The policies to climb (all fast ones).")
    ] = None,
    variant: OneVariantOption = None,
    rollouts: RolloutsOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """How much does play matter? From random to the best."""
    from balance.answers.ladder import ladder_answer
    from balance.studies.ladder import ladder as climbed
    from balance.studies.ladder import ladder_scenario, options_of, rungs_of

    if without and policies is not None:
        raise InputError("--without and --policies: give one of the two")
    scenario = load(
        file, sets, quick=quick, accurate=accurate, out=out, rollouts=rollouts, seed=seed
    )
    if variant is not None:
        scenario = scenario.playing([scenario.variant(variant)])
    chosen = None if policies is None else [name.strip() for name in policies.split(",")]
    options = list(options_of(scenario)) if without == ["all"] else without or []
    rungs = rungs_of(scenario, chosen, options)
    _announce(ladder_scenario(scenario, rungs), workers, quiet)
    with showing_progress(quiet) as report:
        found = climbed(scenario, rungs, workers=workers, report=report)
    conclude(out, as_json, found.json, lambda: ladder_answer(found))
    _end(found.simulation.stopped_by)


@app.command()
def check(
    file: File,
    error: Annotated[
        float | None,
        typer.Option(metavar="E", min=1e-6, max=0.5, help="Chance of any wrong verdict (0.05)."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="XML", help="Write the verdicts as JUnit XML, for CI.")
    ] = None,
    max_rollouts: BudgetOption = None,
    quick: QuickOption = False,
    accurate: AccurateOption = False,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    sets: Sets = None,
    out: OutOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Did my last edit break it? Test the scenario's targets.

    Ends with 0 if every target is met, 1 if one is not, 3 if the budget ended undecided.
    """
    from balance.answers.check import check_answer, junit_xml
    from balance.files import check_file, write_file
    from balance.sequential import ERROR, budget_of
    from balance.studies.check import check as checked
    from balance.studies.check import targeted

    scenario = load(
        file, sets, quick=quick, accurate=accurate, out=out, max_rollouts=max_rollouts, seed=seed
    )
    played = targeted(scenario)
    if junit is not None:
        check_file(junit, "--junit")
    if not quiet:
        say_if_compiling(scenario.game)
        say_cost(played, workers, budget_of(scenario.run), most=True)
    with showing_progress(quiet) as report:
        found = checked(
            scenario, error=ERROR if error is None else error, workers=workers, report=report
        )
    if junit is not None:
        write_file(junit, junit_xml(found), "--junit")
    conclude(out, as_json, found.json, lambda: check_answer(found))
    if found.stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit({"pass": DONE, "fail": FAILED, "undecided": UNDECIDED}[found.verdict])


def _end(stopped_by: str) -> None:
    """End with the code of an interrupted or undecided study."""
    if stopped_by == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if stopped_by == "max_rollouts":
        raise typer.Exit(UNDECIDED)


def _announce(scenario: "Scenario", workers: int | None, quiet: bool, times: float = 1.0) -> None:
    """Say on stderr that a game is compiled, and what a long run will cost."""
    from balance.simulate import goal_of

    if not quiet:
        say_if_compiling(scenario.game)
        most = scenario.run.precision is not None
        say_cost(scenario, workers, goal_of(scenario.run), times=times, most=most)
