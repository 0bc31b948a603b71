"""Every function accepts every container, with the same results, and returns what was given. The
tests are made from two tables, of containers and of functions."""

from typing import Any, Callable, Dict, Iterator, List, NamedTuple

import datasets
import doppel
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as pads
import pytest

Rows = List[Dict[str, Any]]
TEXTS = ["a b c d e f g h", "one two three four five", "a b c  d e F g h", "", "one two three four six", "", "one two three four five", "naïve 見る 🙂 x y z"]
ROWS: Rows = [{"text": t, "n": n, "lang": "ab"[n % 2], "weight": n % 3} for n, t in enumerate(TEXTS)]


class Exported:
    """Data of an unknown library that exports an Arrow stream."""

    def __init__(self, table: pa.Table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


class Container(NamedTuple):
    make: Callable[[Rows], Any]
    read: Callable[[Any], List[Any]]
    back: Any = None
    """The type of what comes back, if it is not that of what was given."""
    texts: bool = False


def table(rows: Rows) -> pa.Table:
    return pa.Table.from_pylist(rows)


def halves(rows: Rows) -> List[pa.RecordBatch]:
    return [*table(rows[:3]).to_batches(), *table(rows[3:]).to_batches()]


def splits(rows: Rows) -> datasets.DatasetDict:
    return datasets.DatasetDict({"train": datasets.Dataset.from_list(rows)})


def relation(rows: Rows) -> Any:
    held = table(rows)
    return duckdb.connect().from_arrow(held)


def texts(rows: Rows) -> List[str]:
    return [r["text"] for r in rows]


def arrow(batches: Any) -> Rows:
    return [r for b in batches for r in b.to_pylist()]


CONTAINERS: Dict[str, Container] = {
    "list of dicts": Container(list, list),
    "tuple of dicts": Container(tuple, list),
    "iterator of dicts": Container(iter, list, Iterator),
    "generator of dicts": Container(lambda rows: (r for r in rows), list, Iterator),
    "dict of lists": Container(lambda rows: {k: [r[k] for r in rows] for k in rows[0]}, lambda d: [dict(zip(d, v)) for v in zip(*d.values())]),
    "dict of arrays": Container(lambda rows: {k: np.array([r[k] for r in rows]) for k in rows[0]}, lambda d: [dict(zip(d, v)) for v in zip(*(c.tolist() for c in d.values()))]),
    "pandas": Container(pd.DataFrame, lambda f: list(f.to_dict("records"))),
    "polars": Container(pl.DataFrame, lambda f: f.to_dicts()),
    "polars lazy": Container(lambda rows: pl.DataFrame(rows).lazy(), lambda f: f.collect().to_dicts()),
    "arrow": Container(table, lambda t: t.to_pylist()),
    "arrow batch": Container(lambda rows: table(rows).to_batches()[0], lambda t: t.to_pylist()),
    "arrow reader": Container(lambda rows: pa.RecordBatchReader.from_batches(table(rows).schema, halves(rows)), lambda r: r.read_all().to_pylist()),
    "arrow list": Container(halves, arrow),
    "arrow scanner": Container(lambda rows: pads.dataset(table(rows)).scanner(), lambda r: r.read_all().to_pylist(), pa.RecordBatchReader),
    "arrow batches": Container(lambda rows: iter(halves(rows)), arrow, Iterator),
    "arrow dataset": Container(lambda rows: pads.dataset(table(rows)), lambda d: d.to_table().to_pylist()),
    "arrow stream": Container(lambda rows: Exported(table(rows)), lambda t: t.to_pylist(), pa.Table),
    "duckdb": Container(relation, lambda r: r.to_arrow_table().to_pylist()),
    "dataset": Container(datasets.Dataset.from_list, lambda d: d.to_list()),
    "splits": Container(splits, lambda d: d["train"].to_list()),
    "iterable dataset": Container(lambda rows: datasets.Dataset.from_list(rows).to_iterable_dataset(), list),
    "list of texts": Container(texts, list, texts=True),
    "tuple of texts": Container(lambda rows: tuple(texts(rows)), list, texts=True),
    "iterator of texts": Container(lambda rows: iter(texts(rows)), list, Iterator, texts=True),
    "values of a dict": Container(lambda rows: dict(enumerate(texts(rows))).values(), list, list, texts=True),
    "array of texts": Container(lambda rows: np.array(texts(rows)), lambda a: a.tolist(), texts=True),
    "array of objects": Container(lambda rows: np.array(texts(rows), object), lambda a: a.tolist(), texts=True),
    "pandas series": Container(lambda rows: pd.Series(texts(rows), name="body"), list, texts=True),
    "polars series": Container(lambda rows: pl.Series("body", texts(rows)), list, texts=True),
    "arrow array": Container(lambda rows: pa.array(texts(rows)), lambda a: a.to_pylist(), texts=True),
    "arrow chunks": Container(lambda rows: pa.chunked_array([texts(rows[:3]), texts(rows[3:])]), lambda a: a.to_pylist(), texts=True),
}


class Function(NamedTuple):
    call: Callable[..., Any]
    rows: bool = False
    """Whether rows are returned."""
    columns: bool = False
    """Whether other columns than the texts are needed."""


FUNCTIONS: Dict[str, Function] = {
    "fuzzy": Function(doppel.fuzzy, rows=True),
    "exact texts": Function(lambda data, text="text": doppel.exact(data, text=text), rows=True),
    "exact rows": Function(lambda data: doppel.exact(data), rows=True),
    "exact subset": Function(lambda data: doppel.exact(data, subset=["weight", "lang"]), rows=True, columns=True),
    "rank": Function(lambda data: doppel.fuzzy(data, rank="weight:desc"), rows=True, columns=True),
    "within": Function(lambda data: doppel.fuzzy(data, within="lang"), rows=True, columns=True),
    "across": Function(lambda data: doppel.fuzzy(data, across="lang"), rows=True, columns=True),
    "against": Function(lambda data: doppel.fuzzy(data, against=["x", "one two three four five"]), rows=True),
    "exact against": Function(lambda data: doppel.exact(data, text="text", against=["x", TEXTS[1]]), rows=True),
    "cluster_size": Function(lambda data: doppel.fuzzy(data, cluster_size="size"), rows=True, columns=True),
    "decisions": Function(doppel.decisions),
    "labels": Function(lambda data: tolist(doppel.labels(data))),
    "pairs": Function(doppel.pairs),
    "all pairs": Function(lambda data: doppel.pairs(data, recall=1)),
    "passages": Function(lambda data: doppel.passages(data, length="w4")),
    "overlap": Function(lambda data: doppel.overlap(data, ["one two three four five"])),
    "overlap test": Function(lambda data: doppel.overlap(TEXTS[:2], data)),
    "report": Function(lambda data: len(doppel.report(data).html) > 1000),
}


def tolist(values: Any) -> List[int]:
    if isinstance(values, dict):
        values = values["train"]
    return values if isinstance(values, list) else values.to_list() if isinstance(values, (pd.Series, pl.Series)) else values.tolist()


WANT: Dict[str, Any] = {name: f.call(list(ROWS)) for name, f in FUNCTIONS.items()}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_each(container: str, function: str) -> None:
    c, f = CONTAINERS[container], FUNCTIONS[function]
    data, want = c.make(ROWS), WANT[function]
    if c.texts and f.columns:
        with pytest.raises((TypeError, doppel.DataError), match=r"(needs rows with columns, and the|^no column '\w+':) the data is|and the data is"):
            f.call(data)
        return
    if c.texts and function == "exact rows":
        want = WANT["exact texts"]
    got = f.call(data)
    if not f.rows:
        assert got == want
        return
    assert isinstance(got, c.back or type(data)), type(got)
    assert c.read(got) == (texts(want) if c.texts else want)


def test_table_of_results() -> None:
    """The table of functions is worth its name: rows are dropped, each time others."""
    kept = {name: [r["n"] for r in WANT[name]] for name, f in FUNCTIONS.items() if f.rows}
    assert kept["fuzzy"] == [0, 1, 3, 4, 5, 7] == kept["exact texts"] or kept["fuzzy"] != kept["exact texts"]
    assert kept["exact rows"] == list(range(8)) and kept["exact subset"] == [0, 1, 2, 3, 4, 5]
    assert kept["rank"] != kept["fuzzy"] and kept["against"] != kept["fuzzy"]
    assert WANT["labels"] == [0, 1, 0, 3, 4, 5, 1, 7]
