#!/usr/bin/env bash
# Makes this operator in a new folder: what rop writes first, then what is written by hand.
set -euo pipefail
unset CDPATH
if [ $# -ne 1 ] || [ -z "${1%%-*}" ]; then
  echo "usage: create.sh DIR, a folder that is not there yet" >&2
  exit 2
fi
command -v rop >/dev/null || { echo "rop is not in PATH: install it first" >&2; exit 1; }
project=$1
files=$(cd "$(dirname "$0")" && pwd)

mkdir "$project"
cd "$project"
rop init --domain example.com --project-name memcached-operator
rop create api --group cache --version v1alpha1 --kind Memcached --yes

for folder in api config src tests; do
  cp -R "$files/$folder" .
done
rop generate
