#!/usr/bin/env bash
# Kills, fills, locks and races rop a thousand times and more; a damaged tree makes it fail.
# The argument is the number of signals at random moments; all else grows with it.
set -euo pipefail
cd "$(dirname "$0")/.."
ROP_HAVOC_ROUNDS="${1:-200}" cargo test --locked --test cli -- --nocapture \
  every_step:: faults:: havoc:: hostile:: races::
echo "0 damaged trees"
