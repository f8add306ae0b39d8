"""The action and reaction cards of Vault Breakers: what a designer may write on them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, model_validator

from balance.values import Model, Whole, whole

__all__ = ["COLOURS", "EFFECTS", "MOMENTS", "TARGETS", "Action", "Reaction"]

Colour = Literal["audacity", "brawn", "charisma", "stealth", "any"]
COLOURS: tuple[str, ...] = get_args(Colour)[:4]
Effect = Literal[
    "gain_tokens",
    "steal_token",
    "destroy_token",
    "draw_training",
    "steal_training",
    "discard_training",
    "steal_loot",
    "swap_loot",
    "peek_loot",
    "extra_die",
    "reroll_lowest",
    "add_to_roll",
    "lower_threshold",
    "protect",
    "cancel_action",
    "ignore_failure",
    "join_uninvited",
    "skip_player",
]
EFFECTS: tuple[str, ...] = get_args(Effect)
AIMED = (
    *("steal_token", "destroy_token", "steal_training", "discard_training"),
    *("steal_loot", "swap_loot", "skip_player"),
)
ANY_TIME = ("gain_tokens", "draw_training", "peek_loot", *AIMED)
ONLY_AT = {
    **dict.fromkeys(
        ("extra_die", "reroll_lowest", "add_to_roll", "lower_threshold", "join_uninvited"),
        "on_any_break",
    ),
    "protect": "on_targeted",
    "cancel_action": "on_action",
    "ignore_failure": "on_my_failure",
}
ONCE = ("protect", "cancel_action", "ignore_failure", "skip_player")
Target = Literal["leader", "richest", "random", "left", "right"]
TARGETS: tuple[str, ...] = get_args(Target)
Moment = Literal["on_targeted", "on_any_break", "on_my_failure", "on_action"]
MOMENTS: tuple[str, ...] = get_args(Moment)

Tokens = Annotated[int, Field(ge=0, le=20), BeforeValidator(whole)]


class Card(Model):
    """What actions and reactions have in common."""

    name: str = Field(min_length=1, max_length=60, description="what reports call it")
    copies: Whole = Field(1, ge=1, le=20, description="how many there are in the deck")
    cost: dict[Colour, Tokens] = Field(
        {}, description="tokens to use it, by colour; any: of whatever colour"
    )
    effect: Effect = Field(description="what it does")
    amount: Whole = Field(1, ge=1, le=8, description="how many, or how much")
    target: Target | None = Field(None, description="at whom an aimed effect is aimed")

    @model_validator(mode="after")
    def _aimed(self) -> "Card":
        if (self.effect in AIMED) != (self.target is not None):
            need = "needs a target" if self.effect in AIMED else "takes no target"
            raise ValueError(f"{self.name}: {self.effect} {need}")
        if self.effect in ONCE and self.amount != 1:
            raise ValueError(f"{self.name}: {self.effect} takes no amount")
        return self


class Action(Card):
    """A card that is played in place of breaking the vault."""

    @model_validator(mode="after")
    def _fits(self) -> "Action":
        if self.effect not in ANY_TIME:
            raise ValueError(f"{self.name}: {self.effect} is for reactions")
        return self


class Reaction(Card):
    """A card that is used when its moment comes."""

    when: Moment = Field(description="the moment at which it can be used")

    @model_validator(mode="after")
    def _fits(self) -> "Reaction":
        only = ONLY_AT.get(self.effect)
        if only is not None and self.when != only:
            raise ValueError(f"{self.name}: {self.effect} is used {only} (got {self.when})")
        return self


def pack_card(card: Any) -> Mapping[str, Any]:
    """A card's numbers as the kernel reads them."""
    costs = [card.cost.get(colour, 0) for colour in (*COLOURS, "any")]
    return {
        "effect": EFFECTS.index(card.effect),
        "amount": card.amount,
        "target": -1 if card.target is None else TARGETS.index(card.target),
        "moment": MOMENTS.index(card.when) if isinstance(card, Reaction) else -1,
        "cost": costs,
    }
