"""What the Python drivers share: each is called DATA KEPT THRESHOLD SCRATCH, reads
JSON lines with "id" and "text", and writes the ids that are kept to KEPT, one a line."""
import json
import re
import sys

data, kept, threshold, scratch = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]

SHINGLE = 3  # words, as doppel has it
SLOTS = 128
NOT_WORD = re.compile(r"[\W]+")


def records():
    with open(data, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]


def shingles(text):
    words = NOT_WORD.sub(" ", text.lower()).split()
    n = min(SHINGLE, len(words))
    return [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)] if n else []


def write(ids):
    with open(kept, "w", encoding="utf-8") as out:
        out.writelines(i + "\n" for i in ids)
