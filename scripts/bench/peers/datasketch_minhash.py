"""Runs datasketch with MinHash and MinHashLSH. The first of several similar records is kept."""
from datasketch import MinHash, MinHashLSH

from records import SLOTS, records, shingles, threshold, write


def keep():
    index = MinHashLSH(threshold=threshold, num_perm=SLOTS)
    for name, text in records():
        sketch = MinHash(num_perm=SLOTS)
        sketch.update_batch([s.encode() for s in shingles(text)])
        if not any(index_sketch[i].jaccard(sketch) >= threshold for i in index.query(sketch)):
            index.insert(name, sketch)
            index_sketch[name] = sketch
            yield name


index_sketch = {}
write(keep())
