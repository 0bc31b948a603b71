"""Functions that the Python drivers share. Each driver takes the arguments DATA KEPT THRESHOLD
SCRATCH. It reads records with "id" and "text" from DATA, whose name ends in .jsonl, .jsonl.zst
or .parquet, and writes the ids of the kept records to KEPT, one on each line."""
import json
import re
import subprocess
import sys

data, kept, threshold, scratch = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]

SHINGLE = 3  # words, as in doppel
SLOTS = 128
NOT_WORD = re.compile(r"[\W]+")


parquet = data.endswith(".parquet")


def lines():
    """Yield the records as JSON lines."""
    if parquet:
        yield from (json.dumps({"id": name, "text": text}) + "\n" for name, text in rows())
    elif data.endswith(".zst"):
        yield from subprocess.Popen(["zstd", "-dcq", data], stdout=subprocess.PIPE, encoding="utf-8").stdout
    else:
        with open(data, encoding="utf-8") as f:
            yield from f


def rows():
    """Yield the id and the text of each record of a Parquet file."""
    from pyarrow.parquet import ParquetFile

    for batch in ParquetFile(data).iter_batches(columns=["id", "text"]):
        yield from zip(batch["id"].to_pylist(), batch["text"].to_pylist())


def records():
    if parquet:
        return rows()
    return ((record["id"], record["text"]) for record in map(json.loads, lines()))


def shingles(text):
    words = NOT_WORD.sub(" ", text.lower()).split()
    n = min(SHINGLE, len(words))
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)] if n else []


def write(ids):
    with open(kept, "w", encoding="utf-8") as out:
        out.writelines(i + "\n" for i in ids)
