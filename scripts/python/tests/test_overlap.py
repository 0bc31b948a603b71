"""Tests of overlap with rows and with files, and with every option."""

import json
from pathlib import Path
from typing import Any, Dict, List
from uuid import UUID

import doppel
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

QUESTION = "What is the capital of the country that lies between the two long rivers?"
ITEMS = [{"q": QUESTION, "a": "It is Doppelstadt."}, {"q": "How many hills, seen from the tower, does this town have?", "a": "seven \\ hills"}]
TRAIN = [
    {"text": "Nothing to see. It is Doppelstadt, they say.", "n": "a"},
    {"text": f"Before it, and\nin lines. {QUESTION.upper()} After it.", "n": "b"},
    {"text": "What is the capital of the country that lies elsewhere? seven \\ hills", "n": "c"},
]
FIELDS = ["q", "a"]


def written(path: Path, rows: List[Dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return str(path)


def test_rows_and_files(tmp_path: Path) -> None:
    train, items = written(tmp_path / "train.jsonl", TRAIN), written(tmp_path / "items.jsonl", ITEMS)
    want = [
        (0, "q", 1.0, 7, 1, 1, "what is the capital of the country that lies between the two long rivers"),
        (0, "a", 1.0, 1, 1, 0, "it is doppelstadt"),
        (1, "q", 0.0, 4, 0, None, None),
        (1, "a", 1.0, 1, 1, 2, "seven hills"),
    ]
    for data in (TRAIN, iter(TRAIN), train, pd.DataFrame(TRAIN), pl.DataFrame(TRAIN), pa.Table.from_pylist(TRAIN)):
        for test in (ITEMS, items, pd.DataFrame(ITEMS), iter(ITEMS)):
            if data is not TRAIN and test is not ITEMS:
                continue
            found = doppel.overlap(data, test, test_field=FIELDS)
            assert [o[1:] for o in found] == want
            assert {o.benchmark for o in found} == {items if test is items else None}


def test_several_files(tmp_path: Path) -> None:
    names = [written(tmp_path / f"train{n}.jsonl", [row]) for n, row in enumerate(TRAIN)]
    tests = [written(tmp_path / f"items{n}.jsonl", [row]) for n, row in enumerate(ITEMS)]
    found = doppel.overlap(names, tests, test_field="a")
    assert [o[:2] + (o.record,) for o in found] == [(tests[0], f"{tests[0]}:0", 0), (tests[1], f"{tests[1]}:0", 2)]
    found = doppel.overlap(names, tests[0], test_field="q", test_id="a")
    assert (found[0].id, found[0].record) == ("It is Doppelstadt.", 1)
    assert [o.id for o in doppel.overlap(TRAIN, ITEMS, test_field="q", test_id="a")] == [i["a"] for i in ITEMS]


def test_names_of_columns() -> None:
    """A column is found by its name, even if the name would mean something else as a path."""
    train, items = [{"a.b[]": QUESTION}], [{"c.d": QUESTION, "e[0]": "no such"}]
    found = doppel.overlap(train, items, text="a.b[]", test_field=["c.d", "e[0]"])
    assert [(o.field, o.coverage) for o in found] == [("c.d", 1.0), ("e[0]", 0.0)]
    found = doppel.overlap([{"text": "\t\ud800 x"}], [{"text": "\ud800\tx"}], normalize="none")
    assert [(o.coverage, o.text) for o in found] == [(1.0, "\ud800 x")]
    assert doppel.overlap([], ITEMS, test_field="q")[0].record is None


# Valid values of options. OUT is an output file.
WORK: Dict[str, Any] = {
    "coverage": 0.9, "window": "w5", "df": 0, "test_df": 0, "normalize": "none", "jobs": 1, "max_record": "1M", "expect": 3,
    "decisions": "OUT", "spoiled": "OUT", "common": "OUT", "report": "OUT", "cut": True, "no_sync": True, "missing": "keep",
}  # fmt: skip
OURS = "test test_field test_id"  # parameters of the function


def test_each_option(tmp_path: Path) -> None:
    train, items = written(tmp_path / "train.jsonl", TRAIN), written(tmp_path / "items.jsonl", ITEMS)
    names = [line.partition("\t")[0].replace("-", "_") for line in doppel.run(["overlap", "--flags"]).decode().splitlines()]
    assert len(names) > 30
    for name in set(names) - set(OURS.split()):
        if name not in WORK:
            with pytest.raises(TypeError, match=rf"^({name} is not an option of overlap|overlap\(\) got an unexpected keyword argument '{name}'.*)$"):
                doppel.overlap(TRAIN, items, test_field=FIELDS, **{name: "x"})
            continue
        out, more = [tmp_path / f"{name}.{form}" for form in ("rows", "files")], {}
        if name in ("cut", "no_sync"):
            more["decisions"] = str(tmp_path / name)
        value = [str(o) if WORK[name] == "OUT" else WORK[name] for o in out]
        got = doppel.overlap(TRAIN, items, test_field=FIELDS, **{name: value[0]}, **more)
        assert got == doppel.overlap(train, items, test_field=FIELDS, **{name: value[1]}, **more), name
        if WORK[name] == "OUT":
            assert out[0].read_bytes() == out[1].read_bytes(), name
    assert "drop\t1#" in (tmp_path / "cut").read_text()
    assert "drop\t1\t-\t1.0000\toverlap>=0.35,item=0\n" in (tmp_path / "decisions.rows").read_text()


def test_ids_and_items_without_words() -> None:
    """Ids may have any type. Items without words are not compared, wherever they are."""
    ids = [UUID(int=7), UUID(int=8), UUID(int=9)]
    items = [{"q": "?!", "a": "x", "id": ids[0]}, {**ITEMS[0], "id": ids[1]}, {"q": "", "a": "y", "id": ids[2]}]
    for kind in (list, pd.DataFrame):
        found = doppel.overlap(TRAIN, kind(items), test_field="q", test_id="id")
        assert [(o.id, o.windows, o.record) for o in found] == [(ids[0], 0, None), (ids[1], 7, 1), (ids[2], 0, None)]
    assert [o.id for o in doppel.overlap(TRAIN, [{**i, "id": n} for n, i in enumerate(items)], test_field="q", test_id="id")] == [0, 1, 2]


@pytest.mark.parametrize("missing", ["keep", "drop"])
def test_missing(missing: str) -> None:
    """Null texts of either side are passed over, and rows keep their numbers."""
    found = doppel.overlap([{"text": None}, *TRAIN], [{"q": None}, ITEMS[0]], test_field="q", missing=missing)
    assert [(o.id, o.windows, o.record) for o in found] == [(0, 0, None), (1, 7, 2)]


def test_errors(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", ITEMS)
    for wrong, test, options in (
        ("no column 'text'; the columns are: q, a", pd.DataFrame(ITEMS), {}),
        ("no column 'text'; the columns are: q, a", ITEMS, {}),
        ("row 1: q is null; missing=", [*ITEMS[:1], {"q": None}], {"test_field": "q"}),
        ('items.jsonl:1: no field "text"', items, {}),
        ("no test items", [], {"test_field": "q"}),
        ("coverage 50: want more than 0 and at most 1", ITEMS, {"test_field": "q", "coverage": 50}),
        ("cut does nothing without decisions", ITEMS, {"test_field": "q", "cut": True}),
        ("no-such: no such file", tmp_path / "no-such", {}),
        (f"test {items}: also given as training records", items, {"test_field": "q", "data": items}),
        ("/no/where", ITEMS, {"test_field": "q", "decisions": "/no/where/x"}),
    ):
        given: Dict[str, Any] = {"data": TRAIN, **options}
        with pytest.raises((doppel.Error, doppel.DataError)) as raised:
            doppel.overlap(given.pop("data"), test, **given)
        assert wrong in str(raised.value)
    with pytest.raises(TypeError, match="^test_field is empty: want at least one column$"):
        doppel.overlap(TRAIN, ITEMS, test_field=[])
    with pytest.raises(TypeError):
        doppel.overlap(TRAIN, 7, test_field="q")  # type: ignore[arg-type,unused-ignore]
