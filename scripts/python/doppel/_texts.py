"""Batches of texts, written as rows of CSV or as JSON lines.

Among the formats that the program reads, CSV is the fastest to write and to read: quotes
are doubled, and everything else is unchanged, including line ends and NUL. Writing JSON lines
took three times as long. A batch is a list or a column. The library of a
column writes it without a Python object for each row, in a tenth of the time of a list.
"""

import datetime
import json
from decimal import Decimal
from itertools import chain, islice
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

from ._errors import DataError


class Column:
    """A part of a column that is stored by a library such as pyarrow."""

    def __init__(self, values: Any):
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def listed(self) -> List[Any]:
        """Return the values as a list."""
        raise NotImplementedError

    def whole(self) -> bool:
        """Return whether all values are texts that the method rows can write."""
        raise NotImplementedError

    def rows(self, first: Optional[int]) -> bytes:
        """Return the rows as CSV, each after its number unless first is None. The parameter first
        is the number of the first row."""
        raise NotImplementedError


Batch = Union[List[Any], Column]
Texts = Iterable[Batch]


def listed(batch: Batch) -> List[Any]:
    """Return a batch as a list."""
    return batch.listed() if isinstance(batch, Column) else batch


def texts(batches: Texts, name: str = "text") -> Iterator[bytes]:
    r"""Yield blocks of CSV with a text in each row. The batches must come from checked();
    name is the name of the column.

    >>> list(texts([["a\n", "b, \ud800"], ["c"]]))
    [b'text\n', b'"a\n"\n"b, \xef\xbf\xbd"\n', b'"c"\n']
    """
    yield b"text\n" if name == "text" else _plain([str(name)])
    for batch in batches:
        yield batch.rows(None) if isinstance(batch, Column) else _plain(batch)


def numbered(batches: Texts) -> Iterator[bytes]:
    r"""Yield blocks of CSV with the number and the text of each row.

    >>> list(numbered([["a"], ["b"]]))
    [b'row,text\n', b'0,"a"\n', b'1,"b"\n']
    """
    yield b"row,text\n"
    first = 0
    for batch in batches:
        yield batch.rows(first) if isinstance(batch, Column) else _numbered(batch, first)
        first += len(batch)


def ranked(batches: Texts, ranks: Texts, text: str = "text", rank: str = "rank") -> Iterator[bytes]:
    r"""Yield blocks of JSON lines with a text and the value by which its row is ranked. CSV is
    not used here, because it does not distinguish numbers from strings. text and rank are the
    names of the columns.

    >>> list(ranked([["a", "b"]], [[1.5, Decimal("2.50")]]))
    [b'{"rank": 1.5, "text": "a"}\n{"rank": 2.50, "text": "b"}\n']
    """
    rows = enumerate(zip(*(chain.from_iterable(map(listed, column)) for column in (ranks, batches))))
    keys = json.dumps(str(rank)), json.dumps(str(text))
    while lines := [
        f"{{{keys[0]}: {_literal(r, rank, n)}, {keys[1]}: {json.dumps(t)}}}\n" for n, (r, t) in islice(rows, 200)
    ]:
        yield "".join(lines).encode()


def fields(columns: Mapping[str, Texts]) -> Iterator[bytes]:
    r"""Yield blocks of JSON lines with one text of each column. The batches of each column must
    come from checked().

    >>> list(fields({"q": [["a", "b"]], "a": [["c"], ["d"]]}))
    [b'{"q": "a", "a": "c"}\n{"q": "b", "a": "d"}\n']
    """
    rows = zip(*(chain.from_iterable(map(listed, column)) for column in columns.values()))
    while lines := [json.dumps(dict(zip(columns, row)), ensure_ascii=False) + "\n" for row in islice(rows, 200)]:
        yield encoded("".join(lines))


def _literal(value: Any, column: str, row: int) -> str:
    """Return, as JSON, the value by which a row is ranked. The order of values is preserved, so
    times are converted to UTC, because their offsets may differ."""
    if _what(value) == "null":
        raise DataError(f"row {row}: {column} is null")
    if isinstance(value, Decimal) and value.is_finite():
        return str(value)
    if isinstance(value, datetime.datetime):
        value = (value.astimezone(datetime.timezone.utc) if value.tzinfo else value).isoformat()
    elif isinstance(value, (datetime.date, datetime.time)):
        value = value.isoformat()
    elif type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = value.item()
    try:
        return json.dumps(value)
    except TypeError:
        raise DataError(f"row {row}: {column} is {_kind_of(value)}, not a number or a string") from None


def row(line: bytes) -> int:
    """Return the row number in a line of JSON that the program wrote for a numbered row."""
    head = len('{"row":"')
    return int(line[head : line.index(b'"', head)])


def encoded(text: str) -> bytes:
    r"""Return a text in UTF-8. As when the program reads JSON, a surrogate pair becomes the
    character that it encodes. A lone surrogate, which the program keeps as it is, becomes U+FFFD
    here.

    >>> encoded("\ud83d\ude42\ud800").decode()
    '🙂�'
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _plain(batch: Sequence[str]) -> bytes:
    if not batch:
        return b""
    return encoded('"' + '"\n"'.join([t.replace('"', '""') for t in batch]) + '"\n')


def _numbered(batch: Sequence[str], first: int) -> bytes:
    return encoded("".join(['%d,"%s"\n' % (n, t.replace('"', '""')) for n, t in enumerate(batch, first)]))


def checked(batches: Texts, column: str) -> Iterator[Batch]:
    """Yield the batches, and raise DataError for a value that is not a text.

    >>> list(checked([["a"], ["b", None]], "text"))
    Traceback (most recent call last):
    doppel._errors.DataError: row 2: text is null
    """
    first = 0
    for batch in batches:
        if not isinstance(batch, Column) or not batch.whole():
            batch = listed(batch)
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
    return f"{_kind_of(value)}, not a string"


def _kind_of(value: Any) -> str:
    return type(value).__name__
