# The two commands of the README, and what they are made of. Any of them may be
# run again at any time; work that is done is not repeated.
#
#   make test BUILD=build-dev WERROR=1 JOBS=8
BUILD ?= build
WERROR ?= 0
JOBS ?= $(shell nproc)

.PHONY: help setup configure build programs demo examples test lint format clean

help:
	@echo 'make demo      build the programs and run those that JAX compiled, on this CPU'
	@echo 'make examples  build the programs of examples/ and run them'
	@echo 'make test      build everything and run every test'
	@echo 'make build     build everything; programs are in $(BUILD)/bin'
	@echo 'make lint      check formatting, layers and style'
	@echo 'make format    format the C++ sources in place'
	@echo 'make setup     install missing Debian packages (as root)'
	@echo 'make clean     remove $(BUILD)'
	@echo
	@echo 'BUILD=FOLDER (build), WERROR=1 (warnings are errors), JOBS=N (processors)'

setup:
	@build_tools/setup.sh

configure: setup
	@cmake -G Ninja -S . -B $(BUILD) --log-level=WARNING \
	  -DCMAKE_BUILD_TYPE=Release -DTHUNKY_WERROR=$(WERROR)

build: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

programs: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target programs

demo: programs
	@$(BUILD)/bin/thunky_demo test/fixtures/jax-0.11.2-ptx

examples: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target examples
	@build_tools/run_tests.sh $(BUILD) $(JOBS) -L '^examples$$'

test: build
	@build_tools/run_tests.sh $(BUILD) $(JOBS)

lint:
	@build_tools/setup.sh --ci
	@build_tools/ci/format.sh
	@build_tools/check_layers.py
	@build_tools/check_style.py

format:
	@build_tools/setup.sh --ci
	@build_tools/ci/format.sh --fix

clean:
	rm -rf $(BUILD)
