"""Parts of pyarrow and polars columns, which are written as CSV by their libraries.

A library is imported only for columns that belong to it. If the caller has imported pyarrow,
pyarrow also writes polars columns: doppel.fuzzy then takes a quarter less time.
"""

import io
import sys
from typing import Any, Iterator, List

from ._texts import Column

_BLOCK = 1 << 19  # approximate bytes of a part; malloc does not reuse larger blocks


class ArrowColumn(Column):
    """A part of a pyarrow.Array or ChunkedArray."""

    def listed(self) -> List[Any]:
        values: List[Any] = self.values.to_pylist()
        return values

    def whole(self) -> bool:
        kind, types = self.values.type, sys.modules["pyarrow"].types
        return (types.is_string(kind) or types.is_large_string(kind)) and not self.values.null_count

    def rows(self) -> bytes:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import csv

        to = pa.BufferOutputStream()
        options = csv.WriteOptions(include_header=False, quoting_style="needed")
        csv.write_csv(pa.table({"text": self.values}), to, options)
        block: bytes = to.getvalue().to_pybytes()
        return block


class PolarsColumn(Column):
    """A part of a polars.Series."""

    def listed(self) -> List[Any]:
        values: List[Any] = self.values.to_list()
        return values

    def whole(self) -> bool:
        pl = sys.modules["polars"]
        return self.values.dtype in (pl.String, pl.Categorical, pl.Enum) and not self.values.null_count()

    def rows(self) -> bytes:
        to = io.BytesIO()
        self.values.alias("text").to_frame().write_csv(to, include_header=False, quote_style="always")
        return to.getvalue()


def batch_rows(bytes: int, rows: int) -> int:
    """Return the number of rows in a batch of a column with these numbers of bytes and rows.

    >>> batch_rows(3 << 30, 1 << 20), batch_rows(0, 0), batch_rows(1 << 40, 7)
    (170, 10000, 1)
    """
    return max(1, min(10000, _BLOCK * max(rows, 1) // max(bytes, 1)))


def runs(mask: bytearray) -> Iterator[slice]:
    r"""Yield, as slices, the runs of consecutive rows that have the byte 1 in the mask.

    >>> list(runs(bytearray(b"\0\1\1\0\1")))
    [slice(1, 3, None), slice(4, 5, None)]
    """
    end = 0
    while (start := mask.find(1, end)) >= 0:
        end = mask.find(0, start)
        end = len(mask) if end < 0 else end
        yield slice(start, end)


def few_runs(mask: bytearray) -> bool:
    """Return whether the runs are so few and long that rows are best selected as slices, which
    share the memory of the column. For 3 GB, slicing took 0.1 s; copying took 7 s and another
    3 GB of memory."""
    return mask.count(b"\1\0") * 64 < len(mask)


def arrow_columns(values: Any) -> Iterator[Column]:
    """Yield parts of a pyarrow.Array or ChunkedArray."""
    step = batch_rows(values.nbytes, len(values))
    for start in range(0, len(values), step):
        yield ArrowColumn(values.slice(start, step))
