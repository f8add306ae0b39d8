"""The knobs of Vault's `expert`, in the order in which the kernel reads them."""

__all__ = ["KNOBS"]

KNOBS = {
    "token": "what a token is worth, in VP",
    "token_late": ".. and what that changes by until all thresholds are broken",
    "training_card": "what a training card is worth",
    "loot_bonus": "what a loot card is worth beyond its VP",
    "rival_loot": "what each loot card of another seat costs, as a part of its VP",
    "spite": "what another's loss is worth, as a part of what it loses",
    "fail": "what a failure costs a seat that it hits",
    "skip_worth": "what a turn is worth",
    "last_break": "what the last break is worth to who is ahead, and costs who is behind",
    "reach_reveal": "what it is worth to come to where VP can be revealed",
    "peek": "what it is worth to see the top of the Vault",
    "break_from": "what a break must be worth to be made",
    "join_from": "what a break must be worth to be joined",
    "partner_cards": "how many loot cards a partner is offered at most, less one",
    "partner_odds": "by how much an offer must be better than what it would itself join",
    "waste": "how much a set may waste",
    "reveal_lead": "by how much it must be ahead to reveal its VP",
    "act_from": "what an action must be worth to be played",
}
