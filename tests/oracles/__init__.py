"""Slow second implementations of the games' rules: standard library only, none imports another."""
