#!/usr/bin/env bash
# Builds the control plane of the tests from Go modules into rop's cache folder, in the layout of
# setup-envtest (k8s/VERSION-OS-ARCH), and prints that folder: etcd, kube-apiserver, kubectl and
# whatever other program of k8s.io/kubernetes is named (kube-controller-manager).
# With --check it only says whether the Go here can build them.
# What is there in the wanted version is left alone, and then no Go is needed.
# Measured on 2 idle cores, cold: etcd 33 s, kube-apiserver 205 s, kube-controller-manager 75 s, kubectl 20 s.
set -euo pipefail
cd "$(dirname "$0")"

required() { # the version that a module requires: required MODULE PACKAGE
  awk -v package="$2" '$1 == "require" && $2 == package { sub(/^v/, "", $3); print $3 }' "$1/go.mod"
}
kubernetes=$(required k8s k8s.io/kubernetes)
etcd=$(required etcd go.etcd.io/etcd/server/v3)

case "$(uname -s)" in
  Darwin) os=darwin caches=${HOME:?}/Library/Caches ;;
  *)
    os=$(uname -s | tr '[:upper:]' '[:lower:]')
    case "${XDG_CACHE_HOME:-}" in
      /*) caches=$XDG_CACHE_HOME ;;
      *) caches=${HOME:?}/.cache ;;
    esac
    ;;
esac
case "$(uname -m)" in
  x86_64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) arch=$(uname -m) ;;
esac
out=$caches/rop/k8s/$kubernetes-$os-$arch

is_current() { # is_current PROGRAM
  local said wanted
  case "$1" in
    etcd) said=$("$out/etcd" --version 2>/dev/null) wanted="etcd Version: $etcd" ;;
    kubectl) said=$("$out/kubectl" version --client 2>/dev/null) wanted="Client Version: v$kubernetes" ;;
    *) said=$("$out/$1" --version 2>/dev/null) wanted="Kubernetes v$kubernetes" ;;
  esac
  # no pipe: grep -q would end it early, and the program with it
  grep -qxF "$wanted" <<<"$said"
}
missing() { # the programs that are to be built
  local program
  for program in "$@"; do
    is_current "$program" || echo "$program"
  done
}

need_go() {
  local wanted found
  wanted=$(awk '$1 == "go" { print $2 }' k8s/go.mod)
  if ! found=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null); then
    echo "go is not in PATH: the control plane is built with Go $wanted or newer" >&2
    exit 1
  fi
  found=${found#go}
  if [ "$(printf '%s\n' "$wanted" "${found%%[!0-9.]*}" | sort -V | head -n 1)" != "$wanted" ]; then
    echo "the control plane is built with Go $wanted or newer; this is Go $found" >&2
    exit 1
  fi
}

# One build at a time. The lock is a link to the owner's process id; one whose owner is gone is taken over.
# Should two ever build at once all the same, the renames below keep every binary whole.
lock() {
  local owner said=
  while ! ln -s "$$" "$out/.lock" 2>/dev/null; do
    owner=$(readlink "$out/.lock" || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -f "$out/.lock"
      continue
    fi
    [ -n "$said" ] || echo "waiting for the build of process $owner" >&2
    said=yes
    sleep 1
  done
  trap 'rm -rf "$out/.lock" "$out/.new.$$"' EXIT
}

build() { # build PROGRAM
  local module=k8s package=k8s.io/kubernetes/cmd/$1 version=$kubernetes stamp="" it
  if [ "$1" = etcd ]; then
    module=etcd package=go.etcd.io/etcd/server/v3 version=$etcd
  fi
  # Without the stamp a server says it is v0.0.0.
  for it in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    stamp="$stamp -X $it.gitVersion=v$version -X $it.gitMajor=${version%%.*} -X $it.gitMinor=$(echo "$version" | cut -d. -f2)"
    stamp="$stamp -X $it.gitTreeState=archive -X $it.gitCommit=unknown -X $it.buildDate=1970-01-01T00:00:00Z"
  done
  echo "building $1 $version" >&2
  (
    cd "$module"
    CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false -mod=readonly" \
      go build -ldflags "-s -w $stamp" -o "$out/.new.$$/$1" "$package"
  )
  mv -f "$out/.new.$$/$1" "$out/$1"
}

if [ "${1:-}" = --check ]; then
  need_go
  exit
fi
programs=(etcd kube-apiserver kubectl "$@")
if [ -n "$(missing "${programs[@]}")" ]; then
  need_go
  mkdir -p "$out"
  lock
  for program in $(missing "${programs[@]}"); do
    build "$program"
  done
fi
echo "$out"
