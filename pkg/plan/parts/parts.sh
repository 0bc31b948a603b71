#!/usr/bin/env bash
# The targets of the makefile that --print=make makes, by GNU parallel, on this machine
# or on several that share this directory: ARGUMENTS are those of parallel, such as
# -j8 or --sshloginfile hosts.
#
# usage: MAKEFILE=doppel.mk THIS [ARGUMENTS]
set -euo pipefail
: "${MAKEFILE:=doppel.mk}" "${WORK:=doppel.work}" "${OUT:=kept}"
each() { parallel "$@" --halt now,fail=1 --workdir . make -s -f "$MAKEFILE" WORK="$WORK" OUT="$OUT"; }
make -s -f "$MAKEFILE" WORK="$WORK" OUT="$OUT" check
shards=[[len .Shards]] last=$(([[.N]] - 1))
seq -f "$WORK/keys/%.0f/ok" "$shards" | each "$@"
seq -f "$WORK/[[.Meet]]/%.0f" 0 "$last" | each "$@"
[[- if .Texts]]
echo "$WORK/bins/ok" | each "$@"
seq -f "$WORK/texts/%.0f/ok" "$shards" | each "$@"
seq -f "$WORK/scores/%.0f" 0 "$last" | each "$@"
[[- end]]
echo "$WORK/split/ok" | each "$@"
for name in [[join .Shards " "]]; do echo "$OUT/${name##*/}"; done | each "$@"
