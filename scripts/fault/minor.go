//go:build linux

package main

// minor are the faults of severity 3.
var minor = []fault{
	{"3.1", "text > /dev/full", "tree", `ls i/tree/d0/* | doppel text > /dev/full`, 2, ""},
	{"3.2", "pipeline on a full disk says so", "many.jsonl steps.yaml", `doppel pipeline --stats none -c i/steps.yaml -o /dev/full i/many.jsonl 2>&1 | grep -c 'no space left'`, 0, "1\n"},
	{"3.4", "a cache cut while it is used", "manysums", `fuzzyseen -D 4M -f o/cache < i/manysums > /dev/null; for i in $(seq 100); do cat i/manysums; done > i/seen; fuzzyseen -D 4M -f o/cache < i/seen > /dev/null & sleep .2; truncate -s 16 o/cache; wait $!; s=$?; [ $s = 0 ] || [ $s = 2 ]`, 0, ""},
	{"3.6", "a window of zstd too large has a hint", "", `head -c 100 /dev/zero | zstd -q --ultra --long=31 -c > i/x; doppel count i/x 2>&1 | grep -c hint:`, 0, "1\n"},
	{"3.7", "scores out of range", "", `for s in Inf -Inf -1 2 0x1p0 NaN; do printf '1\t2\t%s\n' $s | dupgroup > /dev/null 2>&1; printf '%s ' $?; done`, 0, "2 2 2 2 2 2 "},
	{"3.7", "--cut NaN", "", `printf '1\t2\t1\n' | dupgroup --cut NaN`, 2, ""},
	{"3.7", "a record dropped for itself", "few.jsonl", `printf 'drop\t0\t0\t1\tx\n' | keepdrop --decisions - i/few.jsonl`, 2, ""},
	{"3.7", "records dropped for one another", "few.jsonl", `printf 'drop\t0\t1\t1\tx\ndrop\t1\t0\t1\tx\n' | keepdrop --decisions - i/few.jsonl`, 2, ""},
	{"3.10", "-o of a dangling link", "few.jsonl", `ln -s target o/link; reccat -n 1 -o o/link i/few.jsonl; test -L o/link && wc -l < o/target`, 0, "1\n"},
	{"3.11", "reccat x >> x", "few.jsonl", guarded + `reccat i/few.jsonl >> i/few.jsonl; s=$?; wc -l < i/few.jsonl; exit $s`, 2, "60\n"},
	{"3.11", "keepdrop x >> x", "few.jsonl", guarded + `echo 3 | keepdrop --drop - i/few.jsonl >> i/few.jsonl; s=$?; wc -l < i/few.jsonl; exit $s`, 2, "60\n"},
	{"3.11", "recfilter x >> x", "few.jsonl", guarded + `recfilter --preset default --apply i/few.jsonl >> i/few.jsonl; s=$?; wc -l < i/few.jsonl; exit $s`, 2, "60\n"},
	{"3.11", "fuzzy x >> x", "few.jsonl", guarded + `doppel fuzzy --stats none i/few.jsonl >> i/few.jsonl; s=$?; wc -l < i/few.jsonl; exit $s`, 2, "60\n"},
	{"3.12", "threshold: .nan", "few.jsonl", `printf 'deduplication:\n  fuzzy:\n    threshold: .nan\n' > i/c.yaml; doppel pipeline -c i/c.yaml i/few.jsonl`, 2, ""},
	{"3.12", "threshold = nan", "few.jsonl", `printf '[deduplication.fuzzy]\nthreshold = nan\n' > i/c.toml; doppel pipeline -c i/c.toml i/few.jsonl`, 2, ""},
	{"3.13", "a key of endless length", "few.jsonl", `k=--key; recuniq --help | grep -q -- --keyed && k=--keyed; timeout 30 recuniq $k /dev/zero i/few.jsonl`, 2, ""},
	{"3.15", "shared of an empty directory", "", `mkdir i/d; doppel shared i/d`, 0, ""},
	{"3.16", "one file for two outputs", "few.jsonl", `doppel fuzzy --stats none -o o/f --removed o/f i/few.jsonl`, 2, ""},
	{"3.16", "one file for two outputs of a stage", "few.jsonl", `recuniq -o o/f --save o/f i/few.jsonl`, 2, ""},
	{"3.16", "--removed is the input", "few.jsonl", `doppel fuzzy --stats none --removed i/few.jsonl i/few.jsonl; s=$?; wc -l < i/few.jsonl; exit $s`, 2, "60\n"},
	{"3.17", "an id of -", "", `printf '{"id":"-","text":"one two three four"}\n{"id":"b","text":"one two three four"}\n' > i/x; doppel fuzzy --stats none --id id --removed o/r i/x > /dev/null; grep -c '"duplicate_of_row_id": *"-"' o/r`, 0, "1\n"},
	{"3.18", "a printed chain whose first stage fails", "few.jsonl", `doppel fuzzy --print i/few.jsonl > o/chain; mkdir i/bin; printf '#!/bin/sh\nexit 2\n' > i/bin/recsign; chmod +x i/bin/recsign; PATH=$PWD/i/bin:$PATH bash o/chain > /dev/null; [ $? != 0 ]`, 0, ""},
	{"3.19", "-o of a long name", "few.jsonl", `n=$(printf '%0250d' 0); recuniq -o o/$n i/few.jsonl && wc -l < o/$n`, 0, "60\n"},
	{"3.20", "few descriptors", "few.jsonl", `(ulimit -n 8; recuniq i/few.jsonl > /dev/null 2> o/e); grep -h '^goroutine' o/e; true`, 0, ""},
	{"3.21", "a file name stands once in a message", "arrow-zstd.parquet few.parquet", `for f in arrow-zstd few; do n=$(stat -c %s i/$f.parquet); for at in $(seq 4 $((n/60)) $n); do cp i/$f.parquet i/n2; printf '\xff' | dd of=i/n2 bs=1 seek=$at conv=notrunc 2> /dev/null; recuniq i/n2 2>&1 > /dev/null | grep 'i/n2.*i/n2' | head -n 1; done; done`, 0, ""},
	{"3.21", "a bad line is reported once", "few.jsonl", `(head -n 3 i/few.jsonl; echo '{bad'; tail -n 3 i/few.jsonl) > i/x; doppel fuzzy --stats none -k --id id i/x 2>&1 > /dev/null | grep -c 'x:4:'`, 0, "1\n"},
	{"3.22", "-k is the same with --id and without", "few.jsonl", `(head -n 3 i/few.jsonl; echo '{bad'; tail -n 3 i/few.jsonl) > i/x; doppel fuzzy --stats none -k i/x > o/a; doppel fuzzy --stats none -k --id id i/x > o/b; cmp o/a o/b`, 0, ""},
	{"3.23", "a damaged magic byte of gz", "few.gz", spoiled + `spoil few.gz; recuniq i/few.gz > /dev/null`, 2, ""},
	{"3.23", "a damaged magic byte of zst", "few.zst", spoiled + `spoil few.zst; recuniq i/few.zst > /dev/null`, 2, ""},
	{"3.23", "a damaged magic byte of Parquet", "few.parquet", spoiled + `spoil few.parquet; recuniq i/few.parquet > /dev/null`, 2, ""},
	{"3.23", "a damaged magic byte, keepdrop", "few.gz", spoiled + `spoil few.gz; echo 0 | keepdrop --drop - i/few.gz > /dev/null`, 2, ""},
	{"new", "/dev/fd/3 of exact", "uniq.jsonl", `doppel exact --stats none /dev/fd/3 3< i/uniq.jsonl | wc -l`, 0, "48\n"},
	{"new", "Parquet with lists and without dictionaries", "arrow-plain.parquet", `recuniq --field text i/arrow-plain.parquet > o/x`, 0, ""},
}

const (
	guarded = `ulimit -f 20000; `
	spoiled = `spoil() { printf 'x' | dd of=i/$1 bs=1 conv=notrunc 2> /dev/null; }; `
)
