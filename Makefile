# One way to do each thing. A clean checkout needs Python 3.11 or newer, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= dev
DEV := $(VENV)/.$(EXTRAS)
# LOCK=requirements/ci.txt installs exactly what is listed there, by hash; it has the extras dev and avd.
LOCK ?=
TOOLS := build/tools/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup --durations=10 --durations-min=5
FUZZ_SECONDS ?= 60
MUTANTS ?= 300
DEMO := iei-rocev2
# Tests start netplan hundreds of times; without bytecode each compiles all of it, which is half of a small run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-full test-all fuzz mutants check golden docs manual bench upstream wheel lock audit sbom release clean

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(BIN)/netplan: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(DEV): $(BIN)/python pyproject.toml $(LOCK)
ifeq ($(LOCK),)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]'
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(LOCK)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $(DEV) $(BIN)/netplan

demo: $(BIN)/netplan ## render a real inventory into build/ and show the result
	$(BIN)/netplan render inventories/$(DEMO).yaml -o build/$(DEMO)
	@echo
	@$(BIN)/python tools/tree.py build/$(DEMO)

test: $(DEV) ## the quick tests, some of every kind, in minutes; tests whose tools are missing are skipped with the reason
	$(PYTEST) -m "not full"

test-full: $(DEV) ## what make test leaves out: every mutation, the rest of the matrices, labs and random files
	$(PYTEST) -m full

test-all: $(DEV) ## all tests, in one run
	$(PYTEST)

fuzz: $(DEV) ## nightly: every mistake in every inventory, every edit of a tree, then the loader guided by coverage
	$(BIN)/python -m pytest -n auto --nightly tests/test_mutations.py tests/test_edits.py tests/test_delivery.py tests/netns tests/changes
	NETPLAN_PAIRS=1000 $(BIN)/python -m pytest -n auto -k often tests/changes
	$(BIN)/python tools/fuzz_loader.py --seconds $(FUZZ_SECONDS) --crashes build/crashes

mutants: $(DEV) ## nightly: change one place at a time of what reads, plans and judges; 95 % must fail a test
	$(BIN)/python -m tools.mutants --count $(MUTANTS)

check: $(DEV) ## formatting, lint, types, branches per function, import layers, generated docs, dead links of the manual
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NETPLAN_REQUIRE= $(BIN)/python -m pytest -q -p no:xdist tests/test_complexity.py
	$(BIN)/python tools/docs.py --check
	$(BIN)/python tools/precision.py --check
	$(BIN)/python tools/manual.py

golden: $(DEV) ## rewrite golden files from the current output; read git diff afterwards
	$(BIN)/python -m pytest -q --update-golden tests

docs: $(DEV) ## rewrite the generated pages and pictures of docs/, and the output that pages show
	$(BIN)/python tools/docs.py
	$(BIN)/python tools/precision.py
	$(BIN)/python tools/console.py

manual: $(DEV) ## build the manual into build/manual; a dead link, or a page outside of mkdocs.yml, fails
	$(BIN)/python tools/manual.py

bench: $(DEV) ## CPU time against plain PyYAML and other generators, up to 12,500 hosts: benchmarks/results.md
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/trace.py
	$(BIN)/python benchmarks/diff.py

upstream: $(DEV) ## fetch the upstream schemas that tests compare with (needs internet)
	$(BIN)/python tools/fetch_upstream.py "$${NETPLAN_UPSTREAM:-../shared/upstream}"

wheel: $(DEV) ## build the wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps -w dist .

$(TOOLS)/%: requirements/tools.in
	$(PYTHON) -m venv build/tools
	build/tools/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/tools.in
	@touch $(TOOLS)/pip-compile $(TOOLS)/pip-audit

lock: $(TOOLS)/pip-compile ## rewrite requirements/*.txt from pyproject.toml (Python 3.11 on Linux; needs internet)
	sh requirements/compile.sh $(TOOLS)/pip-compile

audit: $(TOOLS)/pip-audit ## known vulnerabilities of what the locks list (needs internet)
	$(TOOLS)/pip-audit --require-hashes --disable-pip -r requirements/runtime.txt
	$(TOOLS)/pip-audit --require-hashes --disable-pip -r requirements/ci.txt

sbom: $(BIN)/netplan ## CycloneDX list of what a release needs, from the lock, into dist/
	@mkdir -p dist
	$(BIN)/python tools/sbom.py > dist/sbom.cdx.json

build/release/bin/python: requirements/build.txt
	$(PYTHON) -m venv build/release
	$@ -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.txt
	@touch $@

release: sbom build/release/bin/python ## what is published: wheel, sdist, their bill of materials, provenance and SHA256SUMS, in dist/
	rm -f dist/*.whl dist/*.tar.gz
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) build/release/bin/python -m hatchling build -d dist
	$(BIN)/python -m tools.provenance dist

clean: ## remove what make made
	rm -rf $(VENV) build dist
