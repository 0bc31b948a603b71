"""A class for each kind of data, which reads the values of a column and selects rows.

The table at the end lists what is accepted. Only libraries that the caller has imported are used,
except that data of other libraries that export Arrow streams need pyarrow. What is selected has
the type of the data that was given.
"""

import io
import pickle
import sys
import tempfile
from array import array
from copy import copy
from itertools import chain, compress, count, islice
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, ValuesView

from ._columns import ArrowColumn, PolarsColumn, arrow_columns, batch_rows, few_runs, runs
from ._errors import DataError
from ._texts import Batch, keys

_BATCH = 200  # rows of a batch; about 600 kB of typical web text, which fit in a cache


class Kind:
    """The base class for rows of data, which has a subclass for each kind of data."""

    only: Optional[str] = None
    """What the data consists of, such as "a list of texts", if each row is just a text."""

    sized = True
    """Whether the number of rows is known before they have been read."""

    def __init__(self, data: Any, back: Callable[[Any], Any] = lambda selected: selected):
        self.data = data
        self.back = back  # converts selected data to the type that was given

    def __len__(self) -> int:
        return len(self.data)

    def names(self) -> Sequence[Any]:
        """Return the names of the columns."""
        raise NotImplementedError

    def batches(self, column: Any) -> Iterator[Batch]:
        """Return the values of a column, in order."""
        raise NotImplementedError

    def chosen(self, mask: bytearray) -> Any:
        """Return the rows that have the byte 1 in the mask, in order, as data of this class."""
        raise NotImplementedError

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        """Return the result of chosen with a column of these values, which replaces a column of
        the same name."""
        raise NotImplementedError

    def listed(self, values: Sequence[int]) -> Any:
        """Return a number for each row in the form that suits the data."""
        return list(values)

    def select(self, mask: bytearray) -> Any:
        return self.back(self.chosen(mask))

    def with_column(self, mask: bytearray, name: Any, values: Sequence[int]) -> Any:
        if self.only:
            raise TypeError(f"cluster_size needs rows with columns, and the data is {self.only}")
        return self.back(self.extended(self.chosen(mask), name, values))

    def has(self, name: Any) -> bool:
        """Return whether a column has the name."""
        return any(name == n and type(name) is type(n) for n in self.names())

    def column(self, name: Any) -> Iterator[Batch]:
        """Return the values of a column in batches. Raise DataError if no column or more than one
        has the name."""
        if (columns := list(self.names()).count(name)) > 1:
            raise DataError(f"{columns} columns are named {name!r}: want one")
        if not columns:
            raise DataError(f"no column {name!r}; the columns are: {', '.join(map(str, self.names())) or 'none'}")
        return self.batches(name)

    def ranks(self, name: Any) -> Iterator[Batch]:
        """Return the values of a column as column does, but with the positions of ordered
        categories in place of their names."""
        return self.column(name)

    def rows(self) -> Iterator[Batch]:
        """Return the rows in batches, each row as a list of values or as a dict."""
        names = list(self.names())
        if len(set(names)) < len(names):
            raise DataError("two columns have the same name: want different names")
        return zipped([self.batches(name) for name in names])

    def _slices(self, values: Any) -> Iterator[Any]:
        for start in range(0, len(self), _BATCH):
            yield values[start : start + _BATCH]


def zipped(columns: Sequence[Iterable[Batch]]) -> Iterator[Batch]:
    """Yield the rows of columns, whose batches may have different sizes, in batches of lists."""
    values = [chain.from_iterable(b if isinstance(b, list) else b.listed() for b in column) for column in columns]
    rows = map(list, zip(*values))
    while batch := list(islice(rows, _BATCH)):
        yield batch


class Rows(Kind):
    """A sequence of dicts, which may have different keys."""

    def names(self) -> Sequence[Any]:
        return list(dict.fromkeys(chain.from_iterable(self.data)))

    def has(self, name: Any) -> bool:
        return any(name in r for r in self.data)

    def column(self, name: Any) -> Iterator[Batch]:
        for rows in self._slices(self.data):
            yield [r.get(name) for r in rows]

    def rows(self) -> Iterator[Batch]:
        return map(list, self._slices(self.data))

    def chosen(self, mask: bytearray) -> Any:
        return list(compress(self.data, mask))

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        return [{**row, name: value} for row, value in zip(selected, values)]


class Texts(Kind):
    """A sequence of texts."""

    only = "a list of texts"

    def names(self) -> Sequence[Any]:
        return ["text"]

    def batches(self, column: Any) -> Iterator[Batch]:
        return map(list, self._slices(self.data))

    def chosen(self, mask: bytearray) -> Any:
        return list(compress(self.data, mask))


class Columns(Kind):
    """A dict of columns: lists, or arrays that can be converted to lists."""

    def __init__(self, data: Any, back: Callable[[Any], Any] = lambda selected: selected):
        super().__init__(data, back)
        sizes = {name: len(values) for name, values in data.items()}
        if len(set(sizes.values())) > 1:
            raise DataError(f"the columns have different lengths: {', '.join(f'{k}: {v}' for k, v in sizes.items())}")
        self._rows = next(iter(sizes.values()), 0)

    def __len__(self) -> int:
        return self._rows

    def names(self) -> Sequence[Any]:
        return list(self.data)

    def batches(self, column: Any) -> Iterator[Batch]:
        return (list(part.tolist() if hasattr(part, "tolist") else part) for part in self._slices(self.data[column]))

    def chosen(self, mask: bytearray) -> Any:
        return {name: self._chosen(values, mask) for name, values in self.data.items()}

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        arrays = any(type(v).__module__ == "numpy" for v in selected.values())
        return {**selected, name: sys.modules["numpy"].array(values, dtype="int64") if arrays else list(values)}

    def _chosen(self, values: Any, mask: bytearray) -> Any:
        kept = compress(values, mask)
        if type(values).__module__ == "numpy":
            return values[sys.modules["numpy"].frombuffer(mask, dtype=bool)]
        return tuple(kept) if isinstance(values, tuple) else list(kept)


class Numpy(Texts):
    """An array of texts with one dimension."""

    only = "an array of texts"

    def batches(self, column: Any) -> Iterator[Batch]:
        return (part.tolist() for part in self._slices(self.data))

    def chosen(self, mask: bytearray) -> Any:
        return self.data[sys.modules["numpy"].frombuffer(mask, dtype=bool)]

    def listed(self, values: Sequence[int]) -> Any:
        return sys.modules["numpy"].array(values, dtype="int64")


class Arrow(Kind):
    """A pyarrow.Table. A column of texts has the type string, large_string or
    string_view, or a dictionary of one of these, and any number of chunks."""

    def names(self) -> Sequence[Any]:
        return list(self.data.column_names)

    def batches(self, column: Any) -> Iterator[Batch]:
        return arrow_columns(self.data.column(column))

    def ranks(self, name: Any) -> Iterator[Batch]:
        values = self.column(name)  # also checks the name
        kind = self.data.schema.field(name).type
        if not (sys.modules["pyarrow"].types.is_dictionary(kind) and kind.ordered):
            return values
        return arrow_columns(sys.modules["pyarrow"].chunked_array([c.indices for c in self.data.column(name).unify_dictionaries().chunks]))

    def chosen(self, mask: bytearray) -> Any:
        pa = sys.modules["pyarrow"]
        if few_runs(mask):
            return self._sliced(mask)
        try:
            return self.data.filter(arrow_mask(mask))
        except pa.ArrowNotImplementedError:  # for a type such as string_view
            return self._sliced(mask)

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        pa = sys.modules["pyarrow"]
        if name in selected.column_names:
            selected = selected.drop_columns([name])
        return selected.append_column(name, pa.array(values, pa.int64()))

    def listed(self, values: Sequence[int]) -> Any:
        pa = sys.modules["pyarrow"]
        return pa.array(values, pa.int64())

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

    def names(self) -> Sequence[Any]:
        return list(self.data.columns)

    def batches(self, column: Any) -> Iterator[Batch]:
        values = self.data[column].array
        if values.dtype.name != "object" and "pyarrow" in sys.modules and hasattr(values, "__arrow_array__"):
            yield from arrow_columns(sys.modules["pyarrow"].array(values))
            return
        for part in self._slices(values):
            yield part.tolist()

    def ranks(self, name: Any) -> Iterator[Batch]:
        values = self.column(name)
        if not getattr(self.data[name].dtype, "ordered", False):
            return values
        return ([None if c < 0 else c for c in part.codes.tolist()] for part in self._slices(self.data[name].array))

    def chosen(self, mask: bytearray) -> Any:
        if self._of_arrow() and few_runs(mask):
            return sys.modules["pandas"].concat([self.data.iloc[r] for r in runs(mask)] or [self.data.iloc[:0]])
        return self.data[sys.modules["numpy"].frombuffer(mask, dtype=bool)]

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        return selected.assign(**{name: sys.modules["numpy"].array(values, dtype="int64")})

    def listed(self, values: Sequence[int]) -> Any:
        return sys.modules["pandas"].Series(values, index=self.data.index, dtype="int64", name="group")

    def _of_arrow(self) -> bool:
        """Return whether pyarrow, which joins slices without a copy, stores the values of at
        least one column."""
        held = sys.modules["pandas"].arrays.ArrowExtensionArray
        return any(isinstance(self.data.iloc[:0, n].array, held) for n in range(self.data.shape[1]))


class Polars(Kind):
    """A polars.DataFrame. A column of texts has the type String, Categorical or Enum."""

    def names(self) -> Sequence[Any]:
        return list(self.data.columns)

    def batches(self, column: Any) -> Iterator[Batch]:
        return self._parts(self.data.get_column(column))

    def ranks(self, name: Any) -> Iterator[Batch]:
        values = self.column(name)
        if self.data.schema[name] != sys.modules["polars"].Enum:
            return values
        return self._parts(self.data.get_column(name).to_physical())

    def chosen(self, mask: bytearray) -> Any:
        pl = sys.modules["polars"]
        return self.data.filter(pl.Series(map(bool, mask), dtype=pl.Boolean))

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        pl = sys.modules["polars"]
        return selected.with_columns(pl.Series(name, values, dtype=pl.Int64))

    def listed(self, values: Sequence[int]) -> Any:
        pl = sys.modules["polars"]
        return pl.Series("group", values, dtype=pl.Int64)

    def _parts(self, values: Any) -> Iterator[Batch]:
        step = batch_rows(values.estimated_size(), len(values))
        for start in range(0, len(values), step):
            part = values.slice(start, step)
            yield ArrowColumn(part.to_arrow()) if "pyarrow" in sys.modules else PolarsColumn(part)


class Dataset(Kind):
    """A datasets.Dataset in any format, with or without an indices mapping."""

    def names(self) -> Sequence[Any]:
        return list(self.data.column_names)

    def batches(self, column: Any) -> Iterator[Batch]:
        arrow = self.data.select_columns([column]).with_format("arrow")
        for table in arrow.iter(batch_size=batch_rows(self.data.data.nbytes, len(self.data.data))):
            yield ArrowColumn(table.column(column))

    def chosen(self, mask: bytearray) -> Any:
        return self.data.select(array("q", compress(range(len(mask)), mask)))

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        if name in selected.column_names:
            selected = selected.remove_columns(name)
        form = selected.format
        columns = None if set(form["columns"]) >= set(selected.column_names) else form["columns"]
        flat = selected.with_format("arrow").flatten_indices()  # in another format a text loses a NUL at its end
        with_sizes = flat.add_column(name, list(values))
        return with_sizes.with_format(form["type"], columns, form["output_all_columns"], **form["format_kwargs"])


class Splits(Kind):
    """A datasets.DatasetDict. Its rows are those of all splits, in order, with the name of the
    split as the column "split"."""

    def __init__(self, data: Any, back: Callable[[Any], Any] = lambda selected: selected):
        super().__init__(data, back)
        self._splits = {name: Dataset(split) for name, split in data.items()}
        if any(split.has("split") for split in self._splits.values()):
            raise DataError("a column is named 'split': want another name, because that is the name of the split")

    def __len__(self) -> int:
        return sum(map(len, self._splits.values()))

    def names(self) -> Sequence[Any]:
        columns = dict.fromkeys(chain.from_iterable(split.names() for split in self._splits.values()))
        return ["split", *columns]

    def batches(self, column: Any) -> Iterator[Batch]:
        for name, split in self._splits.items():
            if column == "split":
                yield [name] * len(split)
            else:
                yield from split.column(column)

    def chosen(self, mask: bytearray) -> Any:
        return {name: self._splits[name].chosen(part) for name, part in self._cut(mask)}

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        rest = iter(values)
        return {s: self._splits[s].extended(kept, name, list(islice(rest, len(kept)))) for s, kept in selected.items()}

    def listed(self, values: Sequence[int]) -> Any:
        return {name: list(part) for name, part in self._cut(values)}

    def _cut(self, values: Any) -> Iterator[Tuple[str, Any]]:
        start = 0
        for name, split in self._splits.items():
            yield name, values[start : start + len(split)]
            start += len(split)


class Stream(Kind):
    """An iterator of dicts or of texts, or a datasets.IterableDataset. It is read only once: its
    rows are stored in an unnamed file. The rows are selected as an iterator."""

    sized = False

    def __init__(self, data: Any, back: Callable[[Any], Any] = lambda selected: selected, texts: bool = False):
        super().__init__(data, back)
        self.only = "an iterator of texts" if texts else None
        self._source = iter(data)
        self._file: IO[bytes] = tempfile.TemporaryFile()
        self._starts: List[int] = []  # offsets of the batches in the file
        self._sizes: List[int] = []
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def names(self) -> Sequence[Any]:
        return ["text"] if self.only else list(dict.fromkeys(chain.from_iterable(self._batch(0))))

    def has(self, name: Any) -> bool:
        """Return whether a row has the column. The rows are read until one has."""
        return any(name in r for rows in self._all() for r in rows)

    def column(self, name: Any) -> Iterator[Batch]:
        return self.rows() if self.only else ([r.get(name) for r in rows] for rows in self._all())

    def rows(self) -> Iterator[Batch]:
        yield from self._all()

    def _all(self) -> Iterator[List[Any]]:
        for n in count():
            rows = self._batch(n)
            if not rows:
                return
            yield rows

    def chosen(self, mask: bytearray) -> Any:
        start = 0
        for rows in self._all():
            yield from compress(rows, mask[start:])
            start += len(rows)

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        return ({**row, name: value} for row, value in zip(selected, values))

    def _batch(self, n: int) -> List[Any]:
        """Return batch n, from the file if it was read before, or otherwise from the iterator."""
        if n < len(self._starts):
            self._file.seek(self._starts[n])
            held = pickle.Unpickler(self._file)
            return [held.load() for _ in range(self._sizes[n])]
        rows: List[Any] = []
        written = io.BytesIO()
        pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
        for row in islice(self._source, _BATCH):
            if not isinstance(row, str if self.only else Mapping):
                want = "a text" if self.only else "a dict"
                raise DataError(f"row {self._rows + len(rows)}: is {type(row).__name__}: want {want}, as the first row is")
            try:
                pickler.dump(row)  # at once, because an iterator may change a row after yielding it
            except (pickle.PicklingError, AttributeError, TypeError) as e:
                raise DataError(f"row {self._rows + len(rows)}: cannot be stored on disk ({e}); a list of the rows is held in memory") from None
            pickler.clear_memo()
            rows.append(copy(row))
        if rows:
            self._rows += len(rows)
            self._starts.append(self._file.seek(0, 2))
            self._sizes.append(len(rows))
            self._file.write(written.getbuffer())
        return rows


class IterableDataset(Stream):
    """A datasets.IterableDataset. The selected rows are read from the unnamed file at each pass."""

    def select(self, mask: bytearray) -> Any:
        return self._dataset(lambda: self.chosen(mask), self.data.features)

    def with_column(self, mask: bytearray, name: Any, values: Sequence[int]) -> Any:
        return self._dataset(lambda: self.extended(self.chosen(mask), name, values), None)

    def _dataset(self, rows: Callable[[], Iterator[Any]], features: Any) -> Any:
        return sys.modules["datasets"].IterableDataset.from_generator(_Pass(rows), features=features)


class _Pass:
    """A function whose pickled form, which datasets hashes, does not contain rows or files."""

    def __init__(self, rows: Callable[[], Iterator[Any]]):
        self._rows = rows

    def __call__(self) -> Iterator[Any]:
        return self._rows()

    def __reduce__(self) -> Tuple[Any, ...]:
        return str, (f"doppel rows {id(self)}",)


class ArrowStream(Kind):
    """A pyarrow.RecordBatchReader or an iterator of record batches. The batches are stored in an
    unnamed file when they are first read. The rows are selected as an iterator of batches."""

    def __init__(self, schema: Any, batches: Iterable[Any], back: Callable[[Any], Any]):
        import pyarrow as pa  # type: ignore[import-untyped]

        super().__init__(None, back)
        self.schema = schema
        self._file: IO[bytes] = tempfile.TemporaryFile()
        self._rows = 0
        with pa.ipc.new_stream(pa.PythonFile(self._file, "w"), schema) as writer:
            for batch in batches:
                writer.write(batch)
                self._rows += batch.num_rows
        self._file.flush()

    def __len__(self) -> int:
        return self._rows

    def names(self) -> Sequence[Any]:
        return list(self.schema.names)

    def batches(self, column: Any) -> Iterator[Batch]:
        for batch in self._read():
            yield from arrow_columns(batch.column(column))

    def ranks(self, name: Any) -> Iterator[Batch]:
        self.column(name)
        for batch in self._read():
            yield from Arrow(sys.modules["pyarrow"].Table.from_batches([batch])).ranks(name)

    def chosen(self, mask: bytearray) -> Any:
        start = 0
        for batch in self._read():
            yield batch.filter(arrow_mask(mask[start : start + batch.num_rows]))
            start += batch.num_rows

    def extended(self, selected: Any, name: Any, values: Sequence[int]) -> Any:
        pa, start = sys.modules["pyarrow"], 0
        for batch in selected:
            table = Arrow(None).extended(pa.Table.from_batches([batch]), name, values[start : start + batch.num_rows])
            start += batch.num_rows
            yield from table.to_batches()

    def listed(self, values: Sequence[int]) -> Any:
        return sys.modules["pyarrow"].array(values, "int64")

    def _read(self) -> Iterator[Any]:
        pa = sys.modules["pyarrow"]
        # Each reader has its own position, so that two columns can be read in turn.
        with pa.memory_map(f"/dev/fd/{self._file.fileno()}") as mapped, pa.ipc.open_stream(mapped) as reader:
            yield from reader


class _RowKey:
    """The name of the column of keys of Keyed."""

    def __str__(self) -> str:
        return "row"


KEY: Any = _RowKey()


class Keyed(Kind):
    """Rows of another kind, with a column of texts, named KEY, that are equal for equal rows or,
    if subset is given, for rows with equal values in these columns."""

    def __init__(self, table: Kind, subset: Any):
        super().__init__(table.data)
        self._table = table
        self._subset = subset if subset is None or isinstance(subset, (list, tuple)) else [subset]
        if self._subset is not None and not self._subset:
            raise TypeError("subset is empty: want at least one column")
        for name in self._subset or ():
            if not table.has(name) and len(table):
                raise DataError(f"no column {name!r}; the columns are: {', '.join(map(str, table.names())) or 'none'}")
        self.select, self.with_column, self.names, self.ranks = table.select, table.with_column, table.names, table.ranks  # type: ignore[method-assign]

    def __len__(self) -> int:
        return len(self._table)

    def has(self, name: Any) -> bool:
        return name is KEY or self._table.has(name)

    def column(self, name: Any) -> Iterator[Batch]:
        if name is not KEY:
            return self._table.column(name)
        rows = self._table.rows() if self._subset is None else zipped([self._table.column(n) for n in self._subset])
        return batched(keys(rows, self._subset or ()))


def batched(values: Iterator[str]) -> Iterator[Batch]:
    while batch := list(islice(values, _BATCH)):
        yield batch


def _reader(data: Any) -> Kind:
    pa = sys.modules["pyarrow"]

    def back(batches: Iterator[Any]) -> Any:
        first = next(batches, None)
        schema = data.schema if first is None else first.schema
        return pa.RecordBatchReader.from_batches(schema, chain([] if first is None else [first], batches))

    return ArrowStream(data.schema, data, back)


def _batch(data: Any) -> Kind:
    pa = sys.modules["pyarrow"]

    def back(table: Any) -> Any:
        parts = table.combine_chunks().to_batches()
        return parts[0] if parts else pa.RecordBatch.from_pylist([], schema=table.schema)

    return Arrow(pa.Table.from_batches([data]), back)


def _arrow_dataset(data: Any) -> Kind:
    import pyarrow.dataset  # type: ignore[import-untyped]

    return Arrow(data.to_table(), lambda table: pyarrow.dataset.dataset(table))


def _arrow_array(data: Any) -> Kind:
    pa = sys.modules["pyarrow"]
    chunked = isinstance(data, pa.ChunkedArray)

    def back(table: Any) -> Any:
        values = table.column(0)
        return values if chunked else values.combine_chunks()

    return _single(Arrow(pa.table({"text": data}), back), "an array of texts")


def _relation(data: Any) -> Kind:
    def back(kept: Any) -> Any:  # as a relation of the same connection, which finds the local name
        return data.query("doppel_rows", "SELECT * FROM kept")

    import pyarrow  # noqa: F401

    return Arrow(data.to_arrow_table(), back)


def _series(data: Any) -> Kind:
    name = data.name

    def back(frame: Any) -> Any:
        return frame["text"].rename(name)

    return _single(Pandas(data.to_frame("text"), back), "a Series")


def _polars_series(data: Any) -> Kind:
    return _single(Polars(data.alias("text").to_frame(), lambda f: f.get_column("text").alias(data.name)), "a Series")


def _lazy(data: Any) -> Kind:
    return Polars(data.collect(engine="streaming"), lambda frame: frame.lazy())


def _splits(data: Any) -> Kind:
    return Splits(data, type(data))


def _array(data: Any) -> Kind:
    if data.ndim != 1:
        raise TypeError(f"an array with {data.ndim} dimensions: want one dimension, or a DataFrame")
    return Numpy(data)


def _exported(data: Any) -> Kind:
    """Return data that its library exports as an Arrow stream. It comes back as a pyarrow.Table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise TypeError(f"{_named(data)}: reading it needs the package pyarrow") from None
    return Arrow(pa.table(data))


def _single(kind: Kind, what: str) -> Kind:
    kind.only = what
    return kind


def _refused(message: str) -> Callable[[Any], Kind]:
    """Return a function that refuses data with the way out."""

    def refuse(data: Any) -> Kind:
        raise TypeError(message)

    return refuse


# What is accepted, by the package and the name of the class or of one of its bases.
_KINDS: Dict[Tuple[str, str], Callable[[Any], Kind]] = {
    ("pyarrow", "Table"): Arrow,
    ("pyarrow", "RecordBatch"): _batch,
    ("pyarrow", "RecordBatchReader"): _reader,
    ("pyarrow", "Scanner"): lambda data: _reader(data.to_reader()),
    ("pyarrow", "Dataset"): _arrow_dataset,
    ("pyarrow", "Array"): _arrow_array,
    ("pyarrow", "ChunkedArray"): _arrow_array,
    ("pandas", "DataFrame"): Pandas,
    ("pandas", "Series"): _series,
    ("polars", "DataFrame"): Polars,
    ("polars", "LazyFrame"): _lazy,
    ("polars", "Series"): _polars_series,
    ("duckdb", "DuckDBPyRelation"): _relation,
    ("_duckdb", "DuckDBPyRelation"): _relation,
    ("numpy", "ndarray"): _array,
    ("datasets", "Dataset"): Dataset,
    ("datasets", "DatasetDict"): _splits,
    ("datasets", "IterableDataset"): IterableDataset,
    ("datasets", "IterableDatasetDict"): _refused("an IterableDatasetDict: want one of its splits, such as data['train']"),
    ("duckdb", "DuckDBPyConnection"): _refused("a DuckDB connection: want a relation, such as connection.sql(query)"),
    ("_duckdb", "DuckDBPyConnection"): _refused("a DuckDB connection: want a relation, such as connection.sql(query)"),
    ("pyarrow", "ParquetFile"): _refused("a ParquetFile: want file.read(), file.iter_batches() or a pathlib.Path"),
    ("pyspark", "DataFrame"): _refused("a DataFrame of Spark: want doppel.spark.fuzzy or doppel.spark.exact"),
}


def kind(data: Any) -> Kind:
    """Return data as its Kind, or raise TypeError."""
    if isinstance(data, Kind):
        return data
    for c in type(data).__mro__:
        found = _KINDS.get((c.__module__.partition(".")[0], c.__name__))
        if found:
            return found(data)
    if hasattr(data, "__arrow_c_stream__"):
        return _exported(data)
    if isinstance(data, Mapping) and data and all(isinstance(v, Sequence) and not isinstance(v, (str, bytes)) or hasattr(v, "tolist") for v in data.values()):
        return Columns(data)
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes, bytearray)):
        return _sequence(data)
    if isinstance(data, ValuesView):
        return _sequence(list(data))
    if isinstance(data, Iterator) and not isinstance(data, io.IOBase):
        return _iterator(data)
    raise TypeError(f"{_named(data)}: {_WANT}")


_WANT = "want a table (pandas, polars, pyarrow, DuckDB, datasets), a list or iterator of dicts or texts, or a pathlib.Path"


def _sequence(data: Sequence[Any]) -> Kind:
    back = tuple if isinstance(data, tuple) else list
    first = next((d for d in data if d is not None), "" if data else {})
    if isinstance(first, Mapping):
        if (n := next((n for n, r in enumerate(data) if not isinstance(r, Mapping)), None)) is not None:
            raise DataError(f"row {n}: is {_named(data[n])}: want a dict, as the other rows are")
        return Rows(data, back)
    if isinstance(first, str):
        return Texts(data, back)
    if type(first).__name__ == "RecordBatch" and type(first).__module__.startswith("pyarrow"):
        return Arrow(sys.modules["pyarrow"].Table.from_batches(data), lambda table: back(table.to_batches()))
    raise TypeError(f"a {type(data).__name__} of {_named(first)}: {_WANT}")


def _iterator(data: Iterator[Any]) -> Kind:
    first = list(islice(data, 1))
    rest = chain(first, data)
    if first and type(first[0]).__name__ == "RecordBatch" and type(first[0]).__module__.startswith("pyarrow"):
        return ArrowStream(first[0].schema, rest, lambda batches: batches)
    if first and not isinstance(first[0], (str, Mapping)):
        raise TypeError(f"an iterator of {_named(first[0])}: want an iterator of dicts, texts or pyarrow.RecordBatch")
    return Stream(rest, texts=bool(first) and isinstance(first[0], str))


def _named(data: Any) -> str:
    c = type(data)
    return c.__name__ if c.__module__ == "builtins" else f"{c.__module__.partition('.')[0]}.{c.__name__}"
