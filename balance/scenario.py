"""Scenario files: reading, merging and checking, with the place of every fault.

Order: what `extends` names, the file itself, its variants, `--set`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from balance.errors import InputError, Place, one_of, suggest
from balance.games import Game, game_names, load_game
from balance.values import Model, Real, Seed, Whole, explain, show
from balance.yaml_text import Document, KeyPath, parse_value, read_yaml

__all__ = ["Override", "RunSettings", "Scenario", "Variant", "load_scenario", "metric_names"]

SECTIONS = ("name", "game", "rules", "policies", "variants", "run", "targets", "extends")
MERGED_SECTIONS = ("rules", "policies", "variants", "run", "targets")
OVERRIDABLE = ("rules", "policies", "run")
MAX_EXTENDS = 10
LAST_SEED = 2**64 - 1
MAX_ROLLOUTS = 10**12
BASE = "base"


class RunSettings(Model):
    """How much to simulate. Without either stopping rule 100,000 rollouts are played."""

    rollouts: Whole | None = Field(
        None, ge=1, le=MAX_ROLLOUTS, description="stop after exactly so many rollouts per variant"
    )
    precision: Real | None = Field(
        None, gt=0, lt=0.5, description="stop when every headline interval is within +- this"
    )
    max_rollouts: Whole = Field(
        10_000_000, ge=1, le=MAX_ROLLOUTS, description="the budget of `precision`"
    )
    seed: Seed = Field(1, ge=0, le=LAST_SEED, description="the same seed, the same rollouts")

    @model_validator(mode="after")
    def _one_rule(self) -> "RunSettings":
        if self.rollouts is not None and self.precision is not None:
            raise ValueError("give rollouts or precision, not both")
        return self


@dataclass(frozen=True)
class Override:
    """A value from the command line, laid over the file: dotted path, YAML text, and option."""

    path: str
    text: str
    option: str

    @classmethod
    def from_set(cls, text: str) -> "Override":
        """What `--set dotted.path=value` says.

        Raises
        ------
        InputError
            If it is not of that form.
        """
        path, equals, value = text.partition("=")
        option = f"--set {text}"
        if not equals or not all(path.split(".")):
            raise InputError(f"{option}: write it as a.dotted.path=value, like rules.stealth=3")
        return cls(path, value, option)


@dataclass(frozen=True)
class Variant:
    """One set of rules with one policy per seat, checked and complete."""

    name: str
    rules: Model
    policies: tuple[Model, ...]
    changes: dict[str, Any] = field(default_factory=dict)
    """What it says on top of the file's own rules and policies."""


@dataclass(frozen=True)
class Scenario:
    """A checked scenario."""

    name: str
    path: Path
    game: Game
    variants: tuple[Variant, ...]
    run: RunSettings
    targets: dict[str, dict[str, tuple[float, float]]]

    def variant(self, name: str) -> Variant:
        """The variant of this name.

        Raises
        ------
        InputError
            If there is none.
        """
        for variant in self.variants:
            if variant.name == name:
                return variant
        names = [variant.name for variant in self.variants]
        raise InputError(
            f"{self.path}: there is no variant {name}{suggest(name, names)}; "
            f"it has: {one_of(names)}"
        )


def metric_names(game: Game) -> list[str]:
    """All metrics that a result of this game has."""
    names: list[str] = []
    for column in game.columns:
        if column.kind == "level":
            names.extend(f"{column.name}.{level}" for level in column.levels)
        else:
            names.append(column.metric)
    return names


def load_scenario(path: Path, overrides: Sequence[Override] = ()) -> Scenario:
    """Read a scenario file, lay ``overrides`` over it and check everything.

    Raises
    ------
    InputError
        At the first fault, with file, line, what is allowed, and the nearest valid name.
    """
    document = _extended(path, ())
    for override in overrides:
        document = _overridden(document, override)
    return _Checker(path, document).scenario()


def _extended(path: Path, seen: tuple[Path, ...]) -> Document:
    document = read_yaml(path)
    top = document.value
    if top is None:
        raise InputError(f"{path}: is empty; `balance games` shows what a scenario can play")
    if not isinstance(top, dict):
        place = document.place(())
        raise InputError(f"{place}: a scenario is a mapping of keys to values (got {show(top)})")
    for key in top:
        if key not in SECTIONS and not key.startswith("x-"):
            place = document.place((key,))
            raise InputError(
                f"{place}: unknown key {key}{suggest(key, SECTIONS)}; allowed: {one_of(SECTIONS)}"
            )
    if "extends" not in top:
        return document
    place = document.place(("extends",))
    if not isinstance(top["extends"], str):
        raise InputError(f"{place}: extends: must be the name of another scenario file")
    parent = (path.parent / top["extends"]).resolve()
    if parent in seen or parent == path.resolve() or len(seen) >= MAX_EXTENDS:
        raise InputError(f"{place}: extends: {top['extends']} leads back to this file")
    return merge(_extended(parent, (*seen, path.resolve())), document)


def merge(under: Document, over: Document) -> Document:
    """Lay one scenario document over another, section by section."""
    value = {**under.value, **over.value}
    places = {**under.places, **over.places}
    for section in MERGED_SECTIONS:
        low, high = under.value.get(section), over.value.get(section)
        if isinstance(low, dict) and isinstance(high, dict):
            deep = section == "variants"
            value[section] = _merge_section(section, low, high, deep)
    return Document(value, places)


def _merge_section(
    section: str, low: Mapping[str, Any], high: Mapping[str, Any], deep: bool
) -> dict[str, Any]:
    """``high`` over ``low``: a key replaces the old value whole, but players keep their knobs."""
    merged = dict(low)
    for key, value in high.items():
        old = merged.get(key)
        if deep and isinstance(old, dict) and isinstance(value, dict):
            merged[key] = {
                name: _merge_section(name, old.get(name, {}), value.get(name, {}), False)
                for name in {**old, **value}
            }
        elif section == "policies" and isinstance(old, dict) and isinstance(value, dict):
            renamed = value.get("name", old.get("name")) != old.get("name") or "file" in value
            merged[key] = dict(value) if renamed else {**old, **value}
        else:
            merged[key] = value
    return merged


def _overridden(document: Document, override: Override) -> Document:
    keys = override.path.split(".")
    if keys[0] not in OVERRIDABLE:
        hint = suggest(keys[0], OVERRIDABLE)
        raise InputError(f"{override.option}: must start with {one_of(OVERRIDABLE)}{hint}")
    value: Any = parse_value(override.text, override.option)
    for key in reversed(keys[1:]):
        value = {key: value}
    place = Place(override.option)
    places: dict[KeyPath, Place] = {tuple(keys[:n]): place for n in range(1, len(keys) + 1)}
    over = Document({keys[0]: value}, places)
    merged = merge(document, over)
    variants = merged.value.get("variants")
    if keys[0] in ("rules", "policies") and isinstance(variants, dict):
        # --set comes last: it holds in every variant, over what the variant itself says
        merged.value["variants"] = {
            name: _merge_section("variants", {"v": variant}, {"v": over.value}, True)["v"]
            if isinstance(variant, dict)
            else variant
            for name, variant in variants.items()
        }
        for name in variants:
            merged.places.update({("variants", name, *path): p for path, p in places.items()})
    return merged


class _Checker:
    """Turns a merged document into a scenario, or says where it is at fault."""

    def __init__(self, path: Path, document: Document) -> None:
        self.path = path
        self.document = document
        self.top = document.value
        self.game = self._game()

    def fail(self, path: KeyPath, problem: str) -> InputError:
        place = self.document.place(path) or Place(str(self.path))
        words = ".".join(str(key) for key in path)
        return InputError(f"{place}: {words}: {problem}" if words else f"{place}: {problem}")

    def _game(self) -> Game:
        name = self.top.get("game")
        if name is None:
            raise self.fail((), f"game is missing; write game: and one of: {one_of(game_names())}")
        if not isinstance(name, str):
            raise self.fail(("game",), f"must be one of: {one_of(game_names())} (got {show(name)})")
        try:
            return load_game(name)
        except InputError as error:
            raise self.fail(("game",), str(error)) from None

    def scenario(self) -> Scenario:
        variants = self._variants()
        return Scenario(
            name=self._name(),
            path=self.path,
            game=self.game,
            variants=variants,
            run=self._model(RunSettings, self._mapping(("run",), self.top.get("run")), ("run",)),
            targets=self._targets([variant.name for variant in variants]),
        )

    def _name(self) -> str:
        name = self.top.get("name", self.path.stem)
        if not isinstance(name, str) or not name.strip():
            raise self.fail(("name",), f"must be a name in words (got {show(name)})")
        return name.strip()

    def _mapping(self, path: KeyPath, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.fail(path, f"must be a mapping of keys to values (got {show(value)})")
        return value

    def _variants(self) -> tuple[Variant, ...]:
        rules = self._mapping(("rules",), self.top.get("rules"))
        policies = self._mapping(("policies",), self.top.get("policies"))
        given = self.top.get("variants")
        variants = self._mapping(("variants",), given)
        if given is not None and not variants:
            raise self.fail(("variants",), "must name at least one variant, like base: {}")
        if not variants:
            return (self._variant(BASE, rules, policies, {}, ()),)
        found = []
        for name, changes in variants.items():
            path: KeyPath = ("variants", name)
            if not name.strip():
                raise self.fail(path, "a variant needs a name")
            own = self._mapping(path, changes)
            for key in own:
                if key not in ("rules", "policies"):
                    hint = suggest(key, ("rules", "policies"))
                    raise self.fail(
                        (*path, key), f"unknown key{hint}; a variant may change rules, policies"
                    )
            found.append(self._variant(name, rules, policies, own, path))
        return tuple(found)

    def _variant(
        self,
        name: str,
        rules: Mapping[str, Any],
        policies: Mapping[str, Any],
        own: Mapping[str, Any],
        path: KeyPath,
    ) -> Variant:
        own_rules = self._mapping((*path, "rules"), own.get("rules"))
        own_policies = self._mapping((*path, "policies"), own.get("policies"))
        merged = _merge_section("rules", rules, own_rules, False)
        model = self._model(self.game.rules, merged, ("rules",), (*path, "rules"))
        players = _merge_section("policies", policies, own_policies, False)
        seats = self._policies(players, self.game.seats(model), path)
        return Variant(name, model, seats, dict(own))

    def _policies(self, players: Mapping[str, Any], seats: int, path: KeyPath) -> tuple[Model, ...]:
        numbers = [str(seat) for seat in range(1, seats + 1)]
        for key in players:
            if key not in ("all", *numbers):
                raise self.fail(
                    self._where(path, ("policies", key)),
                    f"must be all or a seat from 1 to {seats}{suggest(key, ['all'])}",
                )
        chosen = []
        for number in numbers:
            key = number if number in players else "all"
            if key not in players:
                raise self.fail(
                    ("policies",), "all is missing: write policies: {all: {name: expert}}"
                )
            chosen.append(self._policy(players[key], self._where(path, ("policies", key))))
        return tuple(chosen)

    def _where(self, variant: KeyPath, path: KeyPath) -> KeyPath:
        """The path inside the variant if it is written there, else in the file's own section."""
        inner = (*variant, *path)
        return inner if variant and inner in self.document.places else path

    def _policy(self, given: Any, path: KeyPath) -> Model:
        if isinstance(given, str):
            raise self.fail(path, f"must be a mapping: write {{name: {given}}}")
        policy = dict(self._mapping(path, given))
        names = list(self.game.policies)
        source = None
        if "file" in policy:
            source, policy = self._policy_file(policy, path)
        name = policy.get("name")
        if not isinstance(name, str) or name not in self.game.policies:
            got = "name is missing" if name is None else f"there is no policy {show(name)}"
            hint = suggest(str(name), names)
            raise self._policy_fail(source, (*path, "name"), f"{got}{hint}; has: {one_of(names)}")
        model: Model = self._model(self.game.policies[name], policy, path, path, source)
        return model

    def _policy_file(
        self, policy: Mapping[str, Any], path: KeyPath
    ) -> tuple[Document, dict[str, Any]]:
        name = policy["file"]
        if not isinstance(name, str):
            raise self.fail((*path, "file"), f"must be a file name (got {show(name)})")
        place = self.document.place((*path, "file"))
        file = (self.path.parent / name).resolve()
        try:
            document = read_yaml(file)
        except InputError as error:
            raise InputError(f"{place}: file: {error}") from None
        if not isinstance(document.value, dict):
            raise InputError(f"{file}: a policy file is a mapping with a name and knobs")
        return document, {**document.value, **{k: v for k, v in policy.items() if k != "file"}}

    def _policy_fail(self, source: Document | None, path: KeyPath, problem: str) -> InputError:
        place = source.place((path[-1],)) if source is not None else None
        if place is None:
            return self.fail(path, problem)
        return InputError(f"{place}: {path[-1]}: {problem}")

    def _model(
        self,
        model: type[Model],
        value: Mapping[str, Any],
        path: KeyPath,
        preferred: KeyPath = (),
        source: Document | None = None,
    ) -> Any:
        try:
            return model.model_validate(dict(value))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            location: KeyPath = tuple(first["loc"])
            if first["type"] == "extra_forbidden":
                allowed = list(model.model_fields)
                key = str(location[-1])
                problem = f"unknown key{suggest(key, allowed)}; allowed: {one_of(allowed)}"
            else:
                problem = explain(first)
            inner = (*preferred, *location)
            if source is not None and location and location[:1] in source.places:
                words = ".".join(str(key) for key in location)
                raise InputError(f"{source.place(location)}: {words}: {problem}") from None
            where = (
                inner
                if preferred and inner[: len(preferred) + 1] in self.document.places
                else (
                    *path,
                    *location,
                )
            )
            raise self.fail(where, problem) from None

    def _targets(self, variants: Sequence[str]) -> dict[str, dict[str, tuple[float, float]]]:
        targets: dict[str, dict[str, tuple[float, float]]] = {}
        metrics = metric_names(self.game)
        for name, wanted in self._mapping(("targets",), self.top.get("targets")).items():
            path: KeyPath = ("targets", name)
            if name not in variants:
                hint = suggest(name, variants)
                raise self.fail(path, f"there is no such variant{hint}; has: {one_of(variants)}")
            targets[name] = {}
            for metric, bounds in self._mapping(path, wanted).items():
                if metric not in metrics:
                    raise self.fail(
                        (*path, metric),
                        f"unknown metric{suggest(metric, metrics)}; has: {one_of(metrics)}",
                    )
                targets[name][metric] = self._bounds(bounds, (*path, metric))
        return targets

    def _bounds(self, bounds: Any, path: KeyPath) -> tuple[float, float]:
        numbers = (
            isinstance(bounds, list)
            and len(bounds) == 2
            and all(
                isinstance(bound, (int, float)) and not isinstance(bound, bool) for bound in bounds
            )
        )
        if not numbers or not bounds[0] <= bounds[1]:
            raise self.fail(path, f"must be [lowest, highest] (got {show(bounds)})")
        return float(bounds[0]), float(bounds[1])
