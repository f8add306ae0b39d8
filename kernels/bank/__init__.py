"""Bank Robbers: rules (docs/rules/bank.md), players and the loops over rollouts.

``layout`` names the cards, columns and arrays; ``robbery`` resolves one robbery; ``banks`` moves
cards; ``beliefs`` holds what a seat can know, ``simple`` and ``players`` decide by it, and
``decisions`` asks the right one; ``play`` is the game, ``stage`` a robbery alone.
"""
