"""How checks are shown: as a table, and as JUnit XML for CI."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from balance.answers.answer import Answer
from balance.answers.fields import estimate_text, word_field
from balance.answers.looks import error_words, looks_words
from balance.studies.check import Checked

__all__ = ["check_answer", "junit_xml"]

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WORDS = {
    "pass": "all targets are met",
    "fail": "not all targets are met",
    "undecided": "some targets are undecided: the budget ended first",
}


def check_answer(found: Checked) -> Answer:
    """What `check` says."""
    from reports.grid import Field, Grid

    grid = Grid(
        "",
        found.table,
        [
            word_field("variant", "variant"),
            word_field("metric", "metric"),
            Field("target", _target, unbroken=True),
            Field("found", lambda row: estimate_text(row["estimate"], row["kind"])),
            Field(
                "holding interval",
                lambda row: f"{_end(row['low'], row)} .. {_end(row['high'], row)}",
                "it holds for all targets and looks together",
                unbroken=True,
            ),
            Field("rollouts", lambda row: f"{row['rollouts']:,}"),
            word_field("", "verdict"),
        ],
    )
    return Answer(
        "check of its targets",
        found.scenario,
        looks_words(found.stopped_by, found.tallies, "decided"),
        _verdicts(found),
        {"targets": grid},
        json=found.json(),
    )


def _end(value: float | None, row: Mapping[Any, Any]) -> str:
    return ".." if value is None or value != value else estimate_text(value, row["kind"])


def _target(row: Mapping[Any, Any]) -> str:
    low, high = (
        None if end is None or end != end else estimate_text(end, row["kind"])
        for end in (row["target_low"], row["target_high"])
    )
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"{low} .. {high}"


def _verdicts(found: Checked) -> list[str]:
    told: Counter[str] = Counter(one.verdict for one in found.outcomes)
    counts = [f"{told[verdict]} {verdict}" for verdict in WORDS if told[verdict]]
    players = sorted({one.policies for one in found.outcomes})
    words = WORDS[found.verdict]
    if found.stopped_by == "interrupted" and found.verdict == "undecided":
        words = "some targets are undecided"
    return [
        f"{words} ({', '.join(counts)}); policy: {', '.join(players)}",
        _error_words(found),
    ]


def _error_words(found: Checked) -> str:
    words = error_words(found.spending, "any verdict on any target")
    assumed = sorted({one.metric.name for one in found.outcomes if one.assumes_span})
    if assumed:
        words += f", if no value of {', '.join(assumed)} lies outside of the span seen"
    return words


def junit_xml(found: Checked) -> str:
    """The check as JUnit XML: one test case per target; what is undecided is an error."""
    failures = sum(one.verdict == "fail" for one in found.outcomes)
    errors = sum(one.verdict == "undecided" for one in found.outcomes)
    counts = {"tests": len(found.outcomes), "failures": failures, "errors": errors}
    attributes = {name: str(count) for name, count in counts.items()}
    suites = ElementTree.Element("testsuites", attributes)
    suite = ElementTree.SubElement(
        suites, "testsuite", {"name": found.scenario.name, **attributes, "skipped": "0"}
    )
    for row in found.rows():
        case = ElementTree.SubElement(
            suite,
            "testcase",
            {"classname": f"{found.scenario.name}.{row['variant']}", "name": row["metric"]},
        )
        said = (
            f"target {_target(row)}, found {estimate_text(row['estimate'], row['kind'])} "
            f"({_end(row['low'], row)} .. {_end(row['high'], row)}) of {row['rollouts']:,} "
            f"rollouts, policy {row['policies']}"
        )
        if row["verdict"] == "fail":
            ElementTree.SubElement(case, "failure", {"type": "target", "message": said})
        elif row["verdict"] == "undecided":
            ElementTree.SubElement(case, "error", {"type": "undecided", "message": said})
        else:
            ElementTree.SubElement(case, "system-out").text = said
    ElementTree.indent(suites)
    text = NO_XML.sub("\ufffd", ElementTree.tostring(suites, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
