"""The JSON schema that ships for editors."""

import json
from pathlib import Path

from balance.games import load_game
from balance.schema import field_rows, scenario_schema

SHIPPED = Path(__file__).parents[2] / "scenarios" / "schema.json"


def test_the_shipped_schema_is_what_the_command_prints() -> None:
    assert json.loads(SHIPPED.read_text("utf-8")) == scenario_schema()


def test_every_rule_and_knob_has_a_meaning() -> None:
    game = load_game("burgle")
    for model in (game.rules, *game.policies.values()):
        for row in field_rows(model):
            assert row.meaning, f"{model.__name__}.{row.name} has no description"


def test_rules_show_default_and_bounds() -> None:
    rows = {row.name: row for row in field_rows(load_game("burgle").rules)}
    assert (rows["stealth"].default, rows["stealth"].bounds) == ("2", "0 .. 99")
    assert rows["crack"].default == "{flush: 5}"
