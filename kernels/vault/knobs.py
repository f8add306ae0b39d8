"""Where the policies keep their knobs."""

# what `expert` weighs by; the names and meanings are in balance/games/vault_expert.py
(
    TOKEN,
    TOKEN_LATE,
    TRAINING_CARD,
    LOOT_BONUS,
    RIVAL_LOOT,
    SPITE,
    FAIL,
    SKIP_WORTH,
    LAST_BREAK,
    REACH_REVEAL,
    PEEK,
    BREAK_FROM,
    JOIN_FROM,
    PARTNER_CARDS,
    PARTNER_ODDS,
    WASTE,
    REVEAL_LEAD,
    ACT_FROM,
) = range(18)

# what the rule-of-thumb players (hasty, patient, loner) go by
BREAK_AT, JOIN_AT, LONER = range(3)
