"""Find and drop exact and near duplicates in data frames, datasets, lists and files.

The functions accept a pandas or polars DataFrame, a pyarrow Table, a datasets.Dataset or a
list of dicts, and return the same kind of data: rows are selected, never rewritten. They also
accept names of files, and then write a file.

>>> import doppel
>>> rows = [{"id": n, "text": t} for n, t in enumerate(["a b c d", "x y z", "a b c d"])]
>>> doppel.fuzzy(rows)
[{'id': 0, 'text': 'a b c d'}, {'id': 1, 'text': 'x y z'}]
>>> doppel.decisions(rows)
[Decision(verdict='keep', id=0, kept=None, score=None, reason='best'), \
Decision(verdict='drop', id=2, kept=0, score=1.0, reason='score>=0.8')]
>>> doppel.pairs(rows)[0].score
1.0

The work is done by the program doppel, whose manual describes every option. Only the column
of texts is passed to the program. Pairs are verified: each dropped row has at least the
requested similarity, computed exactly, to a row that is kept.
"""

from ._errors import DataError, Error
from ._jobs import decisions, exact, fuzzy, overlap, pairs, passages
from ._lines import Decision, Overlap, Pair, Passage
from ._program import run

__all__ = [
    "DataError",
    "Decision",
    "Error",
    "Overlap",
    "Pair",
    "Passage",
    "decisions",
    "exact",
    "fuzzy",
    "overlap",
    "pairs",
    "passages",
    "run",
]
