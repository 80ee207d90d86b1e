# Two commands do everything on a fresh machine: `make decks` and `make test`.
PYTHON ?= python3
TORCH ?= $(shell sed -n 's/^torch==//p' constraints.txt)
VENV ?= .venv
BIN := $(VENV)/bin
DECKS ?= cards

.PHONY: decks test fast bench lint clean
decks: $(VENV)/ready
	$(BIN)/deckgen build $(DECKS)

# Attacks run last and by themselves, since fork bombs starve their neighbours.
test: $(VENV)/ready-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not hostile"
	$(BIN)/python -m pytest -q -m hostile

# Without browsers, long texts and hostile snippets; for the minute between two edits.
fast: $(VENV)/ready-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow and not hostile"

bench: $(VENV)/ready-test
	$(BIN)/python -m bench

lint: $(VENV)/ready-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build/*.apkg build/*.html

# torch comes first and by number: left to itself, pip fetches gigabytes of CUDA for it.
$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	grep -v '^torch==' constraints.txt > $(VENV)/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) -c $(VENV)/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[tensorboard]' -c $(VENV)/constraints.txt
	touch $@

$(VENV)/ready-test: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[tensorboard,test]' -c $(VENV)/constraints.txt
	touch $@
