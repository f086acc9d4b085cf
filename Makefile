# `make demo` and `make test` do all the set-up on a machine with Python 3.11+ and make.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-oldest check fuzz mutants bench docs site calibration clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@

demo: $(STAMP)
	rm -rf demo
	$(BIN)/irassay demo --out demo

# Kernels are also tested without LLVM intrinsics, and the way a llvmlite without typed pointers compiles them.
KERNEL_TESTS := tests/compute/test_instructions.py tests/scoring tests/panel tests/read/test_runs_and_qrels.py \
	tests/read/test_decimals.py tests/read/test_lines.py tests/read/test_run_formats.py tests/read/test_vocabulary.py \
	tests/vary/test_lane_scores.py tests/vary/test_replicates.py

# Small collections are read, aligned and scored without kernels: the same tests once more, without any.
PLAIN_TESTS := tests/read tests/panel tests/scoring tests/cli

test: $(STAMP) check
	$(BIN)/python -m pytest -n auto --dist loadfile
	IRASSAY_COMPILE=never $(BIN)/python -m pytest -q -n auto --dist loadfile $(PLAIN_TESTS)
	IRASSAY_PLAIN=1 $(BIN)/python -m pytest -q -n auto --dist loadfile $(KERNEL_TESTS)
	LLVMLITE_ENABLE_IR_LAYER_TYPED_POINTERS=0 $(BIN)/python -m pytest -q -n auto --dist loadfile $(KERNEL_TESTS)

# All tests with the oldest version of everything that pyproject.toml admits, in an environment of its own. They know Python 3.11
# to 3.13: PYTHON=python3.11 where python3 is newer.
OLDEST := .venv-oldest
$(OLDEST)/.installed: pyproject.toml tests/oldest.py
	$(PYTHON) -m venv $(OLDEST)
	$(PYTHON) tests/oldest.py > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(OLDEST)/constraints.txt --editable ".[test]"
	touch $@

test-oldest: $(OLDEST)/.installed
	$(OLDEST)/bin/python -m pytest -n auto --dist loadfile

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Until Ctrl-C, or a problem; first a while under numba's bounds check, without intrinsics. SEED=N begins elsewhere.
SEED ?= 0
fuzz: $(STAMP)
	IRASSAY_PLAIN=1 NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.fuzz --seed $(SEED) --cases 2000 --kernels
	$(BIN)/python -m tests.fuzz --seed $(SEED)

# Well over an hour for all modules of irassay.ask, and it goes on where it stopped; MODULES="ranks ties" takes some. A bounds
# check sees what writes past an end; kernels are compiled for each mutant, so not optimised.
mutants: $(STAMP)
	IRASSAY_CACHE=$(CURDIR)/.mutants/kernels IRASSAY_PLAIN=1 NUMBA_BOUNDSCHECK=1 NUMBA_OPT=0 \
		$(BIN)/python -m tests.mutants $(MODULES)

bench: $(STAMP)
	$(BIN)/python -m benchmarks

docs: $(STAMP)
	PYTHONPATH=. $(BIN)/python docs/build.py
	PYTHONPATH=. $(BIN)/python docs/concepts.py
	$(BIN)/python docs/papers.py
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/stubs.py
	$(BIN)/python docs/tutorials.py
	PYTHONPATH=. $(BIN)/python docs/peers.py

# The documentation as pages in site/, to read from disk or to serve; a link that leads nowhere is an error.
site: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# What docs/ says of levels and coverage, measured again: under an hour on two cores.
calibration: $(STAMP)
	@test -n "$$IRASSAY_DATA" || { echo "set IRASSAY_DATA to the folder with trec8-adhoc, robust03 and dl2021" >&2; exit 2; }
	set -e; for page in calibration calibration_tau calibration_leaderboard calibration_estimate comparison coverage \
		judges uncertainty unjudged; do \
		echo "docs/$$page.py"; PYTHONPATH=. $(BIN)/python docs/$$page.py; done

clean:
	rm -rf $(VENV) $(OLDEST) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
		.fuzz .mutants
