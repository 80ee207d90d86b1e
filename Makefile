# Two commands do everything on a fresh machine: `make decks` and `make test`.
PYTHON ?= python3
TORCH ?= $(shell sed -n 's/^torch==//p' constraints.txt)
VENV ?= .venv
BIN := $(VENV)/bin
DECKS ?= cards

.PHONY: decks test exhaustive fast bench lint site clean
decks: $(VENV)/ready
	$(BIN)/deckgen build $(DECKS)

# Attacks run last and by themselves, since fork bombs starve their neighbours.
test: $(VENV)/ready-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not hostile and not exhaustive"
	$(BIN)/python -m pytest -q -m hostile

# All of what `test` tries in part.
exhaustive: $(VENV)/ready-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m exhaustive

# Without browsers, long texts and hostile snippets; for the minute between two edits.
fast: $(VENV)/ready-test
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not slow and not hostile"

bench: $(VENV)/ready-test
	$(BIN)/python -m bench

lint: $(VENV)/ready-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	printf '%s\n' linux darwin win32 | xargs -P 2 -I{} $(BIN)/mypy --platform {} --cache-dir .mypy_cache/{}

# Every warning is an error: a link or an anchor that leads nowhere, too.
site: $(VENV)/ready-docs
	$(BIN)/python -m sphinx -q -E -W --keep-going -n -b html -d build/doctrees docs build/site

clean:
	rm -rf $(VENV) build/*.apkg build/*.html build/site build/doctrees

# torch comes first and by number: left to itself, pip fetches gigabytes of CUDA for it.
$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	grep -v '^torch==' constraints.txt > $(VENV)/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==$(TORCH) -c $(VENV)/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[tensorboard,torch]' -c $(VENV)/constraints.txt
	touch $@

$(VENV)/ready-test: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[tensorboard,test,torch]' -c $(VENV)/constraints.txt
	touch $@

$(VENV)/ready-docs: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]' -c $(VENV)/constraints.txt
	touch $@
