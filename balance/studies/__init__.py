"""Studies: one module for each question that a designer asks, answered by simulation.

May import the toolkit below it (scenario, simulate, headline, statistics) and no presentation:
a study returns numbers and DataFrames, `balance.answers` says how they are shown.
"""
