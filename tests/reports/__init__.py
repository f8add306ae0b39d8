"""Tests of tables, charts and pages: DataFrames in, nothing of games or kernels."""
