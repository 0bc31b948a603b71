#!/usr/bin/env bash
# Makes the targets of the makefile below with GNU parallel, on this machine or on several
# that share this directory. ARGUMENTS are passed to parallel, such as -j8 or
# --sshloginfile hosts. IN, OUT, FETCH and STORE are variables of the makefile. The makefile is
# written to $WORK.mk, unless MAKEFILE names one from --print=make.
#
# usage: bash THIS [ARGUMENTS]
set -euo pipefail
: "${WORK:=doppel.work}" "${OUT:=[[if .Results]][[index .Results 0]][[else]]kept[[end]]}" "${IN:=}" "${FETCH:=}" "${STORE:=}"
if [ -z "${MAKEFILE:-}" ]; then
	MAKEFILE=$WORK.mk
	cat > "$MAKEFILE.$$" <<'END OF MAKEFILE'
[[.Makefile]]END OF MAKEFILE
	mv "$MAKEFILE.$$" "$MAKEFILE"
fi
made=(make -s -f "$MAKEFILE" WORK="$WORK" OUT="$OUT" IN="$IN" FETCH="$FETCH" STORE="$STORE")
"${made[@]}" check
"${made[@]}" steps | while read -r targets; do
	tr ' ' '\n' <<< "$targets" | parallel -q "$@" --halt now,fail=1 --workdir . "${made[@]}"
done
