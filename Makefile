# make help lists what can be made. Everything lives in .venv and build; outside the checkout nothing is installed, but
# for Debian's python3-venv or chromium where they are missing and you are root.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SET_UP := $(BIN)/python tools/set_up.py
JOBS ?= auto
PROOF := PYTHONPATH=tests:tests/support $(BIN)/python
BESIDE := sh tools/beside-lint "$(MAKE)"
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help play terminal test quick lint lint-changed format golden editions strength boards pictures mutants soak fuzz bench delay storm speed bare-machine clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: $(VENV)/ready ## set everything up and race in the browser
	@$(BIN)/avecaesar serve --open

terminal: $(VENV)/ready ## set everything up and race in the terminal
	@$(BIN)/avecaesar play

test: $(VENV)/ready-to-develop ## set everything up, lint, and run every test; the pages' in a real Chromium
	@$(SET_UP) test
	@$(BESIDE) lint $(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup --durations=20

quick: $(VENV)/ready-to-develop ## lint what you changed, and the tests that need no browser, no server and no patience; a minute or so
	@$(BESIDE) lint-changed $(BIN)/python -m pytest -q -n $(JOBS) --dist loadgroup -m "not long"

lint: $(VENV)/ready-to-develop ## ruff, mypy strict, import-linter, and the types of the pages by tsc
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@tools/check-types

lint-changed: $(VENV)/ready-to-develop ## the same, but only what has changed since this branch left main
	@$(BIN)/python tools/lint_changed.py

format: $(VENV)/ready-to-develop ## put the code into its form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

golden: $(VENV)/ready-to-develop ## write the golden playthroughs and perft counts anew
	@$(PROOF) tests/support/golden.py

editions: $(VENV)/ready-to-develop ## measure how each edition changes the race: docs/editions.md, a quarter of an hour
	@$(BIN)/python tools/editions.py

boards: $(VENV)/ready-to-develop ## measure the boards with good drivers: docs/boards.md, half an hour
	@$(BIN)/python tools/boards.py

strength: $(VENV)/ready-to-develop ## who drives better: the arenas of docs/drivers.md, an hour on two cores; goes on where it was interrupted
	@tools/strength

pictures: $(VENV)/ready-to-develop ## draw the boards and the table in docs/ anew
	@tools/pictures

mutants: $(VENV)/ready-to-develop ## break the rules one by one and see the tests notice
	@$(BIN)/python tools/mutants.py

soak: $(VENV)/ready-to-develop ## the long proofs: a million races in lockstep with the referee, 100,000 spoilt files, all drivers, 100 crashes
	@$(PROOF) tests/support/lockstep.py --races 1000000
	@$(PROOF) tests/records/test_record_fuzz.py --inputs 100000
	@$(PROOF) tests/drivers/test_searcher.py --races 3000
	@$(PROOF) tests/server/store/test_crashes.py --kills 100

fuzz: $(VENV)/ready-to-develop ## a million messages of all kinds to the server; an hour on two cores; goes on where it was interrupted
	@$(PROOF) tests/server/attacks/test_server_fuzz.py --messages 1000000 --coverage 20000

bench: $(VENV)/ready-to-bench ## how fast it is, beside OpenSpiel in the same run; ten minutes
	@$(BIN)/python tools/bench.py

delay: $(VENV)/ready-to-develop ## how long news take while six searchers think at other tables; five minutes
	@$(BIN)/python tools/delay.py

storm: $(VENV)/ready-to-develop ## an hour of mixed attacks while 20 tables race: how long anybody waits, and what it takes
	@$(BIN)/python tools/storm.py

speed: $(VENV)/ready-to-develop ## how fast the page loads and draws, in a real Chromium; five minutes on a quiet machine
	@$(SET_UP) test
	@$(BIN)/python tools/page_speed.py

bare-machine: ## both newcomer's commands on minimal Debians made for it, as root and as a user; needs root, hours
	@tools/bare-machine

clean: ## forget the environment and all caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/ready: pyproject.toml tools/make-venv
	@sh tools/make-venv "$(PYTHON)" $(VENV)
	@$(SET_UP) play
	@touch $@

$(VENV)/ready-to-develop: $(VENV)/ready
	@$(SET_UP) develop
	@touch $@

$(VENV)/ready-to-bench: $(VENV)/ready
	@$(SET_UP) bench || echo "OpenSpiel cannot be installed here: the bench runs without it" >&2
	@touch $@
