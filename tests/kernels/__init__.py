"""Tests of the kernels: every rule of a game by its ID, and what holds for all games."""
