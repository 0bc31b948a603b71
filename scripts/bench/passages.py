"""Marks repeated passages by a suffix array and by dupspan; see passages."""

import json
import os
import resource
import subprocess
import sys

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
    cpu = seconds(resource.RUSAGE_SELF)
    want = by_suffix_array(text, left, length, keep)
    array = (seconds(resource.RUSAGE_SELF) - cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    got = marked(decisions, begin, len(text))
    print(f"{total / 1e6:.1f} MB, keep {keep}: {want.sum()} bytes are repeated, {want.sum() / total:.1%}; {(want != got).sum()} are marked by one only")
    for who, (cpu, rss) in ("suffix array", array), ("dupspan", ours):
        print(f"{who}\t{cpu:.2f} s of processor\t{total / 1e6 / cpu:.2f} MB/s\t{rss / 1e3:.0f} MB of memory")


main()
