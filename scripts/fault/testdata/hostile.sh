# Functions that generate the data of hostile.txt.

# times N PIECE writes a piece N times, without line ends.
times() { yes -- "$2" | head -n "$1" | tr -d '\n'; }

# number N PROGRAM runs awk for each i below N.
number() { awk "BEGIN { for (i = 0; i < $1; i++) { $2 } }"; }

html() { printf 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n'; }

# Records of 100 kB each that repeat one letter.
long_lines() { for i in $(seq "$1"); do times $((100000 + i)) a; echo; done; }

# Records that share half their shingles with every other record, so they share bands, but none is
# a copy.
half_shared() {
	awk -v n="$1" 'function words(n,    w, text) { for (w = 0; w < n; w++) text = text sprintf("%x ", int(rand() * 1000000000)); return text }
	BEGIN { srand(1); common = words(80); for (i = 0; i < n; i++) printf "{\"text\":\"%s%s\"}\n", common, words(30) }'
}

# N pairs with as few ids as possible.
clique() { awk -v n="$1" 'BEGIN { z = 1; for (i = 0; i < n; i++) { if (++a > z) { a = 1; z++ } printf "%d\t%d\t0.9\n", a - 1, z } }'; }

# YAML with aliases that expand to a value of 10^(N+1) elements.
aliases() {
	printf 'filters:\n  quality:\n    rules:\n      - &a0 [x,x,x,x,x,x,x,x,x,x]\n'
	for i in $(seq 0 $(($1 - 1))); do
		echo "      - &a$((i + 1)) [*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i,*a$i]"
	done
}
