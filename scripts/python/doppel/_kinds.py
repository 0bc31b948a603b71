"""A class for each kind of data, which reads the values of a column and selects rows.

Only libraries that the caller has imported are used.
"""

import io
import pickle
import sys
import tempfile
from array import array
from copy import copy
from itertools import compress, count, islice
from typing import IO, Any, Iterator, List, Mapping, Sequence

from ._columns import ArrowColumn, PolarsColumn, arrow_columns, batch_rows, few_runs, runs
from ._errors import DataError
from ._texts import Batch

_BATCH = 200  # rows of a batch; about 600 kB of typical web text, which fit in a cache


class Kind:
    """The base class for rows of data, which has a subclass for each kind of data."""

    def __init__(self, data: Any):
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def names(self) -> Sequence[str]:
        """Return the names of the columns."""
        raise NotImplementedError

    def batches(self, column: str) -> Iterator[Batch]:
        """Return the values of a column, in order."""
        raise NotImplementedError

    def select(self, mask: bytearray) -> Any:
        """Return the rows that have the byte 1 in the mask, in order, as the same kind of data."""
        raise NotImplementedError

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        """Return the result of select with a column of these values, which replaces a column of
        the same name."""
        raise NotImplementedError

    def column(self, name: str) -> Iterator[Batch]:
        """Return the values of a column in batches. Raise DataError if no column or more than one
        has the name."""
        if (columns := list(self.names()).count(name)) > 1:
            raise DataError(f"{columns} columns are named {name!r}: want one")
        if not columns:
            raise DataError(f"no column {name!r}; the columns are: {', '.join(map(str, self.names())) or 'none'}")
        return self.batches(name)

    def _slices(self, values: Any) -> Iterator[Any]:
        for start in range(0, len(self), _BATCH):
            yield values[start : start + _BATCH]


class Rows(Kind):
    """A list of dicts."""

    def names(self) -> Sequence[str]:
        return list(self.data[0]) if self.data else []

    def column(self, name: str) -> Iterator[Batch]:
        for rows in self._slices(self.data):
            yield [r.get(name) for r in rows]

    def select(self, mask: bytearray) -> Any:
        return list(compress(self.data, mask))

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        return [{**row, name: value} for row, value in zip(selected, values)]


class Arrow(Kind):
    """A pyarrow.Table. A column of texts has the type string, large_string or
    string_view, or a dictionary of one of these, and any number of chunks."""

    def names(self) -> Sequence[str]:
        return list(self.data.column_names)

    def batches(self, column: str) -> Iterator[Batch]:
        return arrow_columns(self.data.column(column))

    def select(self, mask: bytearray) -> Any:
        pa = sys.modules["pyarrow"]
        if few_runs(mask):
            return self._sliced(mask)
        try:
            return self.data.filter(arrow_mask(mask))
        except pa.ArrowNotImplementedError:  # for a type such as string_view
            return self._sliced(mask)

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        pa = sys.modules["pyarrow"]
        if name in selected.column_names:
            selected = selected.drop_columns([name])
        return selected.append_column(name, pa.array(values, pa.int64()))

    def _sliced(self, mask: bytearray) -> Any:
        slices = [self.data.slice(r.start, r.stop - r.start) for r in runs(mask)]
        return sys.modules["pyarrow"].concat_tables([self.data.slice(0, 0), *slices])


def arrow_mask(mask: bytearray) -> Any:
    """Return a mask as a boolean pyarrow.Array."""
    pa = sys.modules["pyarrow"]
    ones = pa.Array.from_buffers(pa.uint8(), len(mask), [None, pa.py_buffer(mask)])
    return ones.cast(pa.bool_())


class Pandas(Kind):
    """A pandas.DataFrame. The index may be of any kind; kept rows keep their index values."""

    def names(self) -> Sequence[str]:
        return list(self.data.columns)

    def batches(self, column: str) -> Iterator[Batch]:
        values = self.data[column].array
        if values.dtype.name != "object" and "pyarrow" in sys.modules and hasattr(values, "__arrow_array__"):
            yield from arrow_columns(sys.modules["pyarrow"].array(values))
            return
        for part in self._slices(values):
            yield part.tolist()

    def select(self, mask: bytearray) -> Any:
        if self._of_arrow() and few_runs(mask):
            return sys.modules["pandas"].concat([self.data.iloc[r] for r in runs(mask)] or [self.data.iloc[:0]])
        return self.data[sys.modules["numpy"].frombuffer(mask, dtype=bool)]

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        return selected.assign(**{name: sys.modules["numpy"].array(values, dtype="int64")})

    def _of_arrow(self) -> bool:
        """Return whether pyarrow, which joins slices without a copy, stores the values of at
        least one column."""
        held = sys.modules["pandas"].arrays.ArrowExtensionArray
        return any(isinstance(self.data.iloc[:0, n].array, held) for n in range(self.data.shape[1]))


class Polars(Kind):
    """A polars.DataFrame. A column of texts has the type String, Categorical or Enum."""

    def names(self) -> Sequence[str]:
        return list(self.data.columns)

    def batches(self, column: str) -> Iterator[Batch]:
        values = self.data.get_column(column)
        step = batch_rows(values.estimated_size(), len(values))
        for start in range(0, len(values), step):
            part = values.slice(start, step)
            yield ArrowColumn(part.to_arrow()) if "pyarrow" in sys.modules else PolarsColumn(part)

    def select(self, mask: bytearray) -> Any:
        pl = sys.modules["polars"]
        return self.data.filter(pl.Series(map(bool, mask), dtype=pl.Boolean))

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        pl = sys.modules["polars"]
        return selected.with_columns(pl.Series(name, values, dtype=pl.Int64))


class Dataset(Kind):
    """A datasets.Dataset in any format, with or without an indices mapping."""

    def names(self) -> Sequence[str]:
        return list(self.data.column_names)

    def batches(self, column: str) -> Iterator[Batch]:
        arrow = self.data.select_columns([column]).with_format("arrow")
        for table in arrow.iter(batch_size=batch_rows(self.data.data.nbytes, len(self.data.data))):
            yield ArrowColumn(table.column(column))

    def select(self, mask: bytearray) -> Any:
        return self.data.select(array("q", compress(range(len(mask)), mask)))

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        if name in selected.column_names:
            selected = selected.remove_columns(name)
        form = selected.format
        columns = None if set(form["columns"]) >= set(selected.column_names) else form["columns"]
        flat = selected.with_format("arrow").flatten_indices()  # in another format a text loses a NUL at its end
        with_sizes = flat.add_column(name, list(values))
        return with_sizes.with_format(form["type"], columns, form["output_all_columns"], **form["format_kwargs"])


class Stream(Kind):
    """An iterator of dicts, or a datasets.IterableDataset. It is read only once: its rows are
    stored in an unnamed file. The method select returns an iterator."""

    def __init__(self, data: Any):
        self._source = iter(data)
        self._file: IO[bytes] = tempfile.TemporaryFile()
        self._starts: List[int] = []  # offsets of the batches in the file
        self._sizes: List[int] = []
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def column(self, name: str) -> Iterator[Batch]:
        for n in count():
            rows = self._batch(n)
            if not rows:
                return
            yield [r.get(name) for r in rows]

    def select(self, mask: bytearray) -> Any:
        start = 0
        for n in range(len(self._starts)):
            rows = self._batch(n)
            yield from compress(rows, mask[start:])
            start += len(rows)

    def with_column(self, selected: Any, name: str, values: Sequence[int]) -> Any:
        return ({**row, name: value} for row, value in zip(selected, values))

    def _batch(self, n: int) -> List[Any]:
        """Return batch n, from the file if it was read before, or otherwise from the iterator."""
        if n < len(self._starts):
            self._file.seek(self._starts[n])
            held = pickle.Unpickler(self._file)
            return [held.load() for _ in range(self._sizes[n])]
        rows, written = [], io.BytesIO()
        pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
        for row in islice(self._source, _BATCH):
            pickler.dump(row)  # at once, because an iterator may change a row after yielding it
            pickler.clear_memo()
            rows.append(copy(row))
        if rows:
            self._rows += len(rows)
            self._starts.append(self._file.seek(0, 2))
            self._sizes.append(len(rows))
            self._file.write(written.getbuffer())
        return rows


_KINDS = {
    ("pyarrow", "Table"): Arrow,
    ("pandas", "DataFrame"): Pandas,
    ("polars", "DataFrame"): Polars,
    ("datasets", "Dataset"): Dataset,
    ("datasets", "IterableDataset"): Stream,
}


def kind(data: Any) -> Kind:
    """Return data as its Kind, or raise TypeError."""
    for c in type(data).__mro__:
        found = _KINDS.get((c.__module__.partition(".")[0], c.__name__))
        if found:
            return found(data)
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)) and all(isinstance(r, Mapping) for r in data):
        return Rows(data)
    if isinstance(data, Iterator):
        return Stream(data)
    raise TypeError(f"{type(data).__module__}.{type(data).__name__} is neither a table nor rows")
