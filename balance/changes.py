"""What one variant changes in the rules and players of another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from balance.scenario import Variant
from balance.values import show

__all__ = ["Change", "changes_between", "changes_text"]

FEW_KNOBS = 2
NOTHING, NOBODY = "nothing", "nobody"


@dataclass(frozen=True)
class Change:
    """One value that differs."""

    path: str
    before: Any
    after: Any


def changes_between(before: Variant, after: Variant) -> list[Change]:
    """The values of rules and policies in which the second variant differs from the first."""
    found = [*_differences("rules", before.rules.model_dump(), after.rules.model_dump())]
    players = [[policy.model_dump() for policy in variant.policies] for variant in (before, after)]
    if players[0] == players[1]:
        return found
    if all(table and all(player == table[0] for player in table) for table in players):
        found += _differences("policies.all", players[0][0], players[1][0])
        return found
    for seat in range(max(map(len, players))):
        one, other = (table[seat] if seat < len(table) else None for table in players)
        found += _differences(f"policies.{seat + 1}", one, other)
    return found


def _differences(path: str, before: Any, after: Any) -> Iterator[Change]:
    """Values that differ; a mapping with other keys, or another player, counts as one value."""
    same_keys = (
        isinstance(before, dict)
        and isinstance(after, dict)
        and before.keys() == after.keys()
        and before.get("name") == after.get("name")
    )
    if same_keys:
        for key in before:
            yield from _differences(f"{path}.{key}", before[key], after[key])
    elif before != after:
        yield Change(path, _player(before), _player(after))


def _player(value: Any) -> Any:
    """A player is called by its name; a seat that nobody has holds None."""
    return value["name"] if isinstance(value, Mapping) and "name" in value else value


def changes_text(before: Variant, after: Variant) -> str:
    """The changes in few words: `burn 2 → 0, stealth 2 → 1`."""
    changes = changes_between(before, after)
    parts = [
        f"{change.path.removeprefix('rules.')} {show(change.before)} → {show(change.after)}"
        for change in changes
        if not change.path.startswith("policies.")
    ]
    players: dict[str, list[Change]] = {}
    for change in changes:
        section, who = change.path.split(".")[:2]
        if section == "policies":
            players.setdefault(who, []).append(change)
    for who, knobs in players.items():
        if len(knobs) > FEW_KNOBS:
            parts.append(f"policies.{who}: {len(knobs)} knobs")
        else:
            parts += [f"{c.path} {_who(c.before)} → {_who(c.after)}" for c in knobs]
    return ", ".join(parts) or NOTHING


def _who(value: Any) -> str:
    return NOBODY if value is None else show(value)
