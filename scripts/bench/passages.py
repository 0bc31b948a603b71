"""Marks repeated passages by suffix arrays and by dupspan; see passages."""

import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy
import pydivsufsort


def by_suffix_array(text, left, length, keep):
    """The bytes in passages that stand elsewhere, or before; left is how many
    bytes of its text there are from each byte on."""
    array = pydivsufsort.divsufsort(text)
    common = pydivsufsort.kasai(text, array)  # of each suffix with the next in order
    joined = common[:-1] >= length
    group = numpy.concatenate(([0], numpy.cumsum(~joined)))
    whole = left[array] >= length  # a passage that ends in its text
    if keep == "first":
        first = numpy.full(group[-1] + 1, len(text), dtype=numpy.int64)
        numpy.minimum.at(first, group[whole], array[whole])
        repeated = whole & (array != first[group])
    else:
        repeated = whole & (numpy.bincount(group[whole], minlength=group[-1] + 1)[group] > 1)
    starts = numpy.zeros(len(text) + 1, dtype=numpy.int32)
    at = array[repeated].astype(numpy.int64)
    starts[at] += 1
    numpy.add.at(starts, at + length, -1)
    return numpy.cumsum(starts[:-1]) > 0


def by_dedup_dataset(program, texts, begin, size, length):
    """The bytes that deduplicate-text-datasets would remove: of all copies. Texts are
    joined as its load_dataset.py does it, by two bytes and a number; what is marked
    of those is left out."""
    mark = 6
    marks = numpy.zeros(size, dtype=bool)
    with tempfile.TemporaryDirectory() as directory:
        data, cache = os.path.join(directory, "data"), os.path.join(directory, "cache")
        os.mkdir(cache)
        with open(data, "wb") as f:
            for i, text in enumerate(texts):
                f.write(b"\xff\xff" + i.to_bytes(4, "little") + text)
        at = numpy.cumsum([mark] + [len(t) + mark for t in texts])
        for words in (
            ["make", "--data-file", data],
            ["self-similar", "--data-file", data, "--length-threshold", str(length), "--cache-dir", cache, "--num-threads", "1"],
            ["collect", "--data-file", data, "--cache-dir", cache, "--length-threshold", str(length)],
        ):
            out = subprocess.run([program, *words], stdout=subprocess.PIPE, check=True).stdout
    for line in out[out.rindex(b"out") :].splitlines()[1:]:
        start, end = map(int, line.split())
        record = numpy.searchsorted(at, start, side="right") - 1
        record = max(record, 0)
        while record < len(texts) and at[record] < end:
            first, last = max(start - at[record], 0), min(end - at[record], len(texts[record]))
            if first < last:
                marks[begin[record] + first : begin[record] + last] = True
            record += 1
    return marks


def run_dupspan(name, length, keep):
    return subprocess.run(
        ["dupspan", "--scan", "--snap=byte", "-j1", f"--length={length}", f"--keep={keep}", f"--records={name}"],
        stdout=subprocess.PIPE, check=True, env=dict(os.environ, GOMAXPROCS="1"),
    ).stdout


def marked(decisions, begin, size):
    marks = numpy.zeros(size, dtype=bool)
    for line in decisions.splitlines():
        record, _, part = line.split(b"\t")[1].partition(b"#")
        start, end = map(int, part.split(b"-"))
        marks[begin[int(record)] + start : begin[int(record)] + end] = True
    return marks


def seconds(who):
    use = resource.getrusage(who)
    return use.ru_utime + use.ru_stime


def main():
    name, length, keep = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    decisions = run_dupspan(name, length, keep)  # while this process is small: its memory counts as the child's
    ours = (seconds(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    texts = [json.loads(line)["text"].encode() for line in open(name, "rb")]
    assert not any(b"\0" in t for t in texts)
    begin = numpy.cumsum([0] + [len(t) + 1 for t in texts])
    left = numpy.concatenate([numpy.arange(len(t), -1, -1, dtype=numpy.int32) for t in texts])
    text = numpy.frombuffer(b"\0".join(texts) + b"\0", dtype=numpy.uint8).copy()
    total = sum(map(len, texts))
    peer = os.environ.get("DEDUP_DATASET") if keep == "none" else None
    if peer:
        cpu = seconds(resource.RUSAGE_CHILDREN)
        theirs = by_dedup_dataset(peer, texts, begin, len(text), length)
        others = (seconds(resource.RUSAGE_CHILDREN) - cpu, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    cpu = seconds(resource.RUSAGE_SELF)
    want = by_suffix_array(text, left, length, keep)
    array = (seconds(resource.RUSAGE_SELF) - cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    got = marked(decisions, begin, len(text))
    print(f"{total / 1e6:.1f} MB, keep {keep}: {want.sum()} bytes are repeated, {want.sum() / total:.1%}; {(want != got).sum()} are marked by one only")
    rows = [("suffix array", array), ("dupspan", ours)]
    if peer:
        ends = numpy.minimum(left, numpy.concatenate([numpy.arange(len(t) + 1, dtype=numpy.int32) for t in texts])) < length
        print(f"deduplicate-text-datasets: {theirs.sum()} bytes; not marked by it: {(want & ~theirs).sum()}; by it only: "
              f"{(theirs & ~want).sum()}, of which {(theirs & ~want & ends).sum()} are less than {length} from an end of a text")
        rows.append(("deduplicate-text-datasets", others))
    for who, (cpu, rss) in rows:
        print(f"{who}\t{cpu:.2f} s of processor\t{total / 1e6 / cpu:.2f} MB/s\t{rss / 1e3:.0f} MB of memory")


main()
