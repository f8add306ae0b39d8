"""The knobs of Bank's planning policies, in the order in which the kernel reads them."""

__all__ = ["KNOBS"]

KNOBS = {
    "share": "how much of a fair part of the pot it stakes",
    "noise": "by how many coins a stake may be raised by lot",
    "by_belief": "1: goes by what it has seen of the bank; 0: by the number of its cards",
    "by_worth": "1: stakes what is worth most; 0: its share of the pot it believes in",
    "others": "what the others are thought to stake at first, as a part of a fair share",
    "trust": "how much what they have staked so far counts",
    "spread": "how far a stake is thought to be off, as a part of it",
    "blur": "how much it makes of what it is unsure of",
    "thief_fear": "what a coin lost to a Thief counts",
    "guard_hope": "what a coin paid by a Guard counts",
    "deny": "what a coin counts that the others do not get",
    "play_money": "plays money above the mean where more cards lie (below 0: where fewer)",
    "play_lady": ".. Ladies",
    "play_guard": ".. Guards",
    "play_judge": ".. Judges",
    "play_thief": ".. Thieves",
    "play_multiply": ".. X cards",
    "play_known": "plays where it knows more cards",
    "rob_size": "robs where more cards lie",
    "rob_worth": "robs where a stake is worth more",
    "rob_known": "robs where it knows more of the cards",
    "look_size": "looks where more face-down cards lie",
    "show_money": "turns up money that it knows",
    "show_special": "turns up specials that it knows",
    "rob_from": "with a choice of action: robs where a stake is worth this much",
    "look_from": "with a choice of action: looks while it knows less than this part of the bank",
}
