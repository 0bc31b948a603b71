"""What users ask of a table: labels, groups, paths, subsets, ranks of every kind, and missing texts."""

import enum
import json
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Dict, List
from uuid import UUID

import datasets
import doppel
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import command_line

Rows = List[Dict[str, Any]]


class Size(enum.Enum):
    SMALL = "z"
    MIDDLE = "m"
    LARGE = "a"


ORDER = ["low", "middle", "high"]  # not the order of the alphabet
LEVELS = ["high", "low", "middle"]
RANKED: Dict[str, Any] = {
    "pandas ordered": lambda: pd.DataFrame({"text": ["a"] * 3, "r": pd.Categorical(LEVELS, ORDER, ordered=True)}),
    "polars enum": lambda: pl.DataFrame({"text": ["a"] * 3, "r": pl.Series(LEVELS, dtype=pl.Enum(ORDER))}),
    "arrow ordered": lambda: pa.table({"text": ["a"] * 3, "r": pa.DictionaryArray.from_arrays([2, 0, 1], ORDER, ordered=True)}),
    "enum": lambda: [{"text": "a", "r": s} for s in (Size.LARGE, Size.SMALL, Size.MIDDLE)],
    "duration": lambda: [{"text": "a", "r": timedelta(days=d)} for d in (10, -2, 9)],
    "pandas duration": lambda: pd.DataFrame({"text": ["a"] * 3, "r": pd.to_timedelta([10, -2, 9], "D")}),
    "polars duration": lambda: pl.DataFrame({"text": ["a"] * 3, "r": [timedelta(days=d) for d in (10, -2, 9)]}),
    "uuid": lambda: [{"text": "a", "r": UUID(int=n)} for n in (2**127, 5, 2**64)],
    "infinite": lambda: pd.DataFrame({"text": ["a"] * 3, "r": [float("inf"), float("-inf"), 0]}),
}


@pytest.mark.parametrize("kind", RANKED)
def test_ranks(kind: str) -> None:
    """The least value is in row 1, the largest in row 0."""
    for job in (doppel.fuzzy, lambda data, rank: doppel.exact(data, text="text", rank=rank)):
        for rank, row in (("r", 1), ("r:desc", 0), (("r", "asc"), 1), (("r", "desc"), 0)):
            data = RANKED[kind]()
            kept = job(data, rank=rank)
            assert len(kept) == 1
            want = data[row] if isinstance(data, list) else data.slice(row, 1) if not isinstance(data, pd.DataFrame) else data.iloc[row : row + 1]
            assert kept[0] == want if isinstance(data, list) else kept.equals(want)


@pytest.mark.parametrize("name", ["n:desc", 0, "first", "a.b[]", 'q"\\', "text_", "%s", "rank", ("a", 1)])
def test_names_of_columns(name: Any) -> None:
    """Columns are found by name, whatever their names would mean in paths or ranks."""
    other = "n" if name != "n:desc" else "x"
    frame = pd.DataFrame({name: [3, 1, 2], other: ["a b c"] * 3}) if not isinstance(name, tuple) else None
    rows = [{name: n, other: "a b c"} for n in (3, 1, 2)]
    for data in (rows, frame) if frame is not None else (rows,):
        for rank, kept in (((name, "asc"), 1), ((name, "desc"), 0)):
            made = doppel.decisions(data, text=other, rank=rank)
            assert [d.id for d in made if d.verdict == "keep"] == [kept]
    texts = [{name: t, "n": n} for n, t in enumerate(["a b c d", "a b c d", "e"])]
    if not isinstance(name, tuple):
        for data in (texts, pd.DataFrame(texts)):
            assert [d.id for d in doppel.decisions(data, text=name) if d.verdict == "drop"] == [1]
        assert [d.id for d in doppel.decisions(texts, text=name, within=[name, name]) if d.verdict == "drop"] == [1]


VALUES: List[Any] = [1, 1.0, True, "1", None, float("nan"), Decimal("1.0"), Decimal("0.1"), b"1", [1, "x"], (1.0, "x"), {"a": 1, "b": 2}, {"b": 2, "a": 1}]
TIME = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
VALUES += [TIME, TIME.astimezone(timezone(timedelta(hours=2))), TIME.date(), date(2024, 5, 1), UUID(int=1), timedelta(1), Size.SMALL, "", "\ud800", "\udfff"]


def test_whole_rows() -> None:
    """Rows are equal if all values are, numbers whatever their types are."""
    kept = [r["n"] for r in doppel.exact([{"v": v, "n": n} for n, v in enumerate(VALUES)], subset=["v"])]
    dropped = [VALUES[n] for n in range(len(VALUES)) if n not in kept]
    assert str(dropped) == str([1.0, True, VALUES[5], Decimal("1.0"), (1.0, "x"), VALUES[12], VALUES[14], date(2024, 5, 1)])
    assert len(doppel.exact([{"v": v} for v in VALUES])) == len(kept)
    assert doppel.exact([{"a": 1}, {"a": 1, "b": None}]) == [{"a": 1}, {"a": 1, "b": None}]
    with pytest.raises(doppel.DataError, match="^row 1: a value is object, which cannot be compared; subset names the columns to compare$"):
        doppel.exact([{"a": 1}, {"a": object()}])


def frames() -> List[Any]:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "i": rng.integers(0, 3, 400),
            "f": rng.choice([0.5, 1.0, np.nan, -0.0, 0.0], 400),
            "s": rng.choice(["a", "b", ""], 400),
            "t": rng.choice(pd.to_datetime(["2024-01-01 00:00:00", "2024-01-01 00:00:01", None]), 400),
            "b": rng.choice([True, False], 400),
        }
    )
    return [frame, frame.convert_dtypes(), pl.from_pandas(frame, nan_to_null=True), pa.Table.from_pandas(frame)]


@pytest.mark.parametrize("subset", [None, ["i", "f"], ["s"], ["t", "b", "s"]], ids=str)
def test_as_pandas_and_polars(subset: Any) -> None:
    frame, nullable, polars, table = frames()
    want = frame.drop_duplicates(subset)
    assert 2 < len(want) < 300
    pd.testing.assert_frame_equal(doppel.exact(frame, subset=subset), want)
    pd.testing.assert_frame_equal(doppel.exact(nullable, subset=subset), nullable.loc[want.index])
    assert doppel.exact(polars, subset=subset).equals(polars.unique(subset, keep="first", maintain_order=True))
    assert doppel.exact(table, subset=subset).equals(table.take(want.index.to_numpy()))
    last = frame.drop_duplicates(subset, keep="last")
    pd.testing.assert_frame_equal(doppel.exact(frame, subset=subset, rank="last"), last)


CHATS: Rows = [
    {"n": 0, "messages": [{"role": "user", "content": "one two three"}, {"role": "bot", "content": "four five"}], "m": {"body": "a b c d"}},
    {"n": 1, "messages": [{"role": "user", "content": "one two three"}, {"role": "bot", "content": "four five"}], "m": {"body": "x y z"}},
    {"n": 2, "messages": [{"role": "user", "content": "other"}], "m": {"body": "A b c d"}},
]


@pytest.mark.parametrize("make", [list, pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, datasets.Dataset.from_list, iter])
def test_paths(make: Any, tmp_path: Path) -> None:
    """Paths mean the same as on the command line."""
    (tmp_path / "chats.jsonl").write_text("".join(json.dumps(r) + "\n" for r in CHATS))
    for text in ("messages[].content", "m.body", "messages[0].content", ["messages[].content", "m.body"]):
        fields = text if isinstance(text, list) else [text]
        want = command_line("fuzzy", *(f"--field={f}" for f in fields), str(tmp_path / "chats.jsonl"))
        dropped = {d.id for d in doppel.decisions(make(CHATS), text=text) if d.verdict == "drop"}
        assert [n for n in range(3) if n not in dropped] == want, text
    assert doppel.labels(CHATS, text="messages[].content", within="m.body") == [0, 1, 2]
    with pytest.raises(doppel.DataError, match="^no column 'n.body.x'|^row 0: "):
        doppel.fuzzy(make(CHATS), text="n.body.x")
    with pytest.raises(TypeError, match="^text='m.body': passages needs one column"):
        doppel.passages(CHATS, text="m.body")


@pytest.mark.parametrize("make", [list, pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, iter])
def test_missing(make: Any) -> None:
    rows = [{"text": t, "n": n} for n, t in enumerate(["a b c", None, "a b c", None, "d"])]
    for job in (doppel.fuzzy, lambda data, missing: doppel.exact(data, text="text", missing=missing)):
        for missing, want in (("keep", [0, 1, 3, 4]), ("drop", [0, 4])):
            kept = job(make(rows), missing=missing)
            got = kept["n"].to_list() if hasattr(kept, "columns") and not isinstance(kept, pa.Table) else [r["n"] for r in (kept.to_pylist() if isinstance(kept, pa.Table) else kept)]
            assert got == want
    with pytest.raises(doppel.DataError, match="^row 1: text is null; missing="):
        doppel.fuzzy(make(rows))
    with pytest.raises(ValueError, match="^missing='none': want 'error', 'keep' or 'drop'$"):
        doppel.fuzzy(make(rows), missing="none")  # type: ignore[arg-type,unused-ignore]


def test_null_in_groups() -> None:
    for how in ("within", "across"):
        with pytest.raises(doppel.DataError, match="^row 1: lang is null$"):
            doppel.fuzzy([{"text": "a", "lang": "x"}, {"text": "a", "lang": None}], **{how: "lang"})


def test_groups() -> None:
    rows = [{"text": "a b c", "lang": lang, "year": year} for lang, year in (("x", 1), ("x", 2), ("y", 1), ("x", 1.0))]
    assert doppel.labels(rows) == [0, 0, 0, 0]
    assert doppel.labels(rows, within="lang") == [0, 0, 2, 0]
    assert doppel.labels(rows, within=["lang", "year"]) == [0, 1, 2, 0]
    assert doppel.fuzzy(rows, across="lang") == [rows[0], rows[1], rows[3]]
    assert doppel.exact(rows, text="text", within="lang") == [rows[0], rows[2]]


def test_no_leak(rows: Rows) -> None:
    """No pair of similar rows has different labels, unlike the groups of greedy decisions."""
    labels = doppel.labels(rows)
    pairs = doppel.pairs(rows)
    assert len(pairs) > 100 and all(labels[p.a] == labels[p.b] for p in pairs)
    assert all(labels[label] == label <= n for n, label in enumerate(labels))
    frame = pd.DataFrame(rows, index=range(7, 7 + len(rows)))
    assert doppel.labels(frame).equals(pd.Series(labels, index=frame.index, name="group"))


def test_splits() -> None:
    def split(*texts: str) -> Any:
        return datasets.Dataset.from_dict({"text": list(texts)})

    data = datasets.DatasetDict({"train": split("a b c", "d", "a b c"), "test": split("d", "a b c", "e")})
    assert {k: v["text"][:] for k, v in doppel.fuzzy(data).items()} == {"train": ["a b c", "d"], "test": ["d", "a b c", "e"]}
    assert {k: v["text"][:] for k, v in doppel.fuzzy(data, across="split").items()} == {"train": ["a b c", "d", "a b c"], "test": ["e"]}
    assert doppel.labels(data) == {"train": [0, 1, 0], "test": [1, 0, 5]}
    assert [(d.id, d.kept) for d in doppel.decisions(data) if d.verdict == "drop"] == [(2, 0)]
    assert [(p.a, p.b) for p in doppel.pairs(data)] == [(0, 2)]


def test_against_rows() -> None:
    rows = [{"text": t, "lang": "x"} for t in ("a b c", "d e f", "g h i", "g h i")]
    old = [{"text": "x x", "lang": "x"}, {"text": "D e f", "lang": "x"}]
    for data in (old, pd.DataFrame(old), pl.DataFrame(old), iter(old), [r["text"] for r in old]):
        assert [(d.id, d.kept) for d in doppel.decisions(rows, against=data) if d.verdict == "drop"] == [(1, "against:1"), (3, 2)]
    assert doppel.fuzzy(rows, against=old, within="lang", rank=("lang", "desc")) == [rows[0], rows[2]]
    assert doppel.fuzzy(rows, against=old, only_against=True) == [rows[0], *rows[2:]]
    assert doppel.exact(rows, text="text", against=[{"text": "d e f"}]) == [rows[0], rows[2]]
    assert doppel.exact(rows, text="text", against=["D e f"], normalize="balanced", rank="last") == [rows[0], rows[3]]


def test_pairs() -> None:
    rows = [{"text": t} for t in ["a b c d"] * 3 + ["a b c d e f", "z"]]
    made = doppel.pairs(rows, threshold=0.4)
    assert [(p.a, p.b) for p in made] == [(0, 1), (0, 2), (0, 3)] and (made.recall, made.complete) == (0.99, False)
    every = doppel.pairs(rows, threshold=0.4, recall=1)
    assert {(p.a, p.b) for p in every} == {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)} and every.complete
    assert {(p.a, p.b) for p in doppel.pairs(rows, threshold=0.4, all_pairs=True)} == {(p.a, p.b) for p in every}
    assert doppel.pairs(rows, recall=1, arrow=True).num_rows == 3
    with pytest.raises(ValueError, match="^recall=1 compares all rows with all: 6000 rows are more than 5000; want a recall below 1, such as 0.9999$"):
        doppel.pairs(["a"] * 6000, recall=1)


def test_report(tmp_path: Path) -> None:
    shown = doppel.report(["a b c", "a b c <b>"], threshold=0.1)
    assert "<html" in shown.html and shown._repr_html_().startswith("<iframe srcdoc=") and "<html" not in shown._repr_html_()
    shown.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == shown.html and "save(path)" in repr(shown)


def test_files_or_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of str is a list of texts, unless it has names of data files that exist."""
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text('{"text":"a"}\n{"text":"a"}\n')
    assert doppel.labels(["a.json is a file", "notes.txt", "b.jsonl"]) == [0, 1, 2]
    assert len(doppel.decisions(["a.jsonl"])) == 2 == len(doppel.decisions("a.jsonl")) == len(doppel.decisions(Path("a.jsonl")))
    with pytest.raises(doppel.Error, match="^.*/b.jsonl: no such file"):
        doppel.decisions(["a.jsonl", "b.jsonl"])
    with pytest.raises(TypeError, match="^data in files needs an output$"):
        doppel.fuzzy("b.parquet")


def test_readme() -> None:
    """The first lines of the README work as they are."""
    readme = (Path(__file__).resolve().parents[1] / "README.md").read_text()
    frame = pd.DataFrame({"text": ["a b c d", "a b c d", "e f g"], "title": ["x", "x", "x"], "year": [1, 1, 2]})
    got: Dict[str, Any] = {"data": frame, "tests": frame, "train": ["e f g"]}
    exec(readme.split("```python\n")[1].split("```")[0], got)
    assert len(got["clean"]) == 2 and list(frame["group"]) == [0, 0, 2] and len(got["once"]) == 2 and len(got["tests"]) == 2
