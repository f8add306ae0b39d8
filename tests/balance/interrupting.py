"""Ctrl-C at a moment that a test chooses."""

from typing import Any

import pytest

from balance import simulate

__all__ = ["interrupt_after"]


def interrupt_after(patch: pytest.MonkeyPatch, plays: int) -> None:
    """Ctrl-C when rollouts were played so many times: looks of a check, values of a search."""
    played, play = [0], simulate.Player.play

    def until_then(player: simulate.Player, *words: Any) -> None:
        if played[0] == plays:
            raise KeyboardInterrupt
        played[0] += 1
        play(player, *words)

    patch.setattr(simulate.Player, "play", until_then)
