"""Batches of values, written as rows of CSV or as JSON lines.

Texts alone are written as CSV, and texts with other values as JSON lines, which distinguish numbers,
strings and nulls. Among the formats that the program reads, CSV is the fastest to write and to read: quotes
are doubled, and everything else is unchanged, including line ends and NUL. Writing JSON lines
took three times as long. A batch is a list or a column. The library of a
column writes it without a Python object for each row, in a tenth of the time of a list.
"""

import datetime
import enum
import json
import uuid
from decimal import Decimal
from itertools import chain, islice
from typing import Any, Iterable, Iterator, List, Mapping, Sequence, Union

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

    def rows(self) -> bytes:
        """Return the rows as CSV."""
        raise NotImplementedError


Batch = Union[List[Any], Column]
Texts = Iterable[Batch]


def listed(batch: Batch) -> List[Any]:
    """Return a batch as a list."""
    return batch.listed() if isinstance(batch, Column) else batch


def values(batches: Texts) -> Iterator[Any]:
    """Yield the values of batches one by one."""
    return chain.from_iterable(map(listed, batches))


def texts(batches: Texts, name: str = "text") -> Iterator[bytes]:
    r"""Yield blocks of CSV with a text in each row. The batches must come from checked();
    name is the name of the column.

    >>> list(texts([["a\n", "b, \ud800"], ["c"]]))
    [b'text\n', b'"a\n"\n"b, \xed\xa0\x80"\n', b'"c"\n']
    """
    yield b"text\n" if name == "text" else _plain([str(name)])
    for batch in batches:
        yield batch.rows() if isinstance(batch, Column) else _plain(batch)


def lines(columns: Mapping[str, Iterable[Any]]) -> Iterator[bytes]:
    r"""Yield blocks of JSON lines with a value of each column. The values must have been converted
    by literals(), keys() or nested().

    >>> list(lines({"rank": ["1.5", "2.50"], "text": ['"a"', '"b"']}))
    [b'{"rank": 1.5, "text": "a"}\n{"rank": 2.50, "text": "b"}\n']
    """
    form = "{" + ", ".join(json.dumps(name).replace("%", "%%") + ": %s" for name in columns) + "}\n"
    rows = zip(*columns.values())
    while block := [form % row for row in islice(rows, 200)]:
        yield "".join(block).encode()


def nested(batches: Texts) -> Iterator[str]:
    """Yield values as JSON. Values that JSON does not have are written as texts."""
    for value in values(batches):
        yield json.dumps(None if is_null(value) else value, default=_plain_value)


def _plain_value(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def literals(batches: Texts, column: Any) -> Iterator[str]:
    """Yield, as JSON, the values by which rows are ranked. The order of values is preserved: times
    are converted to UTC, because their offsets may differ, and a member of an Enum is converted to
    its position. The program ranks a row with a null after all others.

    >>> list(literals([[1.5, Decimal("2.50"), datetime.timedelta(seconds=1), None]], "n"))
    ['1.5', '2.50', '1000000', 'null']
    """
    for row, value in enumerate(values(batches)):
        try:
            yield "null" if is_null(value) else _literal(value)
        except TypeError:
            raise DataError(f"row {row}: {column} is {_kind_of(value)}, not a number or a string") from None


def _literal(value: Any) -> str:
    if isinstance(value, enum.Enum) and not isinstance(value, (int, float, str)):
        value = list(type(value)).index(value)
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        value = int(value) if type(value).__name__ == "timedelta64" else value.item()
    if isinstance(value, Decimal):
        return str(value) if value.is_finite() else json.dumps(float(value))
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, uuid.UUID)):
        value = _ordered(value)
    if isinstance(value, (list, tuple, dict)):
        raise TypeError
    return json.dumps(value)


def _ordered(value: Any) -> Any:
    """Return a time or a UUID as a number or text of the same order."""
    if isinstance(value, datetime.timedelta):
        nanoseconds = getattr(value, "value", None)  # of a pandas.Timedelta
        return nanoseconds if nanoseconds is not None else value // datetime.timedelta(microseconds=1)
    if isinstance(value, datetime.datetime) and value.tzinfo:
        value = value.astimezone(datetime.timezone.utc)
    return str(value) if isinstance(value, uuid.UUID) else value.isoformat()


def keys(rows: Texts, what: Sequence[Any], null: bool = True) -> Iterator[str]:
    """Yield, for each row, a text that is equal for rows with equal values: numbers are equal
    whatever their types are, nulls are equal to nulls, and times to times in other zones. what
    names the columns, for messages. A null is an error unless null is true.

    >>> list(keys([[[1, "a"], [1.0, "a"], ["1", "a"]]], ["n", "s"]))
    ['[1,"a"]', '[1,"a"]', '["1","a"]']
    """
    for n, row in enumerate(values(rows)):
        try:
            if not null and any(map(is_null, row)):
                raise DataError(f"row {n}: {next(w for w, v in zip(what, row) if is_null(v))} is null")
            yield json.dumps(_key(row), separators=(",", ":"))
        except _NoKey as e:
            raise DataError(f"row {n}: a value is {e}, which cannot be compared; subset names the columns to compare") from None


class _NoKey(Exception):
    pass


def _key(value: Any) -> Any:
    if isinstance(value, str) and not isinstance(value, enum.Enum):
        return value
    if value is None or is_null(value):
        return None
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        value = int(value) if type(value).__name__ == "timedelta64" else value.tolist()
    if isinstance(value, (int, float, Decimal)):
        return _number(value)
    if isinstance(value, Mapping):
        return {"struct": sorted([[_key(k), _key(v)] for k, v in value.items()], key=json.dumps)}
    if isinstance(value, (list, tuple)):
        return list(map(_key, value))
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    if isinstance(value, enum.Enum):
        return {"enum": str(value)}
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta, uuid.UUID)):
        kind = next(k for k in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta, uuid.UUID) if isinstance(value, k))
        return {kind.__name__: _ordered(value)}
    if isinstance(value, str):
        return str.__str__(value)
    raise _NoKey(_kind_of(value))


def _number(value: Any) -> Any:
    if value in (float("inf"), float("-inf")):
        return {"infinite": value > 0}
    if value == int(value):
        return int(value)
    return float(value) if value == float(value) else {"decimal": str(value.normalize())}


def filled(batches: Texts, column: Any, missing: str, dropped: List[int]) -> Iterator[Batch]:
    """Yield the batches with an empty text, which has no duplicates, in place of each null. If
    missing is "drop", the numbers of these rows are appended to dropped."""
    first = 0
    for batch in batches:
        size = len(batch)
        if not isinstance(batch, Column) or not batch.whole():
            batch = listed(batch)
            nulls = [n for n, value in enumerate(batch) if is_null(value)]
            if nulls:
                batch = ["" if is_null(value) else value for value in batch]
            if missing == "drop":
                dropped += (first + n for n in nulls)
        yield batch
        first += size


def encoded(text: str) -> bytes:
    r"""Return a text in UTF-8. As when the program reads JSON, a surrogate pair becomes the
    character that it encodes. A lone surrogate becomes the three bytes that the program has for it,
    too, so that it differs from other lone surrogates.

    >>> encoded("\ud83d\ude42").decode(), encoded("\ud800")
    ('🙂', b'\xed\xa0\x80')
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass")


def _plain(batch: Sequence[str]) -> bytes:
    if not batch:
        return b""
    return encoded('"' + '"\n"'.join([t.replace('"', '""') for t in batch]) + '"\n')


def checked(batches: Texts, column: str) -> Iterator[Batch]:
    """Yield the batches, and raise DataError for a value that is not a text.

    >>> list(checked([["a"], ["b", None]], "text"))
    Traceback (most recent call last):
    doppel._errors.DataError: row 2: text is null; missing='keep' keeps such rows, missing='drop' drops them
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
            hint = "; missing='keep' keeps such rows, missing='drop' drops them" if is_null(value) else ""
            raise DataError(f"row {n}: {column} is {_what(value)}{hint}")


def is_null(value: Any) -> bool:
    """Return whether a value is None, NaN, or a null of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _what(value: Any) -> str:
    return "null" if is_null(value) else f"{_kind_of(value)}, not a string"


def _kind_of(value: Any) -> str:
    return type(value).__name__
