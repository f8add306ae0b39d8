"""Scenario files: what is merged over what, and one line for every fault."""

from pathlib import Path
from typing import Any

import pytest

from balance.errors import InputError
from balance.scenario import Scenario, load_scenario, metric_names
from tests.balance.scenario_files import BASE, SHIPPED, Files


def rules(scenario: Scenario, variant: str = "base") -> Any:
    return scenario.variant(variant).rules


def players(scenario: Scenario, variant: str = "base") -> Any:
    return scenario.variant(variant).policies


# what is loaded


def test_the_shipped_scenario_has_five_variants() -> None:
    scenario = load_scenario(SHIPPED)
    assert scenario.name == "Advanced Missions"
    assert [variant.name for variant in scenario.variants] == [
        *("base", "bank", "penthouse", "casino", "legendary")
    ]
    assert (scenario.run.rollouts, scenario.run.seed) == (100_000, 1)
    assert rules(scenario, "legendary").stealth == 1
    assert rules(scenario, "casino").crack.straight_flush == 4
    assert [policy.name for policy in players(scenario)] == ["expert"] * 4


def test_without_variants_there_is_one_named_base(files: Files) -> None:
    scenario = files.load(BASE)
    assert [variant.name for variant in scenario.variants] == ["base"]
    assert scenario.name == "s"
    assert scenario.run.rollouts is None
    assert scenario.run.seed == 1


def test_names_of_variants_are_kept_as_written(files: Files) -> None:
    scenario = files.load(BASE + "variants: {1.10: {}, 010: {}, no: , on: {rules: {burn: 1}}}")
    assert [variant.name for variant in scenario.variants] == ["1.10", "010", "no", "on"]


def test_shared_blocks_are_free(files: Files) -> None:
    text = BASE + "x-hard: &hard {rules: {burn: 2}}\nvariants: {a: *hard, b: {<<: *hard}}"
    scenario = files.load(text)
    assert rules(scenario, "a").burn == rules(scenario, "b").burn == 2


def test_empty_sections_are_fine(files: Files) -> None:
    scenario = files.load(BASE + "variants: {a: {rules: , policies: }}\nrun:\ntargets:\n")
    assert rules(scenario, "a").burn == 0


def test_numbers_may_be_written_in_other_ways(files: Files) -> None:
    text = BASE + "run: {rollouts: 1e6, max_rollouts: 2_000_000}"
    assert files.load(text).run.rollouts == 1_000_000
    assert isinstance(files.load(text).run.rollouts, int)


@pytest.mark.parametrize("seed", ["0", "18446744073709551615", "1e3", "0x10"])
def test_seeds_are_kept_exactly(files: Files, seed: str) -> None:
    assert files.load(BASE + f"run: {{seed: {seed}}}").run.seed == (
        int(float(seed)) if "e" in seed else int(seed, 0)
    )


def test_targets_are_bounds_of_metrics(files: Files) -> None:
    scenario = files.load(BASE + "targets: {base: {win_rate: [0.3, 0.6], rounds: [5, 9]}}")
    assert scenario.targets == {"base": {"win_rate": (0.3, 0.6), "rounds": (5.0, 9.0)}}


def test_a_level_column_has_one_metric_per_level(files: Files) -> None:
    names = metric_names(files.load(BASE).game)
    assert {"win_rate", "lost_to.alarm", "stealth_left.4"} <= set(names)
    assert not {"won", "lost_to"} & set(names)


# variants


def test_a_variant_changes_only_what_it_says(files: Files) -> None:
    scenario = files.load(
        "game: burgle\nrules: {tools: [], stealth: 3, burn: 1}\npolicies: {all: {name: simple}}\n"
        "variants: {base: {}, more: {rules: {stealth: 5}}}"
    )
    assert (rules(scenario).stealth, rules(scenario).burn) == (3, 1)
    assert (rules(scenario, "more").stealth, rules(scenario, "more").burn) == (5, 1)
    assert scenario.variant("more").changes == {"rules": {"stealth": 5}}


def test_a_crack_is_replaced_whole(files: Files) -> None:
    scenario = files.load(
        "game: burgle\nrules: {tools: [], crack: {flush: 4}}\npolicies: {all: {name: simple}}\n"
        "variants: {base: {}, run: {rules: {crack: {straight_flush: 3}}}}"
    )
    assert rules(scenario).crack.model_dump() == {"flush": 4}
    assert rules(scenario, "run").crack.model_dump() == {"straight_flush": 3}


def test_a_list_is_replaced_whole(files: Files) -> None:
    scenario = files.load(BASE + "variants: {few: {rules: {peek_totals: [7]}}}")
    assert rules(scenario, "few").peek_totals == [7]


def test_a_player_keeps_the_knobs_until_renamed(files: Files) -> None:
    scenario = files.load(
        "game: burgle\nrules: {tools: []}\n"
        "policies: {all: {name: simple, bail_at: 9, mistakes: 0.5}}\n"
        "variants:\n"
        "  knob: {policies: {all: {peek: 1}}}\n"
        "  same: {policies: {all: {name: simple, peek: 1}}}\n"
        "  other: {policies: {all: {name: expert}}}\n"
    )
    for name in ("knob", "same"):
        (player, *_) = players(scenario, name)
        assert (player.bail_at, player.peek, player.mistakes) == (9, 1, 0.5)
    (player, *_) = players(scenario, "other")
    assert (player.name, player.mistakes) == ("expert", 0)


def test_a_seat_has_its_own_player(files: Files) -> None:
    scenario = files.load(
        "game: burgle\nrules: {tools: []}\npolicies: {all: {name: simple}, 2: {name: random}}\n"
        "variants: {base: {}, v: {policies: {3: {name: expert}, all: {name: random}}}}"
    )
    assert [p.name for p in players(scenario)] == ["simple", "random", "simple", "simple"]
    assert [p.name for p in players(scenario, "v")] == ["random", "random", "expert", "random"]


# extends


def test_a_file_may_extend_another(files: Files) -> None:
    files.write(BASE + "name: Parent\nrun: {rollouts: 10, seed: 7}\n", "folder/parent.yaml")
    scenario = files.load(
        "extends: folder/parent.yaml\nrules: {burn: 1}\nrun: {seed: 8}\n"
        "policies: {all: {bail_at: 9}}"
    )
    assert scenario.name == "Parent"
    assert (scenario.run.rollouts, scenario.run.seed) == (10, 8)
    assert rules(scenario).burn == 1
    assert (players(scenario)[0].name, players(scenario)[0].bail_at) == ("simple", 9)


def test_variants_of_both_files_are_merged(files: Files) -> None:
    files.write(
        BASE + "variants: {a: , b: {rules: {burn: 1, stealth: 4}}, c: {rules: }, d: {rules: "
        "{crack: {flush: 3}}}}",
        "p.yaml",
    )
    scenario = files.load(
        "extends: p.yaml\nvariants: {a: {rules: {burn: 5}}, b: {rules: {burn: 2}}, c: {rules: "
        "{burn: 3}}, d: {rules: {crack: {straight_flush: 4}}}, e: {}}"
    )
    assert [variant.name for variant in scenario.variants] == ["a", "b", "c", "d", "e"]
    assert [rules(scenario, name).burn for name in "abcde"] == [5, 2, 3, 0, 0]
    assert rules(scenario, "b").stealth == 4
    assert rules(scenario, "d").crack.model_dump() == {"straight_flush": 4}


def test_a_fault_in_the_extended_file_names_that_file(files: Files) -> None:
    files.write("game: burgle\nrules:\n  tools: []\n  stealt: 3\n", "p.yaml")
    assert files.fault("extends: p.yaml").startswith("p.yaml:4: rules.stealt: unknown key")


def test_what_replaces_a_value_of_the_extended_file_has_its_own_line(files: Files) -> None:
    files.write("game: burgle\nrules:\n  tools: []\n  crack:\n    flush: 4\n", "p.yaml")
    message = files.fault("extends: p.yaml\nrules:\n  crack: {flush: 40}")
    assert message.startswith("s.yaml:3: rules.crack")


@pytest.mark.parametrize("name", ["s.yaml", "./s.yaml", "../x/s.yaml", "folder/back.yaml"])
def test_a_loop_is_a_fault(tmp_path: Path, name: str) -> None:
    files = Files(tmp_path / "x")
    files.write("extends: ../s.yaml", "folder/back.yaml")
    message = files.fault(BASE + f"extends: {name}")
    assert "extends: " in message
    assert message.endswith("leads back to this file")


def test_a_very_long_chain_is_a_fault(files: Files) -> None:
    for number in range(30):
        files.write(f"extends: p{number + 1}.yaml", f"p{number}.yaml")
    assert "more than 10 files" in files.fault("extends: p0.yaml")


@pytest.mark.parametrize("name", ["[]", "3", "null", '"a\\0b"'])
def test_what_is_extended_must_be_a_file_name(files: Files, name: str) -> None:
    assert files.fault(BASE + f"extends: {name}") == (
        "s.yaml:4: extends: must be the name of another scenario file"
    )


def test_a_missing_extended_file_names_the_line_that_wants_it(files: Files) -> None:
    files.write(BASE, "parent.yaml")
    message = files.fault("game: burgle\nextends: parents.yaml")
    assert message == (
        "s.yaml:2: extends: parents.yaml: there is no such file (did you mean parent.yaml?)"
    )


# policy files


def test_a_policy_may_be_a_file_beside_the_scenario(files: Files) -> None:
    files.write("name: simple\nbail_at: 9\npeek: 2\n", "policies/careful.yaml")
    text = "game: burgle\nrules: {tools: []}\n"
    text += "policies: {all: {file: policies/careful.yaml, peek: 5}}\n"
    text += "variants: {base: {}, v: {policies: {all: {bail_at: 1}}}}"
    scenario = files.load(text)
    assert (players(scenario)[0].bail_at, players(scenario)[0].peek) == (9, 5)
    assert players(scenario, "v")[0].bail_at == 1


def test_a_policy_file_of_an_extended_file_lies_beside_that_file(files: Files) -> None:
    files.write("name: simple\nbail_at: 9\n", "folder/careful.yaml")
    parent = "game: burgle\nrules: {tools: []}\npolicies: {all: {file: careful.yaml}}"
    files.write(parent, "folder/p.yaml")
    assert players(files.load("extends: folder/p.yaml"))[0].bail_at == 9


def test_a_policy_file_may_be_set(files: Files) -> None:
    files.write("name: simple\nbail_at: 9\n", "careful.yaml")
    assert players(files.load(BASE, "policies.all.file=careful.yaml"))[0].bail_at == 9


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name: simple\nbail_a: 9\n", "p.yaml:2: bail_a: unknown key (did you mean bail_at?)"),
        ("name: simple\nbail_at: x\n", "p.yaml:2: bail_at: must be a number (got x)"),
        ("name: simpel\n", "p.yaml:1: name: there is no policy simpel (did you mean simple?)"),
        ("bail_at: 3\n", "p.yaml:1: name: name is missing"),
        ("- a\n", "p.yaml: a policy file is a mapping with a name and knobs"),
        ("", "p.yaml: a policy file is a mapping with a name and knobs"),
        ("a: [\n", "s.yaml:3: file: p.yaml:2: this is not YAML"),
    ],
)
def test_a_fault_in_a_policy_file_names_that_file(files: Files, content: str, message: str) -> None:
    files.write(content, "p.yaml")
    text = "game: burgle\nrules: {tools: []}\npolicies: {all: {file: p.yaml}}"
    assert files.fault(text).startswith(message)


def test_a_missing_policy_file_names_the_line_that_wants_it(files: Files) -> None:
    text = "game: burgle\nrules: {tools: []}\npolicies:\n  all: {file: p.yaml}"
    assert files.fault(text).startswith("s.yaml:4: file: p.yaml: there is no such file")


def test_a_fault_beside_the_file_names_the_scenario(files: Files) -> None:
    files.write("name: simple\nbail_at: 9\n", "p.yaml")
    text = "game: burgle\nrules: {tools: []}\npolicies:\n  all: {file: p.yaml, bail_at: x}"
    assert files.fault(text).startswith("s.yaml:4: policies.all.bail_at: must be a number")


# --set


def test_set_changes_every_variant(files: Files) -> None:
    text = (
        BASE
        + "variants: {base: {}, a: {rules: {stealth: 5, crack: {flush: 3}}}, b: , c: {rules: }}"
    )
    scenario = files.load(text, "rules.stealth=7", "rules.crack={straight_flush: 4}")
    for name in ("base", "a", "b", "c"):
        assert rules(scenario, name).stealth == 7
        assert rules(scenario, name).crack.model_dump() == {"straight_flush": 4}


def test_what_is_set_is_no_change_of_the_variant(files: Files) -> None:
    text = BASE + "variants: {base: {}, a: {rules: {stealth: 5, burn: 1}}}"
    scenario = files.load(text, "rules.stealth=7")
    assert scenario.variant("base").changes == {}
    assert scenario.variant("a").changes == {"rules": {"burn": 1}}


@pytest.mark.parametrize(
    ("option", "field", "expected"),
    [
        ("rules.peek_totals=[]", "peek_totals", []),
        ("rules.stealth=1e1", "stealth", 10),
        ("rules.trading=false", "trading", False),
        ("rules={stealth: 4, burn: 1}", "burn", 1),
        ("rules.crack.flush=3", "crack", {"flush": 3}),
        (" rules.stealth =4", "stealth", 4),
    ],
)
def test_what_is_set_is_yaml(files: Files, option: str, field: str, expected: object) -> None:
    assert rules(files.load(BASE, option)).model_dump()[field] == expected


def test_the_last_set_counts(files: Files) -> None:
    assert rules(files.load(BASE, "rules.stealth=3", "rules.stealth=4")).stealth == 4


def test_set_names_another_player_in_every_variant(files: Files) -> None:
    text = (
        "game: burgle\nrules: {tools: []}\npolicies: {all: {name: expert, go_shown: 3}}\n"
        "variants: {base: {}, a: {policies: {all: {mistakes: 0.1}}}, b: {policies: {all: "
        "{name: random}}}, c: {policies: {2: {name: random}}}}"
    )
    scenario = files.load(text, "policies.all.name=simple")
    for name in ("base", "a", "b"):
        assert {(p.name, p.mistakes) for p in players(scenario, name)} == {("simple", 0)}
    assert [p.name for p in players(scenario, "c")] == ["simple", "random", "simple", "simple"]
    scenario = files.load(text, "policies.all.name=expert")
    assert players(scenario, "a")[0].mistakes == 0.1
    assert players(scenario, "a")[0].go_shown == 3


def test_set_of_one_seat_lies_over_all(files: Files) -> None:
    scenario = files.load(BASE, "policies.2.name=random")
    assert [p.name for p in players(scenario)] == ["simple", "random", "simple", "simple"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("rules.stealth=-1", "rules.stealth: must be 0 or more (got -1)"),
        ("rules.stealt=1", "rules.stealt: unknown key (did you mean stealth?)"),
        ("rules.crack={flus: 3}", "rules.crack: must be {flush: n}"),
        ("rules=5", "rules: must be a mapping of keys to values (got 5)"),
        ("policies=5", "policies: must be a mapping of keys to values (got 5)"),
        ("policies.all=simple", "policies.all: must be a mapping: write {name: simple}"),
        ("policies.all.name=simpel", "policies.all.name: there is no policy simpel"),
        ("policies.9.name=simple", "policies.9: must be all or a seat from 1 to 4"),
        ("policies.all.bail_a=3", "policies.all.bail_a: unknown key (did you mean bail_at?)"),
        ("run.rolouts=3", "run.rolouts: unknown key (did you mean rollouts?)"),
        ("run.seed=-1", "run.seed: must be 0 or more (got -1)"),
        ("run.seed=", "run.seed: must be a whole number (got null)"),
        ("rules.stealth=[", "this is not YAML"),
        ("name=x", "must start with rules, policies, run"),
        ("rule.stealth=3", "must start with rules, policies, run (did you mean rules?)"),
        ("rules.stealth", "write it as a.dotted.path=value, like rules.stealth=3"),
        ("=3", "write it as a.dotted.path=value"),
        ("rules..a=3", "write it as a.dotted.path=value"),
    ],
)
@pytest.mark.parametrize(
    "variants",
    ["", "variants: {a: {rules: {stealth: 5}, policies: {all: {peek: 1}}}, b: {rules: }}"],
)
def test_a_fault_in_what_is_set_names_the_option(
    files: Files, option: str, message: str, variants: str
) -> None:
    assert files.fault(BASE + variants, option).startswith(f"--set {option}: {message}")


def test_what_is_set_takes_no_blame_for_the_file(files: Files) -> None:
    text = "game: burgle\nrules:\n  tools: []\n  burn: -1\npolicies: {all: {name: simple}}"
    assert files.fault(text, "rules.stealth=3").startswith(
        "s.yaml:4: rules.burn: must be 0 or more"
    )
    text = "game: burgle\nrules:\n  characters: [hawk]\npolicies: {all: {name: simple}}"
    assert files.fault(text, "rules.stealth=3").startswith("s.yaml:2: rules: characters: ")


def test_an_option_of_several_lines_is_told_in_one(files: Files) -> None:
    with pytest.raises(InputError) as caught:
        files.load(BASE, "rules.stealth=a:\n b: c: d")
    assert "\n" not in str(caught.value)
