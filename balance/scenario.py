"""Scenario files: reading, merging and checking, with the place of every fault.

Order: what `extends` names, the file itself, its variants, `--set`.
"""

import math
import os
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BeforeValidator, Field, ValidationError, model_validator

from balance.errors import InputError, Place, one_of, suggest
from balance.games import Game, game_names, load_game
from balance.rotation import rotated
from balance.values import Model, Seed, Whole, explain, real, show, whole
from balance.yaml_text import Document, KeyPath, parse_value, read_yaml

__all__ = [
    "Override",
    "RunSettings",
    "Scenario",
    "Variant",
    "is_rate",
    "load_scenario",
    "metric_names",
]

SECTIONS = ("name", "game", "stage", "rules", "policies", "variants", "run", "targets", "extends")
MERGED_SECTIONS = ("rules", "policies", "variants", "run", "targets")
OVERRIDABLE = ("rules", "policies", "run")
SET: KeyPath = ("--set",)  # where a document keeps the places of what `--set` said
MAX_EXTENDS = 10
LAST_SEED = 2**64 - 1
MAX_ROLLOUTS = 10**12
BASE = "base"


class RunSettings(Model):
    """How much to simulate. Without either stopping rule 100,000 rollouts are played."""

    # bounds stand before the validator, else the JSON schema has none
    rollouts: Annotated[int, Ge(1), Le(MAX_ROLLOUTS), BeforeValidator(whole)] | None = Field(
        None, description="stop after exactly so many rollouts per variant"
    )
    precision: Annotated[float, Gt(0), Lt(0.5), BeforeValidator(real)] | None = Field(
        None, description="stop when every headline interval is within +- this"
    )
    max_rollouts: Whole = Field(
        10_000_000, ge=1, le=MAX_ROLLOUTS, description="the budget of `precision`"
    )
    rotate_seats: bool = Field(
        False, description="play every deal once for each way to turn the policies around the table"
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
        return cls(path.strip(), value, option)

    @property
    def place(self) -> Place:
        """The option, in one line."""
        return Place(" ".join(self.option.split()))


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
    stage: str | None
    """The part of the game that is played alone, if it is not the whole."""
    variants: tuple[Variant, ...]
    run: RunSettings
    targets: dict[str, dict[str, tuple[float, float]]]
    document: Document = field(repr=False, compare=False)
    """What was read, with the place of everything that it says."""
    last: tuple[Document, ...] = field(default=(), repr=False, compare=False)
    """What is laid over every variant."""
    files: dict[Path, Document] = field(default_factory=dict, repr=False, compare=False)
    """The policy files that were read, by their paths."""

    def varied(self, overrides: "Sequence[Override]") -> "Scenario":
        """This scenario with more laid over it, checked anew.

        Raises
        ------
        InputError
            If a value cannot be used.
        """
        return _laid_over(self.path, self.document, [*self.last], overrides, self.files)

    def playing(self, variants: "Sequence[Variant]") -> "Scenario":
        """This scenario with other variants in the place of its own."""
        return replace(self, variants=tuple(variants))

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
    return names + [ratio.name for ratio in game.ratios]


def is_rate(game: Game, metric: str) -> bool:
    """Whether a metric of this game lies between 0 and 1."""
    for column in game.columns:
        if metric == column.metric or metric.rpartition(".")[0] == column.name:
            return column.kind != "count"
    return any(ratio.is_rate for ratio in game.ratios if ratio.name == metric)


def load_scenario(path: Path, overrides: Sequence[Override] = ()) -> Scenario:
    """Read a scenario file, lay ``overrides`` over it and check everything.

    Raises
    ------
    InputError
        At the first fault, with file, line, what is allowed, and the nearest valid name.
    """
    return _laid_over(path, _extended(path, ()), [], overrides, {})


def _laid_over(
    path: Path,
    document: Document,
    last: list[Document],
    overrides: Sequence[Override],
    files: dict[Path, Document],
) -> Scenario:
    for override in overrides:
        over = _override(override)
        if "run" in over.value:
            document = merge(document, over)
        else:
            last.append(over)
    return _Checker(path, document, last, files).scenario()


def _extended(path: Path, seen: tuple[str, ...]) -> Document:
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
    return merge(_parent(path, document, (*seen, os.path.realpath(path))), document)


def _parent(path: Path, document: Document, seen: tuple[str, ...]) -> Document:
    """What the document at ``path`` extends; ``seen`` holds the files on the way here."""
    place, name = document.place(("extends",)), document.value["extends"]
    if not isinstance(name, str) or "\0" in name:
        raise InputError(f"{place}: extends: must be the name of another scenario file")
    parent = Path(os.path.normpath(path.parent / name))
    if os.path.realpath(parent) in seen:
        raise InputError(f"{place}: extends: {name} leads back to this file")
    if len(seen) > MAX_EXTENDS:
        raise InputError(f"{place}: extends: more than {MAX_EXTENDS} files, one on top of another")
    try:
        return _extended(parent, seen)
    except InputError as error:
        if parent.is_file():
            raise
        raise InputError(f"{place}: extends: {error}") from None


def merge(under: Document, over: Document) -> Document:
    """Lay one scenario document over another, section by section."""
    value = {**under.value, **over.value}
    for section in MERGED_SECTIONS:
        low, high = under.value.get(section), over.value.get(section)
        if isinstance(low, dict) and (isinstance(high, dict) or high is None):
            merged = _merge_variants if section == "variants" else _merge_section(section)
            value[section] = merged(low, high or {})
    replaced = {path[: _whole_from(path)] for path in over.places}
    kept = {
        path: place
        for path, place in under.places.items()
        if len(path) <= _whole_from(path) or path[: _whole_from(path)] not in replaced
    }
    return Document(value, {**kept, **over.places})


def _whole_from(path: KeyPath) -> int:
    """How long a path is whose value is replaced whole: rules.crack, policies.all.name."""
    if path[:1] == ("variants",):
        return 2 + _whole_from(path[2:])
    return 3 if path[:1] == ("policies",) else 2


Section = Mapping[str, Any]


def _merge_section(section: str) -> Callable[[Section, Section], dict[str, Any]]:
    return _merge_policies if section == "policies" else _merge_keys


def _merge_keys(low: Section, high: Section) -> dict[str, Any]:
    """``high`` over ``low``: each key replaces the old value whole."""
    return {**low, **high}


def _merge_policies(low: Section, high: Section) -> dict[str, Any]:
    """``high`` over ``low``: a player keeps the old knobs unless it is another player now."""
    merged = dict(low)
    for key, value in high.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            renamed = value.get("name", old.get("name")) != old.get("name") or "file" in value
            merged[key] = dict(value) if renamed else {**old, **value}
        else:
            merged[key] = value
    return merged


def _merge_variants(low: Section, high: Section) -> dict[str, Any]:
    """``high`` over ``low``: a variant of both is merged section by section."""
    merged = dict(low)
    for name, value in high.items():
        old, new = merged.get(name), {} if value is None else value
        if not isinstance(old, dict) or not isinstance(new, dict):
            merged[name] = value
            continue
        both = {**old, **new}
        for section in set(old) & set(new):
            if isinstance(old[section], dict) and isinstance(new[section], dict):
                both[section] = _merge_section(section)(old[section], new[section])
        merged[name] = both
    return merged


def _override(override: Override) -> Document:
    keys = override.path.split(".")
    if keys[0] not in OVERRIDABLE:
        hint = suggest(keys[0], OVERRIDABLE)
        raise InputError(f"{override.place}: must start with {one_of(OVERRIDABLE)}{hint}")
    value: Any = parse_value(override.text, override.place.source)
    places: dict[KeyPath, Place] = {tuple(keys[:n]): override.place for n in range(2, len(keys))}
    _put_places(value, tuple(keys), override.place, places)
    for key in reversed(keys):
        value = {key: value}
    return Document(value, places)


def _put_places(value: Any, path: KeyPath, place: Place, places: dict[KeyPath, Place]) -> None:
    places[path] = place
    if isinstance(value, dict):
        for key, part in value.items():
            _put_places(part, (*path, key), place, places)


def _is_name(name: str) -> bool:
    """Whether it can be shown everywhere: not blank, one line, no control characters."""
    strange = ("Cc", "Cs", "Zl", "Zp")
    return bool(name.strip()) and all(unicodedata.category(c) not in strange for c in name)


class _Checker:
    """Turns a merged document into a scenario, or says where it is at fault."""

    def __init__(
        self,
        path: Path,
        document: Document,
        last: Sequence[Document],
        files: dict[Path, Document],
    ) -> None:
        self.path = path
        self.files = files
        self.given = document
        self.document = Document(document.value, dict(document.places))
        self.top = document.value
        self.last = last
        for over in last:
            self.document.places.update({(*SET, *inner): p for inner, p in over.places.items()})
        self.game = self._game()

    def fail(self, path: KeyPath, problem: str) -> InputError:
        place = self.document.place(path) or Place(str(self.path))
        words = ".".join(str(key) for key in path if key != SET[0])
        return InputError(f"{place}: {words}: {problem}" if words else f"{place}: {problem}")

    def _game(self) -> Game:
        name = self.top.get("game")
        if name is None:
            raise self.fail((), f"game is missing; write game: and one of: {one_of(game_names())}")
        if not isinstance(name, str):
            raise self.fail(("game",), f"must be one of: {one_of(game_names())} (got {show(name)})")
        try:
            game = load_game(name)
        except InputError as error:
            raise self.fail(("game",), str(error)) from None
        stage = self.top.get("stage")
        if stage is None:
            return game
        if not isinstance(stage, str) or stage not in game.stages:
            stages = list(game.stages)
            has = f"must be one of: {one_of(stages)}" if stages else f"{name} has no stages"
            raise self.fail(("stage",), f"{has} (got {show(stage)}){suggest(str(stage), stages)}")
        return game.stages[stage]

    def scenario(self) -> Scenario:
        variants = self._variants()
        run = self._model(RunSettings, self._mapping(("run",), self.top.get("run")), ((), ("run",)))
        return Scenario(
            name=self._name(),
            path=self.path,
            game=rotated(self.game, variants, self.path) if run.rotate_seats else self.game,
            stage=self.top.get("stage"),
            variants=variants,
            run=run,
            targets=self._targets([variant.name for variant in variants]),
            document=self.given,
            last=tuple(self.last),
            files=self.files,
        )

    def _name(self) -> str:
        name = self.top.get("name", self.path.stem)
        if not isinstance(name, str) or not _is_name(name.strip()):
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
            if not _is_name(name):
                raise self.fail(path, "a variant needs a name in words, in one line")
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
        found: dict[str, dict[str, Any]] = {}
        for section, given in (("rules", rules), ("policies", policies)):
            merge_over = _merge_section(section)
            inner = self._mapping((*path, section), own.get(section))
            found[section] = merge_over(given, inner)
            for over in self.last:
                said = self._mapping((*SET, section), over.value.get(section))
                found[section] = merge_over(found[section], said)
        model = self._model(self.game.rules, found["rules"], (path, ("rules",)))
        seats = self._policies(found["policies"], self.game.seats(model), path)
        return Variant(name, model, seats, self._changes(own, found))

    def _changes(self, own: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
        """What a variant says, without the keys that `--set` says for every variant."""
        changes = {}
        for section, given in own.items():
            said = {key for over in self.last for key in over.value.get(section) or {}}
            changes[section] = {
                key: found[section][key] if section == "policies" and key in said else value
                for key, value in (given or {}).items()
                if section == "policies" or key not in said
            }
        return changes

    def _policies(self, players: Mapping[str, Any], seats: int, path: KeyPath) -> tuple[Model, ...]:
        numbers = [str(seat) for seat in range(1, seats + 1)]
        for key in players:
            if not seats or key not in ("all", *numbers):
                allowed = f"must be all or a seat from 1 to {seats}{suggest(key, ['all'])}"
                nobody = "nobody plays here: leave policies out"
                raise self.fail(
                    self._written(path, ("policies", key)), allowed if seats else nobody
                )
        chosen = []
        for number in numbers:
            key = number if number in players else "all"
            if key not in players:
                raise self.fail(
                    ("policies",), "all is missing: write policies: {all: {name: expert}}"
                )
            chosen.append(self._policy(players[key], path, ("policies", key)))
        return tuple(chosen)

    def _written(self, variant: KeyPath, path: KeyPath) -> KeyPath:
        """Where the value at ``path`` was said last: by `--set`, in the variant, or in the file."""
        for length in range(len(path), 0, -1):
            for layer in (SET, variant, ()):
                if (*layer, *path[:length]) in self.document.places:
                    return (*layer, *path)
        return path

    def _policy(self, given: Any, variant: KeyPath, path: KeyPath) -> Model:
        where = self._written(variant, path)
        if isinstance(given, str):
            raise self.fail(where, f"must be a mapping: write {{name: {given}}}")
        policy = dict(self._mapping(where, given))
        names = list(self.game.policies)
        source = None
        if "file" in policy:
            source, policy = self._policy_file(policy, self._written(variant, (*path, "file")))
        name = policy.get("name")
        if not isinstance(name, str) or name not in self.game.policies:
            got = "name is missing" if name is None else f"there is no policy {show(name)}"
            hint = suggest(str(name), names)
            problem = f"{got}{hint}; has: {one_of(names)}"
            if source is not None and "name" not in given:
                raise InputError(f"{source.place(('name',))}: name: {problem}")
            raise self.fail(self._written(variant, (*path, "name")), problem)
        inner = None if source is None else (source, [key for key in policy if key not in given])
        model: Model = self._model(self.game.policies[name], policy, (variant, path), inner)
        return model

    def _policy_file(
        self, policy: Mapping[str, Any], path: KeyPath
    ) -> tuple[Document, dict[str, Any]]:
        name = policy["file"]
        place = self.document.place(path)
        if not isinstance(name, str) or "\0" in name:
            raise self.fail(path, f"must be a file name (got {show(name)})")
        # a file that is extended may lie elsewhere: its policies lie beside it
        home = self.path if place is None or place.line is None else Path(place.source)
        file = Path(os.path.normpath(home.parent / name))
        try:
            document = self.files[file] if file in self.files else read_yaml(file)
        except InputError as error:
            raise InputError(f"{place}: file: {error}") from None
        self.files[file] = document
        if not isinstance(document.value, dict):
            raise InputError(f"{file}: a policy file is a mapping with a name and knobs")
        return document, {**document.value, **{k: v for k, v in policy.items() if k != "file"}}

    def _model(
        self,
        model: type[Model],
        value: Mapping[str, Any],
        where: tuple[KeyPath, KeyPath],
        file: tuple[Document, Sequence[str]] | None = None,
    ) -> Any:
        """The checked model; ``where`` is (variant, path), ``file`` another file and its keys."""
        try:
            return model.model_validate(dict(value))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
        variant, path = where
        location: KeyPath = tuple(first["loc"])
        if first["type"] == "extra_forbidden":
            allowed = list(model.model_fields)
            key = str(location[-1])
            problem = f"unknown key{suggest(key, allowed)}; allowed: {one_of(allowed)}"
        else:
            problem = explain(first)
        if file is not None and location and location[0] in file[1]:
            words = ".".join(str(key) for key in location)
            raise InputError(f"{file[0].place(location)}: {words}: {problem}")
        raise self.fail(self._written(variant, (*path, *location)), problem)

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
                ends = self._bounds(bounds, (*path, metric))
                if is_rate(self.game, metric) and any(math.isfinite(e) and e > 1 for e in ends):
                    problem = f"must lie from 0 to 1: 30 % is 0.3 (got {show(bounds)})"
                    raise self.fail((*path, metric), problem)
                targets[name][metric] = ends
        return targets

    def _bounds(self, bounds: Any, path: KeyPath) -> tuple[float, float]:
        if isinstance(bounds, list) and len(bounds) == 2 and bounds != [None, None]:
            low, high = _end(bounds[0], -math.inf), _end(bounds[1], math.inf)
            if low is not None and high is not None and low <= high:
                return low, high
        problem = f"must be [lowest, highest], null where there is no such end (got {show(bounds)})"
        raise self.fail(path, problem)


def _end(value: Any, missing: float) -> float | None:
    """One end of a target; None where it is no number."""
    if value is None:
        return missing
    number = real(value)
    return number if isinstance(number, float) and math.isfinite(number) else None
