# make demo   index the books of Demo/ and search them
# make test   run all tests
# Both install what is missing first (Debian and Ubuntu) and need nothing but Swift 6.2 or newer.

SWIFT ?= swift
CORPUS ?=
SCRATCH ?= .build

.DEFAULT_GOAL := help
.PHONY: help setup build demo test recipes format lint sanitize bench clean

help:
	@echo 'make demo      index the books that come with the repository, and search them'
	@echo 'make test      run all tests'
	@echo 'make build     release build of the library and of the textindex command'
	@echo 'make recipes   run the example program and compare what it prints with its comments'
	@echo 'make format    format the sources; make lint checks them'
	@echo 'make sanitize  all tests under the address sanitizer, then under the thread sanitizer'
	@echo 'make bench CORPUS=file.jsonl   measure speed, size and memory'
	@echo 'make setup     only install what is missing (libleveldb-dev libsnappy-dev pkg-config)'

setup:
	@Scripts/setup

build: setup
	$(SWIFT) build -c release --scratch-path $(SCRATCH)

demo: setup
	$(SWIFT) build -c release --product textindex --scratch-path $(SCRATCH)
	@Scripts/demo "$$($(SWIFT) build -c release --show-bin-path --scratch-path $(SCRATCH))/textindex"

test: setup
	$(SWIFT) test --disable-xctest --scratch-path $(SCRATCH)

recipes: setup
	Scripts/check-recipes

format:
	$(SWIFT) format --in-place --recursive --parallel \
	    Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources)

lint:
	$(SWIFT) format lint --strict --recursive --parallel \
	    Package.swift Sources Tests $(wildcard Benchmarks/Package.swift Benchmarks/Sources)

# The sanitizers' runtimes need lld on Linux: the default linker drops their symbols.
sanitize: setup
	$(SWIFT) test --sanitize=address --disable-xctest -Xswiftc -use-ld=lld --scratch-path .build-asan
	$(SWIFT) test --sanitize=thread --disable-xctest -Xswiftc -use-ld=lld --scratch-path .build-tsan

bench: setup
	@test -n "$(CORPUS)" || { echo 'make bench: name a JSON Lines file: make bench CORPUS=file.jsonl' >&2; exit 2; }
	$(SWIFT) run -c release --package-path Benchmarks Benchmarks "$(abspath $(CORPUS))"

clean:
	rm -rf .build .build-asan .build-tsan Benchmarks/.build Examples/.build
