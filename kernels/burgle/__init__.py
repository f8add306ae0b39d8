"""Burgle Bros Blackjack: rules (docs/rules/burgle.md), players and the loops over rollouts.

``layout`` names the cards, columns and arrays; ``table`` holds what a state can be asked;
``simple`` and ``expert`` are the players, ``decisions`` asks the right one; ``play`` is the game.
"""
