# Two commands matter: make demo and make test.
GO = go

# Without cgo the tools are linked statically and start 0.9 ms sooner.
export CGO_ENABLED = 0

all:
	$(GO) build -trimpath -o bin/ ./cmd/...

demo: all
	@PATH="$(CURDIR)/bin:$$PATH" sh scripts/demo

# Not from the cache, which does not see that the tools of cmd_test were rebuilt.
# A test that needs a program of the system runs where that is; those that did
# not run are named at the end. Under CI=true a missing program fails.
test:
	$(GO) vet ./...
	@NOT_RUN=$$(mktemp) && export NOT_RUN && trap 'rm -f "$$NOT_RUN"' EXIT && \
	$(GO) test -count=1 ./... && sh scripts/not-run "$$NOT_RUN"

# The programs of the system that the tests run, from Debian's packages.
test-deps:
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		bash chromium fish groff jq parallel procmail valgrind zsh zstd

lint:
	test -z "$$(gofmt -s -l cmd pkg scripts)"
	$(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	staticcheck ./...

# Speed, memory and accuracy beside the peers that are there: scripts/bench/run.
SCRATCH ?= $(or $(TMPDIR),/tmp)/doppel-bench
bench:
	SCRATCH=$(SCRATCH) scripts/bench/run

# The same with the peers of Python, installed into a scratch directory first.
bench-peers:
	scripts/bench/install-peers $(SCRATCH)/peers
	SCRATCH=$(SCRATCH) scripts/bench/run

# The Python package: types, docstrings and tests, with the libraries in a scratch
# environment.
python:
	SCRATCH=$(SCRATCH)-python scripts/python/test

# Wheels and archives: scripts/release/CHECKLIST.md.
dist:
	scripts/release/dist dist

# Faults by force, a selection of a few minutes: scripts/fault.
fault: all
	$(GO) run ./scripts/fault -short -bin bin

# Counts of work against the committed ones.
bench-gate:
	$(GO) run ./scripts/bench/gate

install: all
	install -d $(DESTDIR)/usr/local/bin $(DESTDIR)/usr/local/share/man/man1
	install bin/* $(DESTDIR)/usr/local/bin
	install -m 644 man/*.1 $(DESTDIR)/usr/local/share/man/man1

.PHONY: all demo test test-deps lint bench bench-peers bench-gate python dist fault install
