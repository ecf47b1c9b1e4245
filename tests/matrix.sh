#!/usr/bin/env bash
# Every combination of options, compiled and judged (about 20 minutes on 2 cores).
set -euo pipefail
cd "$(dirname "$0")/.."
ROP_FULL_MATRIX=1 cargo test --locked --test cli matrix -- --nocapture
