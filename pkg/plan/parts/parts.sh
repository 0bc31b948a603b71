#!/usr/bin/env bash
# The targets of the makefile that --print=make makes, by GNU parallel, on this machine
# or on several that share this directory: ARGUMENTS are those of parallel, such as
# -j8 or --sshloginfile hosts. IN, OUT, FETCH and STORE are those of the makefile.
#
# usage: MAKEFILE=doppel.mk THIS [ARGUMENTS]
set -euo pipefail
: "${MAKEFILE:=doppel.mk}" "${WORK:=doppel.work}" "${OUT:=[[if .Results]][[index .Results 0]][[else]]kept[[end]]}" "${IN:=}" "${FETCH:=}" "${STORE:=}"
made=(make -s -f "$MAKEFILE" WORK="$WORK" OUT="$OUT" IN="$IN" FETCH="$FETCH" STORE="$STORE")
each() { parallel -q "$@" --halt now,fail=1 --workdir . "${made[@]}"; }
"${made[@]}" check
[[- if .Results]]
seq -f "$WORK/found/%.0f.zst" [[.N]] | each "$@"
echo "$OUT" | each "$@"
[[- else]]
place=$OUT
[ -z "$STORE" ] || place=$WORK/stored
shards=[[len .Shards]] last=$(([[.N]] - 1))
seq -f "$WORK/keys/%.0f/ok" "$shards" | each "$@"
seq -f "$WORK/[[.Meet]]/%.0f" 0 "$last" | each "$@"
[[- if .Texts]]
echo "$WORK/bins/ok" | each "$@"
seq -f "$WORK/texts/%.0f/ok" "$shards" | each "$@"
seq -f "$WORK/scores/%.0f" 0 "$last" | each "$@"
[[- end]]
echo "$WORK/split/ok" | each "$@"
for name in [[join .Shards " "]]; do echo "$place/${name##*/}"; done | each "$@"
[[- end]]
