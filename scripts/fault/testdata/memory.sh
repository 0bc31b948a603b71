# Functions that generate data to fill the memory of tools with --mem, named as in memory.go.

numbers() { seq 4000000; }

keys() { awk 'BEGIN { for (i = 0; i < 2000000; i++) printf "%016x\t%d\n", int(i / 2), i }'; }

# Scored pairs, a few for each id.
scored() { awk 'BEGIN { srand(1); for (i = 0; i < 1000000; i++) printf "%d\t%d\t0.9\n", i, i + 1 + int(rand() * 3) }'; }

simhashes() {
	awk 'BEGIN { srand(1); for (i = 0; i < 500000; i++) {
		printf "%d\tsimhash/c2/city/64/none\t", i
		for (k = 0; k < 4; k++) printf "%04x", int(rand() * 65536)
		print ""
	} }'
}

# Pairs of many.jsonl.
pairs() { awk 'BEGIN { srand(1); for (i = 0; i < 300000; i++) { a = int(rand() * 2999); printf "%d\t%d\n", a, a + 1 + int(rand() * (2999 - a)) } }'; }

# Texts that are not similar.
texts() {
	awk 'BEGIN { srand(1); for (i = 0; i < 60000; i++) {
		printf "{\"text\":\""
		for (w = 0; w < 60; w++) printf "%x ", int(rand() * 1000000000)
		print "\"}"
	} }'
}

signatures() { texts | recsign; }

# Signatures of texts that differ in one word, such as pages that deny access.
similar() {
	awk 'BEGIN {
		for (w = 0; w < 60; w++) page = page "word" w " "
		for (i = 0; i < 150000; i++) printf "{\"text\":\"%s%d\"}\n", page, i
	}' | recsign
}

# Texts, with pairs of them in i/pairs and decisions in i/decisions.
decided() {
	awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d\t%d\t0.%d\n", int(i / 2), int(i / 2) + 1 + i % 2, 8 + i % 2 }' > i/pairs
	dupgroup --cut 0.9 i/pairs > i/decisions
	texts
}

# The same, with an empty file of decisions, i/none, and the scores of the pairs in i/scores.
audited() {
	decided > i/texts
	: > i/none
	jaccard --records i/texts i/pairs > i/scores
	cat i/texts
}

# Texts that each contain one of 1,000 passages.
passages() {
	awk 'function words(n,    w, text) { for (w = 0; w < n; w++) text = text sprintf("%x ", int(rand() * 1000000000)); return text }
	BEGIN { srand(1); for (i = 0; i < 1000; i++) shared[i] = words(60)
		for (i = 0; i < 20000; i++) printf "{\"text\":\"%s%s%s\"}\n", words(40), shared[i % 1000], words(40) }'
}
