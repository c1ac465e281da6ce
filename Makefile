# What people and machines run. `make help` lists it.

VERSION := $(shell git describe --always --dirty 2>/dev/null || echo dev)

# In CI every test runs, whatever the cache remembers. scripts/lint has vetted all.
# What is built stays on disk; what tests write need not.
TMP = $(shell scripts/tmp)
TEST = go test -vet=off -timeout 15m -exec 'env TMPDIR=$(TMP) GOTMPDIR=$(TMP)' $(if $(filter 1,$(BUREAU_CI)),-count=1)

# The rooms where goroutines meet. The embedded database is far slower under the
# race detector, so the rest is left to `make prove`.
RACE := $(patsubst internal/%/doc.go,./internal/%/...,$(wildcard \
	$(patsubst %,internal/%/doc.go,auth match monitor notify job)))

.DEFAULT_GOAL := help
.PHONY: help build run test rooms around bench prove lint fmt golden

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## the program, as bin/bureau
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/bureau ./cmd/bureau

run: build ## the service with an invented world, on https://localhost:8443
	exec bin/bureau serve --sandbox

# Many tests wait, for a disk, a process or a browser, so those under the race detector
# and in the browser run beside the others. The checks come first: they build what all need.
test: ## everything, on both databases
	@scripts/setup
	@scripts/lint
	@$(MAKE) --no-print-directory --jobs=2 rooms around

rooms:
	$(TEST) ./...

around:
	@if [ "$$(CGO_ENABLED= go env CGO_ENABLED)" = 1 ] || [ "$$BUREAU_CI" = 1 ]; then \
		export CGO_ENABLED=1; set -x; $(TEST) -race $(RACE); fi
	cd e2e && $(TEST) ./...

bench: ## our figures on this machine, as ratios; writes bench/results.md and names.md
	go run ./bench
	go run ./bench names > bench/names.md

prove: ## the long proofs, every test under the race detector, and every fuzz test
	@scripts/setup
	BUREAU_PROVE=1 go test -count=1 -timeout 60m ./...
	go test -race -timeout 60m ./...
	scripts/fuzz

lint: ## form, vet, staticcheck, the plan of the house and its safety, known vulnerabilities
	@scripts/lint
	go test .
	@scripts/lint --vulns

fmt: ## put the code in form
	@tool=$$(scripts/tool gofumpt) && "$$tool" -w .

golden: ## rewrite the golden files; read the diff before you keep it
	BUREAU_UPDATE=1 go test -count=1 ./internal/... ./cmd/...
