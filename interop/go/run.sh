#!/bin/sh
# Builds the program and runs it. Debian's libraries lie in one GOPATH, so no
# module proxy is asked.
set -eu
cd "$(dirname "$0")"
export GO111MODULE=off GOPATH=/usr/share/gocode
program=$(mktemp -d)/capability-resolution-go
trap 'rm -r "$(dirname "$program")"' EXIT
go build -o "$program" .
"$program"
