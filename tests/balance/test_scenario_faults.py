"""One line for every fault of a scenario file."""

from pathlib import Path

import pytest

from balance.errors import InputError
from balance.scenario import load_scenario
from tests.balance.scenario_files import BASE, SHIPPED, Files


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            BASE + "rule: {}",
            "s.yaml:4: unknown key rule (did you mean rules?); allowed: name, game",
        ),
        (BASE + "X-a: 1", "s.yaml:4: unknown key X-a"),
        ("", "s.yaml: is empty"),
        ("- a", "s.yaml:1: a scenario is a mapping of keys to values (got [a])"),
        ("5", "s.yaml:1: a scenario is a mapping of keys to values (got 5)"),
        ("name: x", "s.yaml:1: game is missing; write game: and one of: bank, burgle, vault"),
        (
            "game: burgel",
            "s.yaml:1: game: must be one of: bank, burgle, vault (got burgel) (did you mean",
        ),
        ("game: 5", "s.yaml:1: game: must be one of: bank, burgle, vault (got 5)"),
        ("game: [a]", "s.yaml:1: game: must be one of: bank, burgle, vault (got [a])"),
        (BASE + "name: 5", "s.yaml:4: name: must be a name in words (got 5)"),
        (BASE + "name: ' '", 's.yaml:4: name: must be a name in words (got " ")'),
        (BASE + 'name: "a\\nb"', "s.yaml:4: name: must be a name in words"),
        (BASE + 'name: "a\\e[31m"', "s.yaml:4: name: must be a name in words"),
        (BASE + 'variants: {"a\\eb": {}}', "s.yaml:4: variants.a"),
        (BASE + "variants: {'': {}}", "s.yaml:4: variants.: a variant needs a name"),
        (BASE + "variants: {}", "s.yaml:4: variants: must name at least one variant"),
        (
            BASE + "variants: [a]",
            "s.yaml:4: variants: must be a mapping of keys to values (got [a])",
        ),
        (BASE + "variants: {a: 3}", "s.yaml:4: variants.a: must be a mapping"),
        (BASE + "variants: {a: {rules: 3}}", "s.yaml:4: variants.a.rules: must be a mapping"),
        (BASE + "variants: {a: {policies: 3}}", "s.yaml:4: variants.a.policies: must be a mapping"),
        (
            BASE + "variants:\n  a:\n    rule: {}",
            "s.yaml:6: variants.a.rule: unknown key (did you mean rules?); a variant may change",
        ),
        (
            BASE + "variants:\n  a: {}\n  b: {}\n  a: {}",
            "s.yaml:7: the key a is here a second time (first in line 5)",
        ),
        (
            BASE + "variants:\n  a: {rules: {stealt: 3}}",
            "s.yaml:5: variants.a.rules.stealt: unknown key (did you mean stealth?); allowed: ",
        ),
        (
            BASE + "variants:\n  a: {policies: {all: {bail_a: 3}}}",
            "s.yaml:5: variants.a.policies.all.bail_a: unknown key (did you mean bail_at?)",
        ),
        (BASE + "run: {rollouts: 0}", "s.yaml:4: run.rollouts: must be 1 or more (got 0)"),
        (BASE + "run: {rollouts: 1e13}", "s.yaml:4: run.rollouts: must be 1000000000000 or less"),
        (BASE + "run: {rollouts: 1e30}", "s.yaml:4: run.rollouts: must be 1000000000000 or less"),
        (BASE + "run: {rollouts: 1.5}", "s.yaml:4: run.rollouts: must be a whole number (got 1.5)"),
        (
            BASE + "run: {rollouts: many}",
            "s.yaml:4: run.rollouts: must be a whole number (got many)",
        ),
        (
            BASE + "run: {rollouts: true}",
            "s.yaml:4: run.rollouts: must be a whole number (got true)",
        ),
        (BASE + "run: {rollouts: '9'}", 's.yaml:4: run.rollouts: must be a whole number (got "9")'),
        (
            BASE + "run: {rollouts: 1e999}",
            "s.yaml:4: run.rollouts: must be a whole number (got inf)",
        ),
        (BASE + "run: {precision: 0}", "s.yaml:4: run.precision: must be more than 0 (got 0)"),
        (
            BASE + "run: {precision: 0.5}",
            "s.yaml:4: run.precision: must be less than 0.5 (got 0.5)",
        ),
        (BASE + "run: {precision: .nan}", "s.yaml:4: run.precision: must be a number (got .nan)"),
        (
            BASE + "run: {precision: 0.1, rollouts: 5}",
            "s.yaml:4: run: give rollouts or precision, not both",
        ),
        (BASE + "run: {seed: -1}", "s.yaml:4: run.seed: must be 0 or more (got -1)"),
        (
            BASE + "run: {seed: 18446744073709551616}",
            "s.yaml:4: run.seed: must be 18446744073709551615 or less (got 18446744073709551616)",
        ),
        (BASE + "run: {sed: 1}", "s.yaml:4: run.sed: unknown key (did you mean seed?); allowed: "),
        (BASE + "run: 5", "s.yaml:4: run: must be a mapping of keys to values (got 5)"),
        (
            BASE + "targets: {bas: {win_rate: [0, 1]}}",
            "s.yaml:4: targets.bas: there is no such variant (did you mean base?); has: base",
        ),
        (
            BASE + "targets: {base: {winrate: [0, 1]}}",
            "s.yaml:4: targets.base.winrate: unknown metric (did you mean win_rate?); has: win",
        ),
        (
            BASE + "targets: {base: {win_rate: [1, 0]}}",
            "s.yaml:4: targets.base.win_rate: must be [lowest, highest], null where there is no "
            "such end (got [1, 0])",
        ),
        (BASE + "targets: {base: {win_rate: 0.5}}", "s.yaml:4: targets.base.win_rate: must be ["),
        (BASE + "targets: {base: {win_rate: [0, 1e999]}}", "s.yaml:4: targets.base.win_rate: must"),
        (BASE + "targets: {base: {win_rate: [no, 1]}}", "s.yaml:4: targets.base.win_rate: must"),
        (BASE + "targets: {base: {win_rate: [true, 1]}}", "s.yaml:4: targets.base.win_rate: must"),
        (BASE + "targets: [base]", "s.yaml:4: targets: must be a mapping"),
    ],
)
def test_a_fault_has_its_line_and_what_is_allowed(files: Files, text: str, message: str) -> None:
    assert files.fault(text).startswith(message)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("stealt: 1", "rules.stealt: unknown key (did you mean stealth?); allowed: players, "),
        ("stealth: true", "rules.stealth: must be a whole number (got true)"),
        ("stealth: 1.5", "rules.stealth: must be a whole number (got 1.5)"),
        ("stealth: '1'", 'rules.stealth: must be a whole number (got "1")'),
        ("stealth: one", "rules.stealth: must be a whole number (got one)"),
        ("stealth: ", "rules.stealth: must be a whole number (got null)"),
        ("stealth: [1]", "rules.stealth: must be a whole number (got [1])"),
        ("stealth: -1", "rules.stealth: must be 0 or more (got -1)"),
        ("stealth: 100", "rules.stealth: must be 99 or less (got 100)"),
        ("trading: NO", "rules.trading: must be true or false (got NO)"),
        ("trading: 0", "rules.trading: must be true or false (got 0)"),
        ("trading: 'true'", 'rules.trading: must be true or false (got "true")'),
        ("peek_totals: 5", "rules.peek_totals: must be a list, like [1, 2] (got 5)"),
        ("peek_totals: [5, 99]", "rules.peek_totals.1: must be 62 or less (got 99)"),
        ("peek_totals: [5, x]", "rules.peek_totals.1: must be a whole number (got x)"),
        ("crack: {flus: 3}", "rules.crack: must be {flush: n} or {straight_flush: n} (got flus)"),
        ("crack: {flush: 1.5}", "rules.crack: flush must be a whole number from 1 to 11 (got 1.5)"),
        ("crack: {}", "rules.crack: must be {flush: n} or {straight_flush: n}, one of the two"),
        ("crack: 5", "rules.crack: must be {flush: n} or {straight_flush: n}, one of the two"),
        ("characters: [Hawk]", "rules.characters: Hawk is none of hawk, acrobat"),
        ("tools: [Rope]", "rules.tools: Rope is none of crowbar, crystal_ball"),
        ("tools: 5", "rules.tools: must be true, false or a list (got 5)"),
        ("players: 1", "rules.players: must be 2 or more (got 1)"),
        ("players: 5", "rules.players: must be 4 or less (got 5)"),
    ],
)
def test_a_fault_in_the_rules_has_its_line(files: Files, rule: str, message: str) -> None:
    tools = "" if rule.startswith("tools") else "  tools: []\n"
    text = f"game: burgle\nrules:\n{tools}\n  {rule}\npolicies: {{all: {{name: simple}}}}"
    line = 4 if not tools else 5
    assert files.fault(text).startswith(f"s.yaml:{line}: {message}")


def test_the_same_faults_in_a_variant_name_the_variant(files: Files) -> None:
    text = BASE + "variants:\n  base: {}\n  hard:\n    rules:\n      stealth: -1"
    assert files.fault(text) == (
        "s.yaml:8: variants.hard.rules.stealth: must be 0 or more (got -1)"
    )


def test_rules_that_do_not_fit_together_have_the_line_of_the_rules(files: Files) -> None:
    text = BASE.replace("tools: []", "characters: [hawk]")
    message = "s.yaml:2: rules: characters: 1 for 4 seats; name one for each"
    assert files.fault(text).startswith(message)


def test_without_a_word_on_tools_all_nine_are_in_the_game(files: Files) -> None:
    assert (
        files.load("game: burgle\npolicies: {all: {name: simple}}").variants[0].rules.tools is True
    )


@pytest.mark.parametrize(
    ("policies", "message"),
    [
        ("{}", "s.yaml:3: policies: all is missing: write policies: {all: {name: expert}}"),
        ("{1: {name: simple}}", "s.yaml:3: policies: all is missing"),
        ("{al: {name: simple}}", "s.yaml:3: policies.al: must be all or a seat from 1 to 4 (did"),
        ("{all: {name: simple}, 5: {name: simple}}", "s.yaml:3: policies.5: must be all or a seat"),
        ("{all: {name: simple}, 0: {name: simple}}", "s.yaml:3: policies.0: must be all or a seat"),
        ("{all: simple}", "s.yaml:3: policies.all: must be a mapping: write {name: simple}"),
        ("{all: 5}", "s.yaml:3: policies.all: must be a mapping of keys to values (got 5)"),
        ("{all: }", "s.yaml:3: policies.all.name: name is missing; has: random, simple, expert"),
        (
            "{all: {name: exprt}}",
            "s.yaml:3: policies.all.name: there is no policy exprt (did you mean expert?); has: ",
        ),
        ("{all: {name: 5}}", "s.yaml:3: policies.all.name: there is no policy 5"),
        (
            "{all: {name: simple, bail: 3}}",
            "s.yaml:3: policies.all.bail: unknown key (did you mean",
        ),
        (
            "{all: {name: random, bail_at: 3}}",
            "s.yaml:3: policies.all.bail_at: unknown key; allowed",
        ),
        (
            "{all: {name: simple, bail_at: true}}",
            "s.yaml:3: policies.all.bail_at: must be a number",
        ),
        (
            "{all: {name: simple, mistakes: 2}}",
            "s.yaml:3: policies.all.mistakes: must be 1 or less",
        ),
        ("{all: {file: 3}}", "s.yaml:3: policies.all.file: must be a file name (got 3)"),
        ("simple", "s.yaml:3: policies: must be a mapping of keys to values (got simple)"),
    ],
)
def test_a_fault_in_the_policies_has_its_line(files: Files, policies: str, message: str) -> None:
    text = f"game: burgle\nrules: {{tools: []}}\npolicies: {policies}"
    assert files.fault(text).startswith(message)


def test_a_knob_of_the_file_is_blamed_on_the_file_and_not_on_the_variant(files: Files) -> None:
    text = (
        "game: burgle\nrules: {tools: []}\npolicies:\n  all:\n    name: simple\n    bail: 3\n"
        "variants: {a: {policies: {all: {peek: 3}}}}"
    )
    assert files.fault(text).startswith("s.yaml:6: policies.all.bail: unknown key")


def test_a_missing_file_and_a_folder_are_faults(files: Files, tmp_path: Path) -> None:
    files.write(BASE)
    with pytest.raises(InputError, match=r"there is no such file \(did you mean s.yaml\?\)"):
        load_scenario(tmp_path / "ss.yaml")
    with pytest.raises(InputError, match="is a folder; name a scenario file"):
        load_scenario(tmp_path)


def test_asking_for_another_variant_names_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no variant bnak \(did you mean bank\?\); it has: base"):
        load_scenario(SHIPPED).variant("bnak")
