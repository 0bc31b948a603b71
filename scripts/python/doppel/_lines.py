"""The lines that the tools write."""

import re
from typing import NamedTuple, Optional, Tuple, Union


class Decision(NamedTuple):
    """What becomes of a row that has a pair; a row without one is kept."""

    verdict: str
    """keep or drop."""
    id: int
    """The number of the row, from 0 over all of the data."""
    kept: Union[int, str, None]
    """The row that is kept instead of a dropped one; a record of against by its id, as
    in old.jsonl:0."""
    score: Optional[float]
    """The similarity of both, from 0 to 1, if they were compared."""
    reason: str
    """best, or what was compared with which limit."""


class Pair(NamedTuple):
    """Two rows and how alike they are."""

    a: int
    b: int
    """The numbers of the rows, a < b."""
    score: float
    """The Jaccard similarity of their sets of shingles, from 0 to 1."""
    a_in_b: float
    """The share of a's shingles that b has."""
    b_in_a: float
    a_size: int
    """The number of different shingles of a."""
    b_size: int


class Passage(NamedTuple):
    """A part of a text that stands elsewhere too, as text[start:end]."""

    id: int
    """The number of the row, from 0."""
    start: int
    end: int
    """Where it is, in characters."""
    kept: Union[int, str, None]
    """The row that has the first copy, or the record of against by its id, as in
    old.jsonl:0; None where none is kept."""
    kept_start: Optional[int]
    kept_end: Optional[int]
    """Where the copy is in that row; None for a record of against, whose text is not
    at hand. Where passages overlap, start and end are those of all of them, and this
    those of the first."""
    reason: str


class Overlap(NamedTuple):
    """How much of a field of a test item is in training data."""

    benchmark: Optional[str]
    """The file of the item; None for rows."""
    id: Union[int, str]
    """The number of the item, from 0; its test_id, or of several files FILE:NUMBER."""
    field: str
    coverage: float
    """The share of its windows in the record that has most of them, from 0 to 1."""
    windows: int
    """How many of its windows count."""
    records: int
    """How many records have the coverage that was asked for, or more."""
    record: Optional[int]
    """The row that has most of the windows, the first one of several; None if none has any."""
    text: Optional[str]
    """The words of the item that the row has, normalised."""


def overlap(line: bytes) -> Overlap:
    r"""Read a line of doppel overlap --show.

    >>> overlap(b"q.jsonl\t0\ttext\t0.6667\t6\t2\t3\tone \\\\ two\n")
    Overlap(benchmark='q.jsonl', id=0, field='text', coverage=0.6667, windows=6, records=2, record=3, text='one \\ two')
    >>> overlap(b"q.jsonl\ta\\tb\ttext\t0.0000\t6\t0\t-\t-\n")[1:]
    ('a\tb', 'text', 0.0, 6, 0, None, None)
    """
    f = line.decode(errors="surrogateescape").rstrip("\n").split("\t")
    benchmark, id, field, text = (_unescaped(f[n]) for n in (0, 1, 2, 7))
    record, found = (None, None) if f[6] == "-" else (int(f[6]), text)
    return Overlap(benchmark, _row(id), field, float(f[3]), int(f[4]), int(f[5]), record, found)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r"}.get(m[1], m[1]), text)


def decision(line: bytes) -> Decision:
    r"""Read a line of doppel-decisions(5).

    >>> decision(b"drop\t7\t4\t1.0000\tscore>=0.9\n")
    Decision(verdict='drop', id=7, kept=4, score=1.0, reason='score>=0.9')
    >>> decision(b"drop\t7\told:4\t1.0000\tscore>=0.9\n").kept
    'old:4'
    """
    verdict, id, kept, score, reason = line.decode().rstrip("\n").split("\t")
    return Decision(
        verdict, int(id), None if kept == "-" else _row(kept), None if score == "-" else float(score), reason
    )


def pair(line: bytes) -> Pair:
    r"""Read a scored line of doppel-pairs(5).

    >>> pair(b"4\t21\t0.9272\t0.9808\t0.9444\t104\t108\n").score
    0.9272
    """
    f = line.split()
    return Pair(int(f[0]), int(f[1]), float(f[2]), float(f[3]), float(f[4]), int(f[5]), int(f[6]))


def _row(id: str) -> Union[int, str]:
    return int(id) if id.isdecimal() else id


def part(name: str) -> Tuple[Union[int, str], int, int]:
    """Read the id of a part: a row, and where the part starts and ends in bytes;
    of a whole row, the end is -1.

    >>> part("7#10-210"), part("7"), part("a#b:0#1-2")
    ((7, 10, 210), (7, 0, -1), ('a#b:0', 1, 2))
    """
    m = re.fullmatch(r"(.*)#(\d+)-(\d+)", name, re.DOTALL)
    return (_row(m[1]), int(m[2]), int(m[3])) if m else (_row(name), 0, -1)
