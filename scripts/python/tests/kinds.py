"""Conversions of rows to each kind of data and back."""

from typing import Any, Callable, Dict, List, NamedTuple

import datasets
import pandas as pd
import polars as pl
import pyarrow as pa

Rows = List[Dict[str, Any]]


class Kind(NamedTuple):
    make: Callable[[Rows], Any]
    read: Callable[[Any], Rows]


def arrow(text: pa.DataType) -> Kind:
    def make(rows: Rows) -> pa.Table:
        table = pa.Table.from_pylist(rows)
        at = table.schema.get_field_index("text")
        return table.set_column(at, "text", table.column("text").cast(text))

    return Kind(make, lambda t: t.to_pylist())


def chunked(rows: Rows) -> pa.Table:
    """Return a table whose chunks are slices of another table. The chunks have different sizes,
    and one is empty."""
    table = pa.Table.from_pylist(rows)
    cuts = [0, 1, 1, 700, 1900, len(rows)]
    return pa.concat_tables([table.slice(a, b - a) for a, b in zip(cuts, cuts[1:])])


def dictionary(rows: Rows) -> pa.Table:
    """Return a table of two chunks, each with its own dictionary of texts."""
    table = pa.Table.from_pylist(rows)
    halves = [table.slice(0, 100), table.slice(100)]
    at = table.schema.get_field_index("text")
    return pa.concat_tables([t.set_column(at, "text", t.column("text").dictionary_encode()) for t in halves])


def shuffled(rows: Rows) -> pd.DataFrame:
    """Return a frame with an index unrelated to the order of the rows."""
    frame = pd.DataFrame(rows)
    frame.index = pd.Index([n * 7 % 13 for n in range(len(rows))])
    return frame


def selected(rows: Rows) -> datasets.Dataset:
    """Return a dataset that has another format, stores the rows in reverse order, and restores
    their order with indices."""
    last = len(rows) - 1
    return datasets.Dataset.from_list(rows[::-1]).select(range(last, -1, -1)).with_format("numpy", columns=["n"])


def pandas(rows: Any) -> Rows:
    return list(rows.to_dict("records"))


KINDS: Dict[str, Kind] = {
    "list": Kind(list, list),
    "tuple": Kind(tuple, list),
    "arrow string": arrow(pa.string()),
    "arrow large_string": arrow(pa.large_string()),
    "arrow string_view": arrow(pa.string_view()),
    "arrow chunks": Kind(chunked, lambda t: t.to_pylist()),
    "arrow dictionaries": Kind(dictionary, lambda t: t.to_pylist()),
    "pandas": Kind(pd.DataFrame, pandas),
    "pandas object": Kind(lambda rows: pd.DataFrame(rows).astype({"text": object}), pandas),
    "pandas arrow": Kind(lambda rows: pd.DataFrame(rows).convert_dtypes(dtype_backend="pyarrow"), pandas),
    "pandas categorical": Kind(lambda rows: pd.DataFrame(rows).astype({"text": "category"}), pandas),
    "pandas other index": Kind(shuffled, pandas),
    "polars": Kind(pl.DataFrame, lambda f: f.to_dicts()),
    "polars categorical": Kind(lambda rows: pl.DataFrame(rows).with_columns(pl.col("text").cast(pl.Categorical)), lambda f: f.to_dicts()),
    "polars chunks": Kind(lambda rows: pl.concat([pl.DataFrame(rows[:9]), pl.DataFrame(rows[9:])], rechunk=False), lambda f: f.to_dicts()),
    "dataset": Kind(datasets.Dataset.from_list, lambda d: d.to_list()),
    "dataset selected": Kind(selected, lambda d: d.with_format(None).to_list()),
}
