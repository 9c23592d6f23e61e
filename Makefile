# Two commands set everything up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test check bench soak clean

demo: $(VENV)/.embedded
	$(BIN)/mmem demo --out build/demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/resolve_core.py

bench: $(VENV)/.dev
	$(BIN)/python -m mmem.bench

soak: $(VENV)/.dev
	$(BIN)/python -m pytest tests/soak --override-ini addopts=--import-mode=importlib

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.embedded: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[embedded]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --editable '.[dev]'
	touch $@ $(VENV)/.embedded

clean:
	rm -rf $(VENV) build dist *.egg-info
