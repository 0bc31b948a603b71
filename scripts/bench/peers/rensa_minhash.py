"""Runs rensa's streaming deduplicator on complete sets of shingles. Its rho pipeline is not used,
because it samples the shingles. The seconds spent inside rensa, without reading and shingling in
Python, are printed as "inside SECONDS"."""
import time
from itertools import islice

from rensa import RMinHashDeduplicator

from records import SLOTS, records, shingles, threshold, write

BATCH = 1000
inside = 0.0


def keep():
    global inside
    dedup = RMinHashDeduplicator(threshold=threshold, num_perm=SLOTS, use_lsh=True)
    source = records()
    while batch := [(name, shingles(text)) for name, text in islice(source, BATCH)]:
        start = time.perf_counter()
        flags = dedup.add_pairs(batch)
        inside += time.perf_counter() - start
        yield from (name for (name, _), new in zip(batch, flags) if new)


write(keep())
print("inside %.2f" % inside)
