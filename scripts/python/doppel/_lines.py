"""Results, parsed from lines that the tools write."""

import re
from typing import Any, Iterable, List, NamedTuple, Optional, Tuple, Union


class Decision(NamedTuple):
    """The decision on a row that is dropped, or in whose favour another row is; other rows are kept."""

    verdict: str
    """Either "keep" or "drop"."""
    id: int
    """The number of the row, from 0; with several files, numbers continue from file to file."""
    kept: Union[int, str, None]
    """The number of the row that is kept instead of this row, or the id of a record in a file
    named by the option "against", such as old.jsonl:0."""
    score: Optional[float]
    """The similarity of the row to the kept one, from 0 to 1, if they were compared."""
    reason: str
    """The string "best" for a kept row; otherwise the compared value and its limit, such as
    "score>=0.8"."""


class Pair(NamedTuple):
    """Two rows and their similarity."""

    a: int
    b: int
    """The numbers of the rows, a < b."""
    score: float
    """The Jaccard similarity of the two rows' sets of shingles, from 0 to 1."""
    a_in_b: float
    """The share of the shingles of row a that are in row b."""
    b_in_a: float
    a_size: int
    """The number of distinct shingles of row a."""
    b_size: int


class Pairs(List[Pair]):
    """A list of pairs."""

    def __init__(self, pairs: Iterable[Pair], recall: float, complete: bool):
        super().__init__(pairs)
        self.recall = recall
        """The probability with which a pair whose similarity is just the threshold is found."""
        self.complete = complete
        """Whether all rows were compared with all, so that no pair is missing."""


class Passage(NamedTuple):
    """A part of a text, text[start:end], that also occurs elsewhere."""

    id: int
    """The number of the row, from 0."""
    start: int
    end: int
    """The end of the part; start and end are offsets in characters."""
    kept: Union[int, str, None]
    """The number of the row with the first copy, or the id of a record in a file named by the
    option "against", such as old.jsonl:0; None if no copy is kept."""
    kept_start: Optional[int]
    kept_end: Optional[int]
    """The end of the copy in the kept row; None for a record in a file named by the option
    "against", because its text is not available. If passages overlap, start and end cover all of
    them; kept_start and kept_end cover only the copy of the first passage."""
    reason: str


class Overlap(NamedTuple):
    """How much of a field of a test item is in the training data."""

    benchmark: Optional[str]
    """The file of the item; None for rows."""
    id: Any
    """The number of the item, from 0; its id if test_id is given; FILE:NUMBER for several files."""
    field: str
    coverage: float
    """The largest share of the item's windows that a single record contains, from 0 to 1."""
    windows: int
    """The number of the item's windows that are compared."""
    records: int
    """The number of records with at least the requested coverage."""
    record: Optional[int]
    """The row that contains the most windows of the item, the first one if several do; None if
    no row contains any."""
    text: Optional[str]
    """The normalised words of the item that are in the row."""


def overlap(line: bytes) -> Overlap:
    r"""Read a line of doppel overlap --show.

    >>> overlap(b"q.jsonl\t0\ttext\t0.6667\t6\t2\t3\tone \\\\ two\n")
    Overlap(benchmark='q.jsonl', id=0, field='text', coverage=0.6667, windows=6, records=2, record=3, text='one \\ two')
    >>> overlap(b"q.jsonl\ta\\tb\ttext\t0.0000\t6\t0\t-\t-\n")[1:]
    ('a\tb', 'text', 0.0, 6, 0, None, None)
    """
    try:
        f = line.decode("utf-8", "surrogatepass").rstrip("\n").split("\t")
    except UnicodeDecodeError:
        f = line.decode("utf-8", "surrogateescape").rstrip("\n").split("\t")
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
    """Parse the id of a part, and return the row, the start and the end of the part, in
    bytes. For a complete row, start is 0 and end is -1.

    >>> part("7#10-210"), part("7"), part("a#b:0#1-2")
    ((7, 10, 210), (7, 0, -1), ('a#b:0', 1, 2))
    """
    m = re.fullmatch(r"(.*)#(\d+)-(\d+)", name, re.DOTALL)
    return (_row(m[1]), int(m[2]), int(m[3])) if m else (_row(name), 0, -1)
