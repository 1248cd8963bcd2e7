# make demo   index the books of Demo/ and search them
# make test   run all tests
# Both install what is missing first (Debian and Ubuntu) and need nothing but Swift 6.2 or newer.

SWIFT ?= swift
CORPUS ?=
SCRATCH ?= .build
QUERIES ?=
SHORT ?=
ROUNDS ?= 3
QUICK ?=
# Seconds that each target is fuzzed.
TIME ?= 30
SIZES ?= 10 30 100 300 1000
# Stores, drivers and results of comparisons.
WORK ?= $(SCRATCH)/compare
# For what a package must not ask of those who depend on it, such as warnings as errors.
SWIFT_FLAGS ?=
# All of the package: the command with its server, and the library over GRDB.
TRAITS ?= Command,GRDB
# One build serves everything: the engine alone takes minutes. Tests need what is internal, so all
# of it is built with that open. SwiftPM 6.3 passes the traits in the order of a hash table, another
# one in each process, and builds all anew where the order is another one: so hashes are fixed.
BUILD = $(unless_built) SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build -c release -Xswiftc -enable-testing --traits $(TRAITS) --scratch-path $(SCRATCH) $(SWIFT_FLAGS)
# BUILT=1 takes what is built as it is, after `make build` and `make fuzz-build`: SwiftPM needs 2 to
# 17 seconds each time to see that there is nothing to do.
BUILT ?=
unless_built = $(if $(BUILT),: built already:)
PROGRAMS = $(SCRATCH)/release
# The examples are laid out for reading, wider than the rest.
FORMATTED = Package.swift Sources Tests Demo/Command Benchmarks Fuzz

.DEFAULT_GOAL := help
.PHONY: help setup build demo test recipes documents nightly format lint sanitize coverage fuzz fuzz-build torture golden textindex browser-test spark-test spark-setup spark-check spark-cost load hostile fuzz-http bench queries compare growth gates figures clean

help:
	@echo 'make demo      index the books that come with the repository, and search them'
	@echo 'make test      run all tests'
	@echo 'make textindex the command, as .build/release/textindex'
	@echo 'make build     everything: library, command, tests, examples, benchmark'
	@echo 'make recipes   run the example program and compare what it prints with its comments'
	@echo 'make documents   hold links, names of tests and the program of the README against what is there'
	@echo 'make nightly   the checks of a push, with all rounds of the long ones'
	@echo 'make format    format the sources; make lint checks them'
	@echo 'make sanitize  all tests under the address sanitizer, then under the thread sanitizer'
	@echo 'make coverage  how much of the library the tests run, in all and by folder'
	@echo 'make fuzz TIME=30   each fuzzing target for so many seconds'
	@echo 'make torture KILLS=2000 FOLLOW=2000 IMAGES=100000 TABLES=10000 FLIPS=20000 ORACLE=1800 SOAK=1800 MEMORY=1000 SPARK=50 RAY=50 FUZZ=600   the long tests of reliability'
	@echo 'make bench CORPUS=file.jsonl   measure speed, size and memory'
	@echo 'make compare CORPUS=file.jsonl QUERIES=folder [SHORT=file.jsonl] [QUICK=1]   the same beside SQLite FTS5, tantivy and Xapian'
	@echo 'make queries CORPUS=file.jsonl QUERIES=folder   draw the queries of both from a corpus'
	@echo 'make growth CORPUS=file.jsonl QUERIES=folder   speed, memory and opening from 10 MB to 1 GB of text'
	@echo 'make figures   draw the pictures of both; make gates holds counts against Benchmarks/gates.json'
	@echo 'make browser-test   the search page of textindex serve in a real browser; FIGURES=folder keeps pictures of it'
	@echo 'make spark-test   build and search sets of shards on Spark and Ray, with faults; without Java it is skipped'
	@echo 'make spark-check  a part of that in at most three minutes, where Java and PySpark are installed; make spark-setup installs them'
	@echo 'make spark-cost CORPUS=file.jsonl [QUERIES=file.jsonl]   what building a set on Spark costs, after make spark-test'
	@echo 'make load CORPUS=file.jsonl   textindex serve under load for SECONDS=60; make fuzz-http   with what its OpenAPI document allows'
	@echo 'make hostile   textindex serve, in 512 MB of address space, for SECONDS=60 under the worst requests over the worst objects'
	@echo 'make setup     only install what is missing (libleveldb-dev libsnappy-dev libstemmer-dev pkg-config)'

setup:
	@Scripts/setup

build: setup
	$(BUILD) --build-tests --disable-xctest

# The command without its server: that and its packages take as long to build as the engine. Where
# nothing is built yet, a build without optimization is there in a minute and a half instead of six.
demo: setup
	@if [ -x $(PROGRAMS)/Demonstration ]; then \
	    $(BUILD) --product Demonstration && Scripts/demo $(PROGRAMS)/Demonstration; \
	else \
	    $(SWIFT) build --traits Command --scratch-path $(SCRATCH) --product Demonstration && \
	    Scripts/demo $(SCRATCH)/debug/Demonstration && \
	    echo 'This build is not optimized: it indexes a fifth and searches a tenth as fast as make textindex.'; \
	fi

test: setup
	@BUILT="$(BUILT)" SWIFT="$(SWIFT)" Scripts/test --traits $(TRAITS) --scratch-path $(SCRATCH) $(SWIFT_FLAGS)

recipes: setup
	$(BUILD) --product Readme
	$(BUILD) --product Recipes
	Scripts/check-recipes $(PROGRAMS)
	SCRATCH="$(SCRATCH)" Scripts/check-apple

documents:
	@Scripts/check-documents
	@Scripts/check-deployment

# Java comes from Debian, PySpark and Ray from PyPI, some 800 MB. Without them it is skipped.
spark-test: textindex
	@Scripts/spark-test $(PROGRAMS) $(SCRATCH)

# Only installs what spark-check needs.
spark-setup:
	@Scripts/spark-test $(PROGRAMS) $(SCRATCH) install

spark-check: textindex
	@Scripts/spark-test $(PROGRAMS) $(SCRATCH) short

# What building a set on Spark costs, from 1 to 8 shards; QUERIES is a file of lines {"query": …}.
spark-cost: textindex
	@test -n "$(CORPUS)" || { echo 'make spark-cost: name a JSON Lines file: make spark-cost CORPUS=file.jsonl' >&2; exit 2; }
	TEXTINDEX="$(abspath $(PROGRAMS))/textindex" $(SCRATCH)/spark/bin/python Spark/benchmarks/cost.py "$(CORPUS)" $(QUERIES)

format:
	$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)
	@Scripts/check-comments

# The sanitizers' runtimes need lld on Linux: the default linker drops their symbols. Leaks are not
# looked for: Foundation on Linux leaks where it reads files, and static data of tests counts as
# leaked. Under the thread sanitizer two tests run at a time: more of them spend their time waiting.
# It does not see, with Swift 6.3 on Linux, that what a continuation is resumed with is handed over:
# a program of 40 lines that does nothing else is reported. A server hands over everything so, its
# libraries too, so that its tests run under the address sanitizer alone. Now and then a test of
# `repl` fails for it, whose process reports its counts.
sanitize: setup
	@ASAN_OPTIONS=detect_leaks=0 SWIFT="$(SWIFT)" Scripts/test --sanitize=address -Xswiftc -DADDRESS_SANITIZER -Xswiftc -use-ld=lld --scratch-path .build-asan
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 SWIFT="$(SWIFT)" Scripts/test --skip ServerTests --sanitize=thread -Xswiftc -DTHREAD_SANITIZER -Xswiftc -use-ld=lld \
	    --scratch-path .build-tsan

# LINES=Sources/TextSearch/Store also prints the lines of a folder that no test runs. What a killed
# child process ran does not count.
LINES ?=
coverage: setup
	$(SWIFT) test --enable-code-coverage --disable-xctest --scratch-path .build-coverage $(SWIFT_FLAGS)
	@Scripts/coverage .build-coverage $(if $(LINES),--lines "$(LINES)")

# New inputs that reach more of the code go to .build-fuzz/corpus; a failure leaves its input in
# .build-fuzz/found. The backtracer of a process that crashes under a fuzzer hangs. SwiftPM (6.3)
# does not see on its own that the package that Fuzz depends on has a new file.
FUZZ_SCRATCH ?= .build-fuzz
FUZZ_TARGETS ?= query records postings lines analysis
fuzz-build: setup
	@$(unless_built) touch Fuzz/Package.swift
	$(unless_built) $(SWIFT) build --package-path Fuzz --sanitize fuzzer --disable-index-store -Xswiftc -parse-as-library --scratch-path $(FUZZ_SCRATCH)

fuzz: fuzz-build
	@mkdir -p $(FUZZ_SCRATCH)/found
	@set -e; for target in $(FUZZ_TARGETS); do \
	    mkdir -p "$(FUZZ_SCRATCH)/corpus/$$target"; \
	    echo "fuzzing: $$target"; \
	    FUZZ_TARGET=$$target SWIFT_BACKTRACE=enable=no $(FUZZ_SCRATCH)/debug/Fuzz -max_total_time=$(TIME) -max_len=4096 -timeout=10 \
	        -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 -artifact_prefix="$(FUZZ_SCRATCH)/found/$$target-" \
	        "$(FUZZ_SCRATCH)/corpus/$$target" "Fuzz/Corpus/$$target"; \
	done

# KILLS, IMAGES, FLIPS, FAULTS, SOAK, MEMORY, SPARK, RAY, FUZZ, SEED: see Scripts/torture and
# Documentation/Reliability.md.
torture: setup
	@SWIFT="$(SWIFT)" SCRATCH="$(SCRATCH)" Scripts/torture

# All seeds of the property tests, then the long tests for about an hour.
nightly: setup
	@TEXTSEARCH_WHOLE=1 SWIFT="$(SWIFT)" Scripts/test --traits $(TRAITS) --scratch-path $(SCRATCH) $(SWIFT_FLAGS)
	@SWIFT="$(SWIFT)" SCRATCH="$(SCRATCH)" KILLS=$${KILLS:-400} FOLLOW=$${FOLLOW:-400} IMAGES=$${IMAGES:-20000} TABLES=$${TABLES:-2000} ORACLE=$${ORACLE:-300} FLIPS=$${FLIPS:-4000} SOAK=$${SOAK:-600} \
	    MEMORY=$${MEMORY:-300} SPARK=$${SPARK:-20} RAY=$${RAY:-20} FUZZ=$${FUZZ:-120} Scripts/torture

# Stored indexes of the present format, for the tests; those of a format that was released stay as
# they are.
golden:
	TEXTSEARCH_GOLDEN="$(CURDIR)/Tests/StorageTests/Fixtures/indexes" SWIFT="$(SWIFT)" Scripts/test --traits $(TRAITS) --scratch-path $(SCRATCH) \
	    --filter 'GoldenTests/write'

bench: setup
	@test -n "$(CORPUS)" || { echo 'make bench: name a JSON Lines file: make bench CORPUS=file.jsonl' >&2; exit 2; }
	$(BUILD) --product Benchmark
	$(BENCHMARK) "$(CORPUS)"

# The program that measures; everything that compares is in Benchmarks/ and explained in
# Documentation/Benchmarks.md.
BENCHMARK = $(PROGRAMS)/Benchmark
.PHONY: benchmark named-inputs
benchmark: setup
	$(BUILD) --product Benchmark

queries:
	@test -n "$(CORPUS)" -a -n "$(QUERIES)" || { echo 'make queries: name both: make queries CORPUS=file.jsonl QUERIES=folder' >&2; exit 2; }
	python3 Benchmarks/queries.py "$(CORPUS)" "$(QUERIES)"

# Before the minutes that building takes.
named-inputs:
	@test -n "$(CORPUS)" -a -n "$(QUERIES)" || { echo 'Name both: make $(MAKECMDGOALS) CORPUS=file.jsonl QUERIES=folder' >&2; exit 2; }
	@PYTHONPATH=Benchmarks python3 -c 'import sys, comparison; comparison.check_inputs(*sys.argv[1:])' "$(QUERIES)" "$(CORPUS)" "$(SHORT)"

compare: named-inputs benchmark
	Benchmarks/Peers/setup "$(WORK)/peers"
	python3 Benchmarks/compare.py "$(CORPUS)" "$(QUERIES)" $(if $(SHORT),--short "$(SHORT)") --rounds $(ROUNDS) $(if $(QUICK),--quick) \
	    --benchmark "$(BENCHMARK)" --work "$(WORK)"

growth: named-inputs benchmark
	python3 Benchmarks/growth.py "$(CORPUS)" "$(QUERIES)" --benchmark "$(BENCHMARK)" --work "$(WORK)" --sizes $(SIZES) --rounds $(ROUNDS)

textindex: setup
	$(BUILD) --product textindex

# Chromium and Debian's fonts for its scripts are installed if they are missing.
FIGURES ?=
browser-test: textindex
	@Scripts/install chromium chromium fonts-noto-core fonts-noto-cjk
	python3 Tests/Browser/browser_test.py $(PROGRAMS)/textindex $(if $(FIGURES),--figures "$(abspath $(FIGURES))")

SECONDS ?= 60
load: textindex
	@test -n "$(CORPUS)" || { echo 'make load: name a JSON Lines file: make load CORPUS=file.jsonl' >&2; exit 2; }
	@Scripts/install wrk wrk
	Scripts/load $(PROGRAMS)/textindex "$(CORPUS)" $(SECONDS)

# The worst requests over the worst objects, in 512 MB of address space, for SECONDS=60.
hostile: textindex
	Scripts/hostile $(PROGRAMS)/textindex $(SECONDS) $(SEED)

EXAMPLES ?= 100
fuzz-http: textindex
	Scripts/fuzz-http $(PROGRAMS)/textindex "$(abspath $(SCRATCH))/schemathesis" $(EXAMPLES)

# Of what `make compare` and `make growth` left.
figures:
	"$(WORK)/peers/venv/bin/python" Benchmarks/figures.py Documentation/Figures $(wildcard $(WORK)/results.json $(WORK)/growth.json)

# Valgrind is installed if it is missing; WITHOUT_VALGRIND=1 leaves out what it counts, where it
# cannot be had.
WITHOUT_VALGRIND ?=
gates: benchmark
	@$(if $(WITHOUT_VALGRIND),,Scripts/install valgrind valgrind)
	python3 -m unittest discover --quiet Benchmarks
	python3 Benchmarks/gates.py --benchmark "$(BENCHMARK)" --work "$(SCRATCH)/gates" $(if $(WITHOUT_VALGRIND),--without-valgrind)

clean:
	rm -rf .build .build-asan .build-tsan .build-coverage .build-fuzz
