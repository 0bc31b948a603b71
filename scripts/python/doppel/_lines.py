"""The lines that the tools read and write."""

import json
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._errors import DataError

Texts = Iterable[Sequence[str]]


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


def texts(batches: Texts) -> Iterator[bytes]:
    r"""Return blocks of JSON lines with a text each.

    >>> list(texts([["a\n", "\ud800"], ["b"]]))
    [b'{"text":"a\\n"}\n{"text":"\\ud800"}\n', b'{"text":"b"}\n']
    """
    for batch in batches:
        if batch:
            yield b'{"text":"%s"}\n' % _joined(batch).replace(b"\0", b'"}\n{"text":"')


def ranked(batches: Texts, ranks: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    r"""Return the like, with what a row is ranked by.

    >>> list(ranked([["a", "b"]], [[1.5, 2]]))
    [b'{"rank":1.5,"text":"a"}\n{"rank":2,"text":"b"}\n']
    """
    for batch, rank in zip(batches, ranks):
        rows = zip(map(str.encode, map(json.dumps, rank)), _strings(batch))
        yield b"".join([b'{"rank":%s,"text":"%s"}\n' % row for row in rows])


def numbered(batches: Texts) -> Iterator[bytes]:
    r"""Return the like, with the number of each row before its text.

    >>> list(numbered([["a"], ["b"]]))
    [b'{"row":0,"text":"a"}\n', b'{"row":1,"text":"b"}\n']
    """
    first = 0
    for batch in batches:
        yield b"".join([b'{"row":%d,"text":"%s"}\n' % row for row in enumerate(_strings(batch), first)])
        first += len(batch)


def row(line: bytes) -> int:
    """Return the number in a numbered line."""
    return int(line[len('{"row":') : line.index(b",")])


_RARE = bytes(set(range(32)) - set(b"\0\t\n\r"))
_ESCAPES = [(b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t")]


def _joined(batch: Sequence[str]) -> bytes:
    """Return texts as JSON strings without their quotes, with NUL between them.

    All are escaped at once, which takes a third of the time of one by one, where
    none has NUL, another rare character or a lone surrogate.
    """
    try:
        joined = "\0".join(batch).encode()
    except UnicodeEncodeError:
        return _slowly(batch)
    if joined.count(b"\0") != len(batch) - 1 or len(joined.translate(None, _RARE)) != len(joined):
        return _slowly(batch)
    for plain, escape in _ESCAPES:
        joined = joined.replace(plain, escape)
    return joined


def _slowly(batch: Sequence[str]) -> bytes:
    return b"\0".join([json.dumps(t)[1:-1].encode() for t in batch])


def _strings(batch: Sequence[str]) -> List[bytes]:
    return _joined(batch).split(b"\0") if batch else []


def strings(batches: Iterable[Sequence[Any]], column: str) -> Iterator[Sequence[str]]:
    """Pass on batches of texts, and raise DataError for what is none.

    >>> list(strings([["a"], ["b", None]], "text"))
    Traceback (most recent call last):
    doppel._errors.DataError: row 2: text is null
    """
    first = 0
    for batch in batches:
        if not set(map(type, batch)) <= {str}:
            _refuse(batch, column, first)
        yield batch
        first += len(batch)


def _refuse(batch: Sequence[Any], column: str, first: int) -> None:
    for n, value in enumerate(batch, first):
        if not isinstance(value, str):
            raise DataError(f"row {n}: {column} is {_what(value)}")


def _what(value: Any) -> str:
    if value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value):
        return "null"
    return f"no string but {type(value).__name__}"
