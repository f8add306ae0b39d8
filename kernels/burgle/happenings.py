"""The kinds of events that a game of Burgle Bros Blackjack records, and their three numbers."""

(
    DEALT,  # first: the Guard, second: cards in the deck; LAID rows follow
    LAID,  # first: a card of the deck just dealt or shuffled, from its top
    ROUND_STARTED,
    TURN_STARTED,
    SHUFFLED,  # first: cards in the deck; LAID rows follow
    DRAWN,  # first: the card
    NOT_DRAWN,
    TRADED,  # seat: the giver; first: the card, second: the receiver
    PEEKED,  # first: the card, second: 1 if discarded, third: 1 if it came of a twenty-one
    STAYED,
    LEFT_TO_PEEK,
    LEFT_TO_DISCARD,  # first: the Guard, second: its owner
    SAFE_CRACKED,  # first: the pile that cracked it, second: 1 for a straight flush
    BURNED,  # first: the card
    ALARMED,  # first: the cause
    FLIPPED,  # first: the card
    STEALTH_PAID,  # first: the cause, second: what is left
    CAUGHT,  # first: the cause
    CARD_REMOVED,  # first: the card
    BAILED,
    ROUND_ENDED,
    ENDED,
) = range(1, 23)
