# make run: set up and open the app.  make test: set up and check everything.
VENV   := .venv
PYTHON ?= python3
BIN    := $(VENV)/bin

.PHONY: run test lint test-all look wheel docs lowest clean

run: $(VENV)/.run
	$(BIN)/python -m engine.warm &
	$(BIN)/streamlit run app.py

test: $(VENV)/.dev lint
	$(BIN)/python -m engine.warm
	$(BIN)/python -m pytest -n 2 --dist loadfile --durations 12 --ignore tests/browser
	$(BIN)/python -m pytest --durations 12 tests/browser

# Also what takes too long for every change: all pages on all odd data sets.
test-all: test
	CONCORD_ALL=1 $(BIN)/python -m pytest -n 2 tests/app/test_odd_data.py

# Every page at four sizes, light and dark: complaints, and pictures to look at.
look: $(VENV)/.dev
	$(BIN)/python -m bench.look

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -r requirements-dev.txt
	touch $@ $(VENV)/.run

wheel: $(VENV)/bin/python
	$(BIN)/pip wheel -q --no-deps -w dist .

# The reference of the library, from its docstrings, in build/reference.
docs: $(VENV)/.dev
	$(BIN)/python -m docs.reference.build

# The lowest versions that pyproject.toml names, in an environment of their own: what it prints is what works.
lowest: $(VENV)/.dev
	$(BIN)/python -m bench.lowest_versions

clean:
	rm -rf $(VENV)
