"""Tests of the toolkit, the kernels and the reports."""
