"""Runs datasketch to find the new records that are similar to none of the old ones. The old records
are in the file given as SCRATCH; their index is in memory only. Prints the seconds that the new
records took."""
from time import process_time

from datasketch import MinHash, MinHashLSH

import records
from records import SLOTS, shingles, threshold, write


def sketches():
    for name, text in records.records():
        sketch = MinHash(num_perm=SLOTS)
        sketch.update_batch([s.encode() for s in shingles(text)])
        yield name, sketch


new, records.data = records.data, records.scratch
index = MinHashLSH(threshold=threshold, num_perm=SLOTS)
old = {}
for name, sketch in sketches():
    index.insert(name, sketch)
    old[name] = sketch
records.data = new
start = process_time()
write(name for name, sketch in sketches() if not any(old[i].jaccard(sketch) >= threshold for i in index.query(sketch)))
print(f"{process_time() - start:.2f} s of the processor")
