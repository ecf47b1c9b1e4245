#!/usr/bin/env bash
# Every property with many cases, then projects of random names that rop accepts, compiled and
# applied: for a night. Usage: tests/fuzz.sh [CASES [PROJECTS]]
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${1:-100000}
projects=${2:-10}

# In a process of its own, so that a case that takes more than 10 seconds ends as a failure.
properties=(env "PROPTEST_CASES=$cases" PROPTEST_FORK=true PROPTEST_TIMEOUT=10000)
"${properties[@]}" cargo test --locked --release --lib another_parser_reads_the_same
"${properties[@]}" cargo test --locked --release --test cli properties

# Through controller-gen itself: sets of 1 to 60 RBAC markers, and single ones, right and wrong.
ROP_SETS=$((1 + cases / 500)) ROP_SEED=$((RANDOM * 32768 + RANDOM)) \
  cargo test --locked --release --test cli controller_gen -- --nocapture

# Through the API server itself: CRDs around each rule of the lint.
ROP_CRDS=$((60 + cases / 100)) ROP_SEED=$((RANDOM * 32768 + RANDOM)) \
  cargo test --locked --release --test cli refuses_what_the_api_server_refuses -- --nocapture

for _ in $(seq "$projects"); do
  ROP_SEED=$((RANDOM * 32768 + RANDOM)) \
    cargo test --locked --test cli accepted_names -- --nocapture
done
