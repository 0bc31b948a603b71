"""Find and drop exact and near duplicates in data frames, datasets, lists and files.

The functions accept what holds rows: tables of pandas, polars, pyarrow, DuckDB and datasets, and
lists and iterators of dicts or of texts. They return the same kind of data: rows are selected,
never rewritten. They also accept files, and then write a file.

>>> import doppel
>>> rows = [{"id": n, "text": t} for n, t in enumerate(["a b c d", "x y z", "a b c d"])]
>>> doppel.fuzzy(rows)
[{'id': 0, 'text': 'a b c d'}, {'id': 1, 'text': 'x y z'}]
>>> doppel.labels(rows)
[0, 1, 0]
>>> doppel.decisions(rows)
[Decision(verdict='keep', id=0, kept=None, score=None, reason='best'), \
Decision(verdict='drop', id=2, kept=0, score=1.0, reason='score>=0.8')]
>>> doppel.pairs(rows)[0].score
1.0

The work is done by the program doppel, whose manual describes every option. Only the columns that
a call names are passed to the program. Pairs are verified: each dropped row has at least the
requested similarity, computed exactly, to a row that is kept.
"""

from typing import Any

from ._errors import DataError, Error
from ._jobs import Report, decisions, exact, fuzzy, labels, overlap, pairs, passages, report
from ._lines import Decision, Overlap, Pair, Pairs, Passage
from ._program import run, version

__all__ = [
    "DataError",
    "Decision",
    "Error",
    "Overlap",
    "Pair",
    "Pairs",
    "Passage",
    "Report",
    "decisions",
    "exact",
    "fuzzy",
    "labels",
    "overlap",
    "pairs",
    "passages",
    "report",
    "run",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return version()
    raise AttributeError(f"module 'doppel' has no attribute {name!r}")
