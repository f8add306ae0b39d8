"""The command `balance`: each command parses its options, calls the toolkit and prints."""

from balance.cli import about, play, players, questions
from balance.cli.command import app, main

__all__ = ["about", "app", "main", "play", "players", "questions"]
