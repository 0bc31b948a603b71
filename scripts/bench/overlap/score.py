"""Prints recall, false alarms and precision by kind of item, as rows of a table.

    score.py TRUTH NAME=FLAGGED...

FLAGGED has the ids of the items that a program calls contaminated, one on each line."""

import collections
import sys

kinds = collections.OrderedDict()
truth = {}
for line in open(sys.argv[1]):
    item, kind, contaminated = line.rstrip("\n").split("\t")
    truth[item] = contaminated == "1"
    kinds.setdefault((kind, contaminated == "1"), []).append(item)
programs = [(name, set(open(path).read().split())) for name, path in (one.split("=", 1) for one in sys.argv[2:])]
print("| items | of them | " + " | ".join(name for name, _ in programs) + " |")
print("|---|--:|" + "--:|" * len(programs))
for (kind, contaminated), items in sorted(kinds.items(), key=lambda one: not one[0][1]):
    shares = [sum(i in flagged for i in items) / len(items) for _, flagged in programs]
    print(f"| {'in' if contaminated else 'not in'}: {kind} | {len(items)} | " + " | ".join(f"{s:.4f}" for s in shares) + " |")
for name, of in (("recall", lambda f: len(f & true) / len(true)), ("precision", lambda f: len(f & true) / max(1, len(f)))):
    true = {i for i, c in truth.items() if c}
    print(f"| **{name}** | | " + " | ".join(f"{of(flagged):.4f}" for _, flagged in programs) + " |")
