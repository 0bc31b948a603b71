# The two most important commands are make demo and make test.
GO = go

# Without cgo the tools are linked statically and start 0.9 ms sooner.
export CGO_ENABLED = 0

# In an unpacked source archive Go finds no git checkout, so the version and the commit come from
# the files VERSION and COMMIT. git archive fills COMMIT.
RELEASED = $(shell grep -v Format: scripts/release/COMMIT | cut -c 1-12)
NAMED = -ldflags "-X doppel/pkg/tool/version.Version=$(shell cat scripts/release/VERSION) -X doppel/pkg/tool/version.Commit=$(RELEASED)"

all:
	$(GO) build -trimpath $(if $(RELEASED),$(NAMED)) -o bin/ ./cmd/...

demo: all
	@PATH="$(CURDIR)/bin:$$PATH" sh scripts/demo

# Tests are not cached, because the cache does not notice changes to the tools that cmd_test
# builds. A test that needs a system program runs only if the program is installed; the tests
# that did not run are listed at the end. With CI=true a missing program is an error. With TIMES=1
# the seconds that each package took are listed, too.
test:
	$(GO) vet ./...
	@GO=$(GO) TIMES=$(TIMES) sh scripts/test

# Installs the Debian packages of the system programs that the tests run. Spark needs Java, which is
# installed only if it is missing.
test-deps:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		bash btrfs-progs bzip2 ca-certificates chromium curl fish gcc git groff jq libc6-dev maildrop openssh-client parallel \
		procmail python3 python3-venv sqlite3 strace util-linux valgrind xfsprogs xz-utils zsh zstd \
		$$(command -v java > /dev/null || echo default-jre-headless)

# Checks of the code that are not ordinary tests; scripts/check lists them.
lint:
	scripts/check form

check:
	scripts/check

# Runs each fuzz target for ten seconds, starting from the stored corpus. CI runs a third of them.
fuzz:
	scripts/check fuzz

# Measures speed, memory and accuracy of doppel and of the installed peers with scripts/bench/run,
# and writes the table to scripts/bench/RESULTS.md.
SCRATCH ?= $(or $(TMPDIR),/tmp)/doppel-bench
bench:
	SCRATCH=$(SCRATCH) scripts/bench/run > $(SCRATCH).table
	scripts/bench/results < $(SCRATCH).table

# Runs the target bench after installing the Python peers into a scratch directory.
bench-peers:
	scripts/bench/install-peers $(SCRATCH)/peers
	$(MAKE) bench

# Checks the types, docstrings and tests of the Python package, with libraries in a scratch
# environment, to which the target spark adds its own.
python:
	SCRATCH=$(SCRATCH)-python scripts/python/test

# Tests doppel.spark on the real Spark, and the recipes in doppel-cluster(7). Needs Java. The target
# spark-all adds slow tests with more faults of object stores, Spark and make.
spark:
	SCRATCH=$(SCRATCH)-python scripts/python/test-cluster -m 'not slow'
spark-all:
	SCRATCH=$(SCRATCH)-python scripts/python/test-cluster

# Runs the demo and the tests of packages with assembly, arithmetic or a file format for arm64,
# under an emulator. Two of the tests are skipped: the emulator does not report the address of a
# fault in a mapped file, and a test binary in the emulator cannot start itself.
ARM64 ?= qemu-aarch64-static
arm64:
	GOARCH=arm64 $(GO) test -exec $(ARM64) -skip 'TestCutMeanwhile|TestKill' ./pkg/audit ./pkg/blockhash ./pkg/digest/... \
		./pkg/fuzzysum ./pkg/group ./pkg/hashset ./pkg/jaccard ./pkg/line/... ./pkg/lsh ./pkg/method ./pkg/minhash ./pkg/record ./pkg/record/jsonstr \
		./pkg/seen ./pkg/simhash ./pkg/text
	ARM64=$(ARM64) scripts/release/demo-arm64

# Builds all files of a release; see scripts/release/CHECKLIST.md.
dist:
	scripts/release/dist dist

# Injects faults into the tools, in nine thousand cases; see doppel-faults(7).
fault: all
	$(GO) run ./scripts/fault -bin bin -cases 2500

# Runs 60 random cases of each kind of the target fault, and prints the seed.
SEED ?= 1
fault-short: all
	$(GO) run ./scripts/fault -bin bin -short -seed $(SEED)

# Counts the work of the tools, such as instructions, and compares it with the committed counts. Then
# checks which share of the work of two commands one core must do.
bench-gate:
	$(GO) run ./scripts/bench/gate
	SCRATCH=$(SCRATCH) RECORDS=40000 RUNS=2 GATE=1 scripts/bench/cores groups_file fuzzy_zstd

# Installs the tools, manual pages and completions below PREFIX, or below DESTDIR/PREFIX for
# packages. The other tools are links to doppel, in bin, or with ALL=0 in libexec/doppel/bin.
PREFIX ?= /usr/local
install: all
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install install "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install uninstall "$(PREFIX)"

.PHONY: all demo test test-deps lint check fuzz bench bench-peers bench-gate python spark spark-all arm64 dist fault fault-short install uninstall
