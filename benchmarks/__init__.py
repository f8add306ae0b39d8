"""Timings. `python -m benchmarks` prints them as tables; nothing here asserts a time."""
