"""How comparisons are shown."""

from functools import partial
from itertools import combinations
from typing import Any

from balance.answers.answer import Answer, Chart
from balance.answers.fields import headline_fields, interval_field, points_fields, word_field
from balance.answers.looks import error_words, looks_words
from balance.headline import headline_label
from balance.report import stopping_words
from balance.studies.compare import Comparison, Decided, Pair

__all__ = ["comparison_answer", "decided_answer"]

FEW_PAIRS = 6
VERDICTS = {
    "higher": "higher",
    "lower": "lower",
    "equal": "equal within ±{margin:g}",
    "undecided": "undecided",
}


def comparison_answer(found: Comparison) -> Answer:
    """What `compare` says."""
    import pandas as pd

    from reports.charts import difference_chart, headline_chart
    from reports.grid import Field, Grid
    from reports.tables import point_digits

    scenario = found.simulation.scenario
    what = headline_label(scenario.game)
    headlines, differences = found.headlines, found.differences
    digits = point_digits(differences, "low", "high")
    ties = word_field(
        "tied",
        "ties",
        "variants that share a letter are not told apart (all pairs together, Holm, 5 %)",
    )
    grids = {
        "headlines": Grid(
            "",
            headlines,
            [
                word_field("variant", "variant"),
                *headline_fields(what),
                ties,
                word_field("policy", "policies"),
            ],
        ),
        "differences": Grid(
            "",
            differences,
            [
                word_field(f"against {found.baseline}", "variant"),
                *points_fields(digits),
                Field(
                    "pairing",
                    lambda row: "" if pd.isna(row["factor"]) else f"{row['factor']:.2f}",
                    "how many times fewer rollouts this took than runs on different seeds",
                ),
                Field(
                    "",
                    lambda row: "" if row["established"] else "tied",
                    "tied: no difference is established at 5 %, all rows together (Holm)",
                    right=False,
                ),
                word_field("what it changes", "changes", folded=True),
            ],
        ),
    }
    rows = len(headlines)
    difference = partial(difference_chart, what=f"{what} less that of {found.baseline}")
    charts = {
        "differences": Chart(
            f"Every variant against {found.baseline}, on the same rollouts",
            difference,
            differences,
            1.4 + 0.42 * (rows - 1),
        ),
        "headlines": Chart(
            what.capitalize(), partial(headline_chart, what=what), headlines, 1.4 + 0.42 * rows
        ),
    }
    return Answer(
        f"against {found.baseline}",
        scenario,
        stopping_words(found.simulation),
        _verdicts(found, what),
        grids,
        charts,
        {"metrics": found.metrics},
        found.json(),
    )


def _verdicts(found: Comparison, what: str) -> list[str]:
    rows = found.differences.to_dict("records")
    lines = []
    for way, side in ((1, "higher"), (-1, "lower")):
        names = [
            str(row["variant"])
            for row in sorted(rows, key=lambda row: -abs(row["estimate"] or 0.0))
            if row["established"] and row["estimate"] * way > 0
        ]
        if names:
            lines.append(f"{what} {side} than {found.baseline}, established: {', '.join(names)}")
    tied = [str(row["variant"]) for row in rows if not row["established"]]
    if tied:
        lines.append(f"tied with {found.baseline} so far: {', '.join(tied)}")
    pairs = [
        f"{a['variant']} and {b['variant']}"
        for a, b in combinations(found.headlines.to_dict("records"), 2)
        if set(a["ties"]) & set(b["ties"]) and found.baseline not in (a["variant"], b["variant"])
    ]
    if pairs:
        few = len(pairs) <= FEW_PAIRS
        told = ", ".join(pairs) if few else f"{len(pairs)} pairs (they share a letter)"
        lines.append(f"tied with each other so far: {told}")
    elif not tied:
        lines.append("no two variants are tied (all pairs together, Holm, 5 %)")
    return lines


def decided_answer(found: Decided) -> Answer:
    """What `compare --until-decided` says."""
    from reports.grid import Field, Grid
    from reports.tables import point_digits, points

    scenario = found.scenario
    what = headline_label(scenario.game)
    table = found.table
    digits = point_digits(table, "low", "high")
    margin = 100 * found.equal_within
    grids = {
        "headlines": Grid(
            "",
            found.headlines,
            [
                word_field("variant", "variant"),
                *headline_fields(what),
                Field("rollouts", lambda row: f"{row['n']:,}", "fewer where all was settled early"),
                word_field("policy", "policies"),
            ],
        ),
        "pairs": Grid(
            "",
            table,
            [
                Field(
                    "pair",
                    lambda row: f"{row['first']}, {row['second']}",
                    "the first one's headline less the second one's",
                    right=False,
                ),
                Field("points", lambda row: points(row["estimate"], digits)),
                interval_field(
                    "holding interval",
                    digits,
                    "it holds for all pairs and looks together",
                ),
                Field("rollouts", lambda row: f"{row['rollouts']:,}"),
                Field(
                    "the first is",
                    lambda row: VERDICTS[row["verdict"]].format(margin=margin),
                    right=False,
                ),
            ],
        ),
    }
    return Answer(
        "until decided",
        scenario,
        looks_words(found.stopped_by, found.tallies, "every pair decided"),
        [*_order(found, what), _error_words(found)],
        grids,
        json=found.json(),
    )


def _order(found: Decided, what: str) -> list[str]:
    """The order from the highest headline down as far as it is established, and what is not."""
    told: dict[str, list[Pair]] = {verdict: [] for verdict in VERDICTS}
    for pair in found.pairs:
        told[pair.verdict].append(pair)
    if not told["equal"] and not told["undecided"]:
        rank: dict[Any, int] = {variant.name: 0 for variant in found.scenario.variants}
        for pair in found.pairs:
            rank[pair.first if pair.verdict == "higher" else pair.second] += 1
        order = sorted(rank, key=lambda name: -rank[name])
        return [f"{what}, from the highest down: {' > '.join(order)}"]
    lines = []
    for pair in told["higher"] + told["lower"]:
        high, low = pair.first, pair.second
        if pair.verdict == "lower":
            high, low = low, high
        lines.append(f"{high} > {low}")
    said = [f"told apart: {', '.join(lines)}"] if 0 < len(lines) <= FEW_PAIRS else []
    if len(lines) > FEW_PAIRS:
        said = [f"told apart: {len(lines)} pairs"]
    for verdict, words in (
        ("equal", f"equal within ±{100 * found.equal_within:g} points"),
        ("undecided", "undecided"),
    ):
        if told[verdict]:
            few = len(told[verdict]) <= FEW_PAIRS
            pairs = ", ".join(f"{p.first} and {p.second}" for p in told[verdict])
            said.append(f"{words}: {pairs if few else f'{len(told[verdict])} pairs'}")
    return said


def _error_words(found: Decided) -> str:
    one = len(found.pairs) == 1
    which = "this verdict" if one else f"any of these {len(found.pairs)} verdicts"
    return error_words(found.spending, which)
