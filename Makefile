# Two commands matter: make demo and make test.
GO = go

# Without cgo the tools are linked statically and start 0.9 ms sooner.
export CGO_ENABLED = 0

# In an unpacked source archive Go finds no checkout: COMMIT, which git archive fills, and
# VERSION name the release there.
RELEASED = $(shell grep -v Format: scripts/release/COMMIT | cut -c 1-12)
NAMED = -ldflags "-X doppel/pkg/tool.Version=$(shell cat scripts/release/VERSION) -X doppel/pkg/tool.Commit=$(RELEASED)"

all:
	$(GO) build -trimpath $(if $(RELEASED),$(NAMED)) -o bin/ ./cmd/...

demo: all
	@PATH="$(CURDIR)/bin:$$PATH" sh scripts/demo

# Not from the cache, which does not see that the tools of cmd_test were rebuilt.
# A test that needs a program of the system runs where that is; those that did
# not run are named at the end. Under CI=true a missing program fails.
test:
	$(GO) vet ./...
	@NOT_RUN=$$(mktemp) && export NOT_RUN && trap 'rm -f "$$NOT_RUN"' EXIT && \
	$(GO) test -count=1 ./... && sh scripts/not-run "$$NOT_RUN"

# The programs of the system that the tests run, from Debian's packages; Java, for
# Spark, where there is none yet.
test-deps:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		bash bzip2 ca-certificates chromium curl fish gcc git groff jq libc6-dev maildrop openssh-client parallel \
		procmail python3 python3-venv strace util-linux valgrind xz-utils zsh zstd \
		$$(command -v java > /dev/null || echo default-jre-headless)

# What is checked besides the tests: scripts/check names the parts.
lint:
	scripts/check form

check:
	scripts/check

# Each fuzz target for ten seconds, on the corpus that is kept.
fuzz:
	scripts/check fuzz

# Speed, memory and accuracy beside the peers that are there: scripts/bench/run. The
# table goes into scripts/bench/RESULTS.md.
SCRATCH ?= $(or $(TMPDIR),/tmp)/doppel-bench
bench:
	SCRATCH=$(SCRATCH) scripts/bench/run > $(SCRATCH).table
	scripts/bench/results < $(SCRATCH).table

# The same with the peers of Python, installed into a scratch directory first.
bench-peers:
	scripts/bench/install-peers $(SCRATCH)/peers
	$(MAKE) bench

# The Python package: types, docstrings and tests, with the libraries in a scratch
# environment.
python:
	SCRATCH=$(SCRATCH)-python scripts/python/test

# doppel.spark on the real Spark, and the recipes of doppel-cluster(7). Needs Java. spark-all
# adds what takes long: more faults of object stores, and of Spark and make on objects.
spark:
	SCRATCH=$(SCRATCH)-spark scripts/python/test-cluster -m 'not slow'
spark-all:
	SCRATCH=$(SCRATCH)-spark scripts/python/test-cluster

# What has assembly, arithmetic or a format, and the demo, on arm64: by an emulator where
# there is no such machine.
ARM64 ?= qemu-aarch64-static
arm64:
	GOARCH=arm64 $(GO) test -exec $(ARM64) ./pkg/audit ./pkg/blockhash ./pkg/digest/... ./pkg/fuzzysum ./pkg/group \
		./pkg/hashset ./pkg/jaccard ./pkg/line/... ./pkg/lsh ./pkg/method ./pkg/minhash ./pkg/record ./pkg/record/jsonstr \
		./pkg/seen ./pkg/simhash ./pkg/text
	ARM64=$(ARM64) scripts/release/demo-arm64

# All files of a release: scripts/release/CHECKLIST.md.
dist:
	scripts/release/dist dist

# Faults by force, doppel-faults(7): twelve thousand cases.
fault: all
	$(GO) run ./scripts/fault -bin bin -cases 2500

# A selection of a few minutes, drawn by a seed, which it prints.
SEED ?= 1
fault-short: all
	$(GO) run ./scripts/fault -bin bin -short -seed $(SEED)

# Counts of work against the committed ones.
bench-gate:
	$(GO) run ./scripts/bench/gate

# Tools, pages and completions: below PREFIX, behind DESTDIR for packages. doppel goes
# into bin, the other tools into libexec/doppel/bin; ALL=1 puts them into bin, too.
PREFIX ?= /usr/local
install: all
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install install "$(PREFIX)"

uninstall:
	@DESTDIR="$(DESTDIR)" ALL="$(ALL)" scripts/install uninstall "$(PREFIX)"

.PHONY: all demo test test-deps lint check fuzz bench bench-peers bench-gate python spark spark-all arm64 dist fault fault-short install uninstall
