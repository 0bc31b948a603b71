"""The lines that the tools write."""

from typing import NamedTuple, Optional, Tuple


class Decision(NamedTuple):
    """What becomes of a row that has a pair; a row without one is kept."""

    verdict: str
    """keep or drop."""
    id: int
    """The number of the row, from 0 over all of the data."""
    kept: Optional[int]
    """The row that is kept instead of a dropped one."""
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
    kept: Optional[int]
    """The row in which the first copy stands; None where none is kept."""
    kept_start: Optional[int]
    kept_end: Optional[int]
    """Where the copy is in that row. Where passages overlap, start and end are
    those of all of them, and this those of the first."""
    reason: str


def decision(line: bytes) -> Decision:
    r"""Read a line of doppel-decisions(5).

    >>> decision(b"drop\t7\t4\t1.0000\tscore>=0.9\n")
    Decision(verdict='drop', id=7, kept=4, score=1.0, reason='score>=0.9')
    """
    verdict, id, kept, score, reason = line.decode().rstrip("\n").split("\t")
    return Decision(
        verdict, int(id), None if kept == "-" else int(kept), None if score == "-" else float(score), reason
    )


def pair(line: bytes) -> Pair:
    r"""Read a scored line of doppel-pairs(5).

    >>> pair(b"4\t21\t0.9272\t0.9808\t0.9444\t104\t108\n").score
    0.9272
    """
    f = line.split()
    return Pair(int(f[0]), int(f[1]), float(f[2]), float(f[3]), float(f[4]), int(f[5]), int(f[6]))


def part(name: str) -> Tuple[int, int, int]:
    """Read the id of a part: a row, and where the part starts and ends in bytes;
    of a whole row, the end is -1.

    >>> part("7#10-210"), part("7")
    ((7, 10, 210), (7, 0, -1))
    """
    id, _, span = name.partition("#")
    start, _, end = (span or "0--1").partition("-")
    return int(id), int(start), int(end)
