"""Tests of the toolkit: from the scenario file to the answer."""
