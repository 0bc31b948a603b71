"""Applies the usual rule: an item is contaminated if a record contains 13 consecutive words
of it.

    plain13.py TRAIN TEST > FLAGGED"""

import json
import re
import sys


def grams(line):
    words = re.findall(r"\w+", json.loads(line)["text"].lower())
    return {" ".join(words[i : i + 13]) for i in range(len(words) - 12)}


wanted = {}
for i, line in enumerate(open(sys.argv[2])):
    for gram in grams(line):
        wanted.setdefault(gram, set()).add(i)
found = set()
for line in open(sys.argv[1]):
    for gram in grams(line) & wanted.keys():
        found |= wanted[gram]
print("\n".join(map(str, sorted(found))))
