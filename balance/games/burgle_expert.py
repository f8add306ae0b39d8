"""The knobs of Burgle's `expert`, in the order in which the kernel reads them."""

__all__ = ["KNOBS"]

TRADE = {
    "trade_suit": "a card of the safe's suit",
    "trade_suit_value": ".. for each ten points of such a card",
    "trade_other_value": "each ten points of a card of another suit",
    "trade_crack": "the display opens the safe",
    "trade_1_to_go": "one card short of a crack",
    "trade_2_to_go": "two cards short",
    "trade_3_to_go": "three cards short",
    "trade_4_to_go": "four cards short",
    "trade_alarm": "a total over the alarm threshold",
    "trade_alarm_guard": ".. times the chance that the alarm flips the Guard",
    "trade_alarm_last": ".. and with no stealth left",
    "trade_room": "each ten points of room below the threshold",
    "trade_room_2": ".. squared",
    "trade_1_to_go_room": "room, one card short of a crack",
    "trade_1_to_go_room_2": ".. squared",
    "trade_2_to_go_room": "room, two cards short of a crack",
    "trade_2_to_go_room_2": ".. squared",
    "trade_jackpot": "a reading of 21",
    "trade_jackpot_guards": ".. for each Guard in a display",
    "trade_peek": "a peek total",
    "trade_peek_guard": ".. times the chance that the next card is the Guard",
    "trade_ace": "each Ace in the display",
}
SAFE_TRADE = {
    "cracked_trade_alarm": "a total over the threshold",
    "cracked_trade_alarm_guard": ".. times the chance that the alarm flips the Guard",
    "cracked_trade_alarm_last": ".. and with no stealth left",
    "cracked_trade_safe": "a total from which it bails without an alarm",
    "cracked_trade_safe_guard": ".. times the chance that an alarm would flip the Guard",
    "cracked_trade_room": "each ten points of room below the threshold",
    "cracked_trade_jackpot": "a reading of 21",
    "cracked_trade_jackpot_guards": ".. for each Guard in a display",
    "cracked_trade_peek": "a peek total",
    "cracked_trade_peek_guard": ".. times the chance that the next card is the Guard",
}
BAIL = {
    "go": "the pull of another card",
    "go_1_to_go": "one card short of a crack",
    "go_2_to_go": "two cards short",
    "go_3_to_go": "three cards short",
    "go_4_to_go": "four cards short",
    "go_suit": "the chance of a card of the suit in anybody's next draw",
    "go_own_suit": "the share of the suit among its own next cards",
    "go_1_to_go_suit": "the chance of the suit, one card short of a crack",
    "go_2_to_go_suit": "the chance of the suit, two cards short",
    "go_bust": "the chance that the next card is over the threshold",
    "go_bust_guard": ".. times the chance that the alarm flips the Guard",
    "go_bust_last": ".. and with no stealth left",
    "go_bust_1_to_go": "the chance to go over, times that of the suit, one card short of a crack",
    "go_guard": "the chance that the next card is the Guard",
    "go_guard_last": ".. with no stealth left",
    "go_guard_one_left": ".. with one stealth left",
    "go_guard_1_to_go": ".. one card short of a crack",
    "go_shown": "its Guard lies in its display",
    "go_shown_last": ".. with no stealth left",
    "go_shown_suit": ".. times the chance of the suit",
    "go_room": "each ten points of room below the threshold",
    "go_room_2": ".. squared",
    "go_room_near": "room, at most two cards short of a crack",
    "go_room_short": "room, for each card short of a crack",
    "go_others": "each other seat that is still in the round",
    "go_guards": "each other seat's Guard in a display",
    "go_alarm_guard": "the chance that an alarm flips the Guard",
    "go_to_crack": "each safe that is still to be cracked",
    "go_last": "no stealth left",
    "go_short_suit": "the chance of the suit, for each card short of a crack",
}
SAFE_BAIL = {
    "cracked_go": "the pull of another card",
    "cracked_go_unsafe_guard": "a bail would be an alarm: the chance that it flips the Guard",
    "cracked_go_unsafe_last": ".. with no stealth left",
    "cracked_go_bust": "the chance that the next card is over the threshold",
    "cracked_go_bust_guard": ".. times the chance that the alarm flips the Guard",
    "cracked_go_bust_last": ".. and with no stealth left",
    "cracked_go_guard": "the chance that the next card is the Guard",
    "cracked_go_guard_last": ".. with no stealth left",
    "cracked_go_shown": "its Guard lies in its display",
    "cracked_go_shown_last": ".. with no stealth left",
    "cracked_go_reach": "a bail would be an alarm: the chance that the next card mends that",
    "cracked_go_unsafe": "a bail would be an alarm",
    "cracked_go_others": "each other seat in the round with its safe still to crack",
    "cracked_go_guards": "each other seat's Guard in a display",
    "cracked_go_alarm_guard": "the chance that an alarm flips the Guard",
}
OTHERS = {
    "stay_near": "at 21: stay with at most so many cards short of a crack",
    "peek_keep": "peek: discard what is higher and not of the suit",
    "remove_high": "alarm: remove high cards: each point counts this",
    "remove_wanted": "alarm: keep cards of suits that are still wanted",
    "top_value": "Peterman: put a card of the suit on top up to this value",
}
TOOL_WORTH = {
    f"worth_{tool}": f"Hammer: how much the {tool.replace('_', ' ')} is worth to it"
    for tool in (
        *("crowbar", "crystal_ball", "stethoscope", "donuts", "makeup_kit", "emp", "dynamite"),
        *("virus", "smoke_bomb"),
    )
}
TOOL_USE = {
    "last_stealth": "what the loss of a stealth counts to a seat that has none; else 1",
    "close": "what one card less to a crack (from two on) counts to a seat over the threshold",
    "crowbar_from": "used from this worth of keeping a seat in the round on",
    "stethoscope_from": "used from this worth of keeping a seat in the round on",
    "donuts_from": "used from this chance of the Guard, times what it costs, on",
    "makeup_kit_from": "used from so many seats that gain on, or if one has no stealth",
    "emp_from": "used from this cost of the alarms to come on",
    "dynamite_from": "used from this badness of the current cards on",
    "smoke_bomb_from": "used from this cost of the Guards in displays on",
}


def _with(what: str, knobs: dict[str, str]) -> dict[str, str]:
    return {name: f"{what}: {meaning}" for name, meaning in knobs.items()}


KNOBS = {
    **_with("trade", TRADE),
    **_with("trade, once cracked", SAFE_TRADE),
    **_with("go on", BAIL),
    **_with("go on, once cracked", SAFE_BAIL),
    **OTHERS,
    **TOOL_WORTH,
    **_with("tools", TOOL_USE),
}
"""Name and meaning of every knob; the order is that of `kernels.burgle.knobs`."""
