"""Vault Breakers: rules (docs/rules/vault.md), players and the loops over rollouts.

``layout`` names the cards, columns and arrays; ``hand``, ``tokens`` and ``loot`` hold what seats
own; ``cards`` and ``breaking`` are the actions, the reactions and the vault; ``simple`` and
``expert`` are the players, ``decisions`` asks the right one; ``play`` is the game.
"""
