"""Every kind of data gives the same results as the command line."""

import json
from functools import partial
from typing import Any, Dict, List

import doppel
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import command_line
from kinds import KINDS, Kind

Rows = List[Dict[str, Any]]
exact = partial(doppel.exact, text="text")

OPTIONS: List[Dict[str, Any]] = [
    {},
    {"threshold": 0.9, "shingle": "c5", "normalize": "none"},
    {"policy": "components", "rank": "longest"},
    {"rank": "weight:desc"},
]


def flags(options: Dict[str, Any]) -> List[str]:
    return [f"--{name}={value}" for name, value in options.items()]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_fuzzy(kind: Kind, rows: Rows, jsonl: str) -> None:
    data = kind.make(rows)
    kept = doppel.fuzzy(data)
    want = command_line("fuzzy", jsonl)
    assert 1000 < len(want) < len(rows) - 300
    assert kind.read(kept) == [rows[n] for n in want]
    assert type(kept) is type(data)
    assert len(data) == len(rows)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_exact(kind: Kind, rows: Rows, jsonl: str) -> None:
    kept = doppel.exact(kind.make(rows), text="text")
    want = command_line("exact", "--field=text", jsonl)
    assert len(want) < len(rows) - 100
    assert kind.read(kept) == [rows[n] for n in want]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_cluster_size(kind: Kind, rows: Rows, jsonl: str) -> None:
    for job, arguments in ((doppel.fuzzy, ["fuzzy"]), (exact, ["exact", "--field=text"])):
        output = doppel.run([*arguments, "--stats=none", "--cluster-size=size", jsonl])
        want = [json.loads(line) for line in output.splitlines()]
        assert max(r["size"] for r in want) > 2
        assert kind.read(job(kind.make(rows), cluster_size="size")) == want
        again = job(kind.make(rows), cluster_size="weight", force_field=True)
        assert [r["weight"] for r in kind.read(again)] == [r["size"] for r in want]


def test_cluster_size_refused(rows: Rows) -> None:
    with pytest.raises(doppel.DataError, match="^column 'n' exists already; force_field=True replaces it$"):
        doppel.fuzzy(pa.Table.from_pylist(rows), cluster_size="n")
    with pytest.raises(TypeError, match="^force_field applies only with cluster_size$"):
        doppel.fuzzy(rows, force_field=True)
    with pytest.raises(TypeError, match="^repeat is not an option of fuzzy for rows$"):
        doppel.fuzzy(rows, repeat="2:2")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options: Dict[str, Any], rows: Rows, jsonl: str) -> None:
    want = command_line("fuzzy", *flags(options), jsonl)
    assert [r["n"] for r in doppel.fuzzy(rows, **options)] == want


def test_other_column(rows: Rows, jsonl: str) -> None:
    data = pa.table({"the body": [r["text"] for r in rows], "text": [0] * len(rows), "n": range(len(rows))})
    assert doppel.fuzzy(data, text="the body").column("n").to_pylist() == command_line("fuzzy", jsonl)


def test_schema_and_metadata_stay(rows: Rows) -> None:
    data = pa.Table.from_pylist(rows).replace_schema_metadata({"of": "whom"})
    assert doppel.fuzzy(data).schema.equals(data.schema, check_metadata=True)


@pytest.mark.parametrize("form", ["jsonl", "jsonl.zst", "parquet"])
def test_files(form: str, rows: Rows, jsonl: str, tmp_path: Any) -> None:
    source, output = tmp_path / f"in.{form}", tmp_path / f"out.{form}"
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), source)
    else:
        doppel.run(["reccat", f"--output={source}", jsonl])
    assert doppel.fuzzy(source, output=output) == output
    doppel.run(["fuzzy", "--stats=none", f"--output={tmp_path}/want.{form}", str(source)])
    assert output.read_bytes() == (tmp_path / f"want.{form}").read_bytes()
    assert doppel.decisions(str(source)) == doppel.decisions(rows)
    assert doppel.pairs([source]) == doppel.pairs(rows)


def test_exact_files(rows: Rows, jsonl: str, tmp_path: Any) -> None:
    output = doppel.exact([jsonl, jsonl], text="text", output=str(tmp_path / "out"))
    kept = [json.loads(line) for line in open(output)]
    assert kept == exact(rows) + [r for r in rows if r["text"] == ""]


def test_decisions_and_pairs(rows: Rows) -> None:
    made = doppel.decisions(rows, threshold=0.9)
    score = {(p.a, p.b): p.score for p in doppel.pairs(rows, threshold=0.9)}
    dropped = [d for d in made if d.verdict == "drop"]
    gone = {d.id for d in dropped}
    assert [r["n"] for r in doppel.fuzzy(rows, threshold=0.9)] == [n for n in range(len(rows)) if n not in gone]
    assert len(score) > len(dropped) // 2
    for d in dropped:
        assert d.kept is not None and d.kept not in gone
        assert d.score is not None and d.score == score.get((d.kept, d.id), d.score) >= 0.9


def test_lone_surrogates() -> None:
    texts = ["a b c \ud800", "a b c \udfff", "a b \ud83d\ude42", "a b c d", "a b c \ufffd"]
    rows = [{"text": t, "n": n} for n, t in enumerate(texts)]
    lines = "".join(json.dumps(r) + "\n" for r in rows).encode()
    kept = doppel.run(["exact", "--field=text", "--stats=none"], lines).splitlines()
    want = [json.loads(line)["n"] for line in kept]
    assert want == [0, 1, 2, 3, 4]
    assert exact(rows) == rows == doppel.exact(rows) == doppel.exact([*rows, *rows])
    assert exact([*rows, *rows], rank="last") == rows
    assert [d.id for d in doppel.decisions(rows, threshold=1) if d.verdict == "drop"] == [1, 4]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_one_of_many(kind: Kind) -> None:
    row = {"n": 0, "text": "a", "weight": 1}
    assert kind.read(exact(kind.make([row] * 2001))) == [row]


def test_no_rows() -> None:
    assert doppel.fuzzy([]) == [] == doppel.decisions([])
    empty = pa.table({"text": pa.array([], pa.string())})
    assert exact(empty) == empty and doppel.exact(empty) == empty and doppel.fuzzy(empty) == empty


@pytest.mark.parametrize("every", [2, 63, 65, 1000])
def test_selections(every: int) -> None:
    """Short and long runs of kept rows are selected, including runs at either end."""
    texts = ["a" if n % every in (0, every - 1) else f"text {n}" for n in range(2000)]
    data = pa.table({"text": texts, "n": range(2000)})
    kept = exact(data)
    assert kept.schema == data.schema
    want = [n for n, t in enumerate(texts) if t != "a" or n == 0]
    assert kept.column("n").to_pylist() == want
    frame = data.to_pandas().assign(c=pd.Categorical(texts)).set_index("n", drop=False).rename_axis("at")
    pd.testing.assert_frame_equal(exact(frame), frame[frame["n"].isin(want)])
