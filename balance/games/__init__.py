"""The games: what each tells the toolkit about its rules, players and outcomes, and where it plays.

A game registers itself under the entry-point group `balance.games`; another package can add one.
"""

from balance.games.base import Column, Game, Packed
from balance.games.registry import game_names, load_game

__all__ = ["Column", "Game", "Packed", "game_names", "load_game"]
