# Two commands matter: make demo and make test.
GO = go

# Without cgo the tools are linked statically and start 0.9 ms sooner.
export CGO_ENABLED = 0

# In an unpacked source archive Go finds no checkout: there the release is named by VERSION and
# by COMMIT, which git archive fills.
RELEASED = $(shell grep -v Format: scripts/release/COMMIT | cut -c 1-12)
NAMED = -ldflags "-X doppel/pkg/tool.Version=$(shell cat scripts/release/VERSION) -X doppel/pkg/tool.Commit=$(RELEASED)"

all:
	$(GO) build -trimpath $(if $(RELEASED),$(NAMED)) -o bin/ ./cmd/...

demo: all
	@PATH="$(CURDIR)/bin:$$PATH" sh scripts/demo

# Uncached, since the cache does not notice that the tools of cmd_test were rebuilt. A test
# that needs a system program runs only where it is installed; the tests that did not run
# are listed at the end. With CI=true a missing program is an error.
test:
	$(GO) vet ./...
	@NOT_RUN=$$(mktemp) && export NOT_RUN && trap 'rm -f "$$NOT_RUN"' EXIT && \
	$(GO) test -count=1 ./... && sh scripts/not-run "$$NOT_RUN"

# Installs the system programs that the tests run, from Debian's packages, and Java, for
# Spark, if there is none.
test-deps:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		bash bzip2 ca-certificates chromium curl fish gcc git groff jq libc6-dev maildrop openssh-client parallel \
		procmail python3 python3-venv strace util-linux valgrind xz-utils zsh zstd \
		$$(command -v java > /dev/null || echo default-jre-headless)

# Checks besides the tests: scripts/check lists the parts.
lint:
	scripts/check form

check:
	scripts/check

# Each fuzz target for ten seconds, on the stored corpus.
fuzz:
	scripts/check fuzz

# Speed, memory and accuracy, compared with the installed peers: scripts/bench/run. The
# table is written to scripts/bench/RESULTS.md.
SCRATCH ?= $(or $(TMPDIR),/tmp)/doppel-bench
bench:
	SCRATCH=$(SCRATCH) scripts/bench/run > $(SCRATCH).table
	scripts/bench/results < $(SCRATCH).table

# The same with Python peers, which are first installed into a scratch directory.
bench-peers:
	scripts/bench/install-peers $(SCRATCH)/peers
	$(MAKE) bench

# The Python package: types, docstrings and tests, with the libraries in a scratch
# environment.
python:
	SCRATCH=$(SCRATCH)-python scripts/python/test

# doppel.spark on the real Spark, and the recipes of doppel-cluster(7). Needs Java. spark-all
# adds slow tests: more faults of object stores, and of Spark and make on objects.
spark:
	SCRATCH=$(SCRATCH)-spark scripts/python/test-cluster -m 'not slow'
spark-all:
	SCRATCH=$(SCRATCH)-spark scripts/python/test-cluster

# Packages with assembly, arithmetic or a format, and the demo, on arm64: with an emulator
# on other machines. An emulator cannot run two tests: it does not report the address of a
# fault in a mapped file, and a test binary cannot start itself.
ARM64 ?= qemu-aarch64-static
arm64:
	GOARCH=arm64 $(GO) test -exec $(ARM64) -skip 'TestCutMeanwhile|TestKill' ./pkg/audit ./pkg/blockhash ./pkg/digest/... \
		./pkg/fuzzysum ./pkg/group ./pkg/hashset ./pkg/jaccard ./pkg/line/... ./pkg/lsh ./pkg/method ./pkg/minhash ./pkg/record ./pkg/record/jsonstr \
		./pkg/seen ./pkg/simhash ./pkg/text
	ARM64=$(ARM64) scripts/release/demo-arm64

# All files of a release: scripts/release/CHECKLIST.md.
dist:
	scripts/release/dist dist

# Injected faults, doppel-faults(7): twelve thousand cases.
fault: all
	$(GO) run ./scripts/fault -bin bin -cases 2500

# A random selection that takes a few minutes; its seed is printed.
SEED ?= 1
fault-short: all
	$(GO) run ./scripts/fault -bin bin -short -seed $(SEED)

# Compares counts of work with the committed ones.
bench-gate:
	$(GO) run ./scripts/bench/gate

# Tools, pages and completions: below PREFIX, or DESTDIR/PREFIX for packages. doppel goes
# into bin, the other tools into libexec/doppel/bin; ALL=1 puts them into bin, too.
PREFIX ?= /usr/local
install: all
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install install "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install uninstall "$(PREFIX)"

.PHONY: all demo test test-deps lint check fuzz bench bench-peers bench-gate python spark spark-all arm64 dist fault fault-short install uninstall
