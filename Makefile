# make missions   the five missions of Burgle Bros Blackjack, with a report to look at
# make test       all tests
# make check      formatting, lint, types, and which package may import which
# make bench      the benchmarks, as a table

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin

.PHONY: missions test check bench clean

missions: $(VENV)/installed
	$(BIN)/balance run scenarios/burgle/advanced_missions.yaml --out out/missions

test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

check: $(VENV)/installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-test
	$(BIN)/python -m benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) out .mypy_cache .ruff_cache .hypothesis .import_linter_cache
