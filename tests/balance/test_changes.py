"""What one variant changes in another, as a list and in words."""

from balance.changes import Change, changes_between, changes_text
from tests.balance.scenario_files import BASE, Files


def changes(files: Files, text: str) -> tuple[list[Change], str]:
    """What the second variant changes in the first, as a list and in words."""
    before, after = files.load(text).variants
    return changes_between(before, after), changes_text(before, after)


def test_changed_rules_are_named_with_both_values(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {rules: {stealth: 1, burn: 2, win_at_once: false}}}\n"
    found, words = changes(files, text)
    assert {(c.path, c.before, c.after) for c in found} == {
        ("rules.stealth", 2, 1),
        ("rules.burn", 0, 2),
        ("rules.win_at_once", True, False),
    }
    assert sorted(words.split(", ")) == ["burn 0 → 2", "stealth 2 → 1", "win_at_once true → false"]


def test_the_same_is_nothing(files: Files) -> None:
    text = BASE + "variants: {a: {rules: {stealth: 2}}, b: {rules: {stealth: 2}}}\n"
    assert changes(files, text) == ([], "nothing")


def test_a_number_inside_a_rule_is_named_alone(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {rules: {crack: {flush: 2}}}}\n"
    assert changes(files, text) == ([Change("rules.crack.flush", 5, 2)], "crack.flush 5 → 2")


def test_an_alternative_is_replaced_whole(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {rules: {crack: {straight_flush: 3}}}}\n"
    found, words = changes(files, text)
    assert found == [Change("rules.crack", {"flush": 5}, {"straight_flush": 3})]
    assert words == "crack {flush: 5} → {straight_flush: 3}"
    text = BASE + "variants: {a: {}, b: {rules: {tools: true}}}\n"
    assert changes(files, text) == ([Change("rules.tools", [], True)], "tools [] → true")
    loot = "game: vault\npolicies: {all: {name: simple}}\n"
    loot += "variants: {a: {rules: {loot: {1: 3}}}, b: {rules: {loot: {1: 3, 2: 1}}}}\n"
    expected = ([Change("rules.loot", {1: 3}, {1: 3, 2: 1})], "loot {1: 3} → {1: 3, 2: 1}")
    assert changes(files, loot) == expected


def test_few_knobs_are_listed_and_many_are_counted(files: Files) -> None:
    two = BASE + "variants: {a: {}, b: {policies: {all: {peek: 1, bail_at: 15.5}}}}\n"
    found, words = changes(files, two)
    assert found == [
        Change("policies.all.peek", 3.0, 1.0),
        Change("policies.all.bail_at", 14, 15.5),
    ]
    assert words == "policies.all.peek 3 → 1, policies.all.bail_at 14 → 15.5"
    three = BASE + "variants: {a: {}, b: {policies: {all: {peek: 1, bail_at: 15, suit: 1}}}}\n"
    found, words = changes(files, three)
    assert len(found) == 3
    assert words == "policies.all: 3 knobs"


def test_another_policy_is_named_and_its_knobs_are_not(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {policies: {all: {name: expert}}}}\n"
    expected = ([Change("policies.all", "simple", "expert")], "policies.all simple → expert")
    assert changes(files, text) == expected


def test_another_policy_is_named_where_it_has_the_same_knobs(files: Files) -> None:
    text = "game: vault\npolicies: {all: {name: hasty}}\n"
    text += "variants: {a: {}, b: {policies: {all: {name: patient}}}}\n"
    expected = ([Change("policies.all", "hasty", "patient")], "policies.all hasty → patient")
    assert changes(files, text) == expected


def test_one_seats_policy_is_that_seats(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {policies: {2: {name: random}}}}\n"
    expected = ([Change("policies.2", "simple", "random")], "policies.2 simple → random")
    assert changes(files, text) == expected
    text = BASE + "variants: {a: {}, b: {policies: {1: {name: simple, peek: 1}}}}\n"
    expected = ([Change("policies.1.peek", 3.0, 1.0)], "policies.1.peek 3 → 1")
    assert changes(files, text) == expected


def test_more_seats_with_the_same_players_change_the_seats_only(files: Files) -> None:
    text = BASE + "variants: {a: {rules: {players: 2}}, b: {rules: {players: 3}}}\n"
    assert changes(files, text) == ([Change("rules.players", 2, 3)], "players 2 → 3")


def test_rules_come_before_players_in_words(files: Files) -> None:
    text = BASE + "variants: {a: {}, b: {rules: {burn: 1}, policies: {all: {name: random}}}}\n"
    assert changes(files, text)[1] == "burn 0 → 1, policies.all simple → random"
