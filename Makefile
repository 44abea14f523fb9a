# make run: set up and open the app.  make test: set up and check it, in minutes.  make check: more.  make test-all: everything.
VENV   := .venv
PYTHON ?= python3
BIN    := $(VENV)/bin
# A journey that fails once and then passes is named; only one that fails twice stops.
JOURNEYS := $(BIN)/python -m pytest -n 2 --dist load --durations 12 --reruns 1 -rR tests/browser

# Compiled modules are kept, whatever a container says: every process that a test starts would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check lint kernels test-all look wheel docs lowest lock locked audit clean

run: $(VENV)/.run
	$(BIN)/streamlit run app.py

# Six minutes on two cores: what a change may break at once, the main journeys in a browser among it; of alike cases
# one in ten.
test: $(VENV)/.dev
	$(MAKE) -j2 lint kernels
	$(BIN)/python -m pytest -n 2 --dist loadfile --durations 12 -m "not long" --ignore tests/browser
	$(JOURNEYS) -m "not long"

# All tests: every case and journey, the wheel, the reference, the lessons' claims, clusters of workers, kills, a third of
# the attack.
check: $(VENV)/.dev
	$(MAKE) -j2 lint kernels
	CONCORD_VOLUME=8.4 $(BIN)/python -m pytest -n 2 --dist loadfile --durations 12 --ignore tests/browser
	$(JOURNEYS)

# Also what takes too long for every change: all pages on all odd data sets, faults at every moment, every bit flipped,
# and the whole of the attack on every door.
test-all: check
	CONCORD_ALL=1 $(BIN)/python -m pytest -n 2 tests/app/test_odd_data.py
	CONCORD_ALL=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests/engine/studies/test_faults.py \
		tests/engine/studies/test_faults_dask.py tests/engine/studies/test_store_faults.py
	CONCORD_ALL=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests/attack

# Every page at six sizes, light and dark, with own labels and 20,000 objects: complaints, and pictures to look at.
look: $(VENV)/.dev
	$(BIN)/python -m bench.look

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

kernels: $(VENV)/.dev
	$(BIN)/python -m engine.warm

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt | $(VENV)/bin/python
	$(BIN)/pip install -q -r requirements-dev.txt
	touch $@ $(VENV)/.run

# What requirements.txt needs, down to the last package, with the hashes of its files; uv is the one tool it takes.
lock:
	(echo "# What \`make locked\` installs: requirements.txt and all it needs, each file by its hash. Made by \`make lock\`."; \
	uv pip compile requirements.txt --generate-hashes --universal --python-version 3.11 --no-emit-index-url \
		--no-emit-find-links --no-header --no-annotate -q) > requirements.lock.new
	mv requirements.lock.new requirements.lock

# The app with exactly these files: one that has another hash is refused.
locked: $(VENV)/bin/python
	$(BIN)/pip install -q --require-hashes -r requirements.lock
	touch $(VENV)/.run

# Known weaknesses of what is locked: pip-audit's where its data are in reach, those of .ci/advisories.toml always.
audit: $(VENV)/.dev
	$(BIN)/python -m bench.audit

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
