"""How influences are shown."""

from functools import partial
from typing import TYPE_CHECKING

from balance.answers.answer import Answer, Chart
from balance.answers.fields import change_fields, change_text, estimate_text, word_field
from balance.headline import lowered
from balance.report import stopping_words
from balance.results import describe_policies
from balance.studies.influence import Influence

if TYPE_CHECKING:
    import pandas as pd

    from reports.grid import Grid

__all__ = ["influence_answer"]

MOST_BARS = 15
FEW = 4


def influence_answer(found: Influence) -> Answer:
    """What `influence` says."""
    from reports.study_charts import tornado_chart

    what = lowered(found.metric.label)
    is_rate = found.metric.kind == "rate"
    table = found.table
    bars = _bars(table)
    rows = bars["field"].nunique()
    chart = Chart(
        f"What moves the {what} of {found.variant.name}",
        partial(tornado_chart, what=what, is_rate=is_rate),
        bars,
        1.7 + 0.42 * max(rows, 1),
    )
    return Answer(
        f"what moves the {what} of {found.variant.name}",
        found.scenario.playing([found.variant]),
        stopping_words(found.simulation),
        _verdicts(found, what),
        {"effects": _grid(found, table)},
        {"tornado": chart} if rows else {},
        {"steps": table},
        found.json(),
    )


def _bars(table: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of the fields with the widest effects, those of a field together."""
    shown = table[table["estimate"].notna()]
    shown = shown.assign(field=shown["field"].str.removeprefix("rules."))
    order = list(dict.fromkeys(shown["field"]))[:MOST_BARS]
    kept = shown[shown["field"].isin(order)]
    rank = kept["field"].map(order.index)
    return kept.assign(rank=rank).sort_values(["rank", "side"], kind="stable")


def _grid(found: Influence, table: "pd.DataFrame") -> "Grid":
    from reports.grid import Field, Grid

    kind = found.metric.kind
    shown = table[table["established"]]
    tied = len(table) - len(shown)
    shown = shown if len(shown) else table.head(FEW)
    fields = [
        word_field("field", "field"),
        word_field("turned", "change", folded=True),
        Field("gives", lambda row: estimate_text(row["gives"], kind)),
        *change_fields(shown, kind),
    ]
    return Grid("", shown, fields, _note(found, tied))


def _note(found: Influence, tied: int) -> str:
    tally = found.simulation.tallies.variants[0]
    note = f"policy: {describe_policies(found.variant)}"
    if tied and tally.rollouts:
        note += (
            f"\ntied, no effect established at 5 % (all {len(found.effects)} steps together, "
            f"Holm): {', '.join(_tied_names(found))}"
        )
    if found.left_out:
        said = [f"{step} ({why})" for step, why in found.left_out.items()]
        note += f"\nleft out, not allowed: {'; '.join(said)}"
    return note


def _tied_names(found: Influence) -> list[str]:
    """The fields of which no step is established, and single steps of the others."""
    moved = {effect.step.knob.path for effect in found.effects if effect.established}
    names = [
        f"{effect.step.knob.path} {effect.step.change}"
        if effect.step.knob.path in moved
        else effect.step.knob.path
        for effect in found.effects
        if not effect.established
    ]
    return list(dict.fromkeys(name.removeprefix("rules.") for name in names))


def _verdicts(found: Influence, what: str) -> list[str]:
    if found.simulation.tallies.rollouts == 0:
        return ["Stopped before anything was simulated."]
    established = [effect for effect in found.effects if effect.established]
    if not established:
        return [f"no step of {len(found.effects)} is established to move the {what}"]
    first, kind = established[0], found.metric.kind
    change, low, high = (change_text(end, kind) for end in (first.estimate, first.low, first.high))
    unit = " points" if kind == "rate" else ""
    lines = [
        f"the widest change seen: {first.step.knob.path} {first.step.change} moves it by "
        f"{change}{unit} ({low} .. {high}), from {estimate_text(found.metric.estimate.value, kind)}"
        f" to {estimate_text(first.gives, kind)}"
    ]
    for way, words in ((1, "up"), (-1, "down")):
        best = [e for e in established if e.estimate is not None and e.estimate * way > 0][:FEW]
        if best:
            said = ", ".join(f"{e.step.knob.path} {e.step.change}" for e in best)
            lines.append(f"{words}: {said}")
    return lines
