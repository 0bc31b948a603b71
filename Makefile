# Two commands matter: make demo and make test.
GO = go

# Without cgo the tools are linked statically and start 0.9 ms sooner.
export CGO_ENABLED = 0

all:
	$(GO) build -trimpath -o bin/ ./cmd/...

demo: all
	@PATH="$(CURDIR)/bin:$$PATH" sh scripts/demo

# Not from the cache, which does not see that the tools of cmd_test were rebuilt.
test:
	$(GO) vet ./...
	$(GO) test -count=1 ./...

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

# Counts of work against the committed ones.
bench-gate:
	$(GO) run ./scripts/bench/gate

install: all
	install -d $(DESTDIR)/usr/local/bin $(DESTDIR)/usr/local/share/man/man1
	install bin/* $(DESTDIR)/usr/local/bin
	install -m 644 man/*.1 $(DESTDIR)/usr/local/share/man/man1

.PHONY: all demo test lint bench bench-peers bench-gate install
