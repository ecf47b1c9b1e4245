#!/usr/bin/env bash
# Makes this operator in a new folder: what rop writes first, then what is written by hand.
set -euo pipefail
project=${1:?usage: create.sh DIR}
files=$(cd "$(dirname "$0")" && pwd)

mkdir "$project"
cd "$project"
rop init --domain example.com --project-name memcached-operator
rop create api --group cache --version v1alpha1 --kind Memcached

for folder in api config src tests; do
  cp -R "$files/$folder" .
done
rop generate
