"""Every option of the command line has the same effect on rows as on files, or is rejected with an
error that names it."""

import json
from functools import partial
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import doppel
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

Rows = List[Dict[str, Any]]

# Valid values of options. A name in capitals is an existing file; OUT is an output file.
WORK: Dict[str, Dict[str, List[Any]]] = {
    "fuzzy": {
        "threshold": [0.5], "recall": [0.9], "bands": [20], "rows": [4], "hot": [5], "shingle": ["w2"], "normalize": ["none"],
        "key": ["KEY"], "mem": ["64M"], "slots": [64], "seed": [7], "policy": ["components"], "rank": ["last", "weight:desc"],
        "max_record": ["1M"], "jobs": [1], "expect": [6], "within": ["weight"], "across": ["weight"], "missing": ["keep"], "keep": ["none"], "counts": [True],
        "against": ["OLD", ["OLD", "SIGS"]], "against_field": ["body"], "against_id": ["key"], "only_against": [True], "save": ["OUT"], "scores": ["OUT"], "groups": ["OUT"],
        "report": ["OUT"], "timed": [True],
    },
    "exact": {
        "normalize": ["balanced"], "verify": [True], "against": ["HASHES"], "save": ["OUT"], "key": ["KEY"], "max_record": ["1M"],
        "expect": [6], "mem": ["64M"], "jobs": [1], "within": ["weight"], "across": ["weight"], "missing": ["keep"], "rank": ["first", "last", "weight", "weight:desc"], "report": ["OUT"],
    },
    "passages": {
        "length": ["w3"], "normalize": ["conservative"], "against": ["OLD"], "against_field": ["body"], "against_id": ["key"], "against_records": ["OLD"], "keep": ["none"], "copies": [2],
        "bridge": [0.9], "snap": ["byte"], "min_left": [50], "counts": [True], "jobs": [1], "expect": [6], "mem": ["64M"], "within": ["weight"], "across": ["weight"], "missing": ["keep"],
    },
}  # fmt: skip

# Valid values of options that apply only to jobs that return rows, not decisions.
OF_ROWS: Dict[str, List[Any]] = {"cluster_size": ["size"]}

# Maps the name of an option to the other options that it needs, with their values.
WITH: Dict[str, Dict[str, str]] = {
    "rows": {"bands": "20"}, "bands": {"rows": "4"}, "only_against": {"against": "OLD"}, "against_field": {"against": "OLD"}, "against_id": {"against": "OLD"}, "timed": {"report": "OUT"},
    "against_records": {"against": "KEYS"},
}  # fmt: skip

# The options that the package rejects, with values that are valid on the command line.
REFUSED: Dict[str, Any] = {
    "least": 5, "level": 3, "by": "text", "codec": "zstd", "print": "json", "parts": 2, "split": "lines", "to": "csv", "decisions": "OUT",
    "groups": "OUT", "removed": "OUT", "report": "OUT", "output": "OUT", "progress": True, "field": "text", "id": "weight", "stats": "json",
    "name": "x", "help": True, "version": True, "header": True,
}  # fmt: skip


def no_option(name: str) -> str:
    """Return a regular expression for the message about an option that a function does not have."""
    return rf"^({name} is not an option of \w+( for rows)?|\w+\(\) got an unexpected keyword argument '{name}'.*)$"


# Options that have no effect on pairs.
NOT_OF_PAIRS = "against against_field against_id only_against save scores groups report timed rank policy keep counts".split()


def listed(job: str) -> List[str]:
    """Return the options that the command lists, except progress, which is a parameter of the
    Python functions."""
    found = [line.partition("\t")[0] for line in doppel.run([job, "--flags"]).decode().splitlines()]
    assert len(found) > 30, found
    return [name.replace("-", "_") for name in found if name != "progress"]


JOBS: Dict[str, Callable[..., Any]] = {"fuzzy": doppel.fuzzy, "exact": partial(doppel.exact, text="text"), "passages": doppel.passages}
DECIDE: Dict[str, Callable[..., Any]] = {"decisions": doppel.decisions, "pairs": doppel.pairs}
TEXTS = ["a b c d e f g", "A b c  d e f g", "kept of old, as it is", "one two three four five", "one two three four five six", "alone here"]
ROWS: Rows = [{"n": n, "text": t, "weight": n % 3} for n, t in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, str]:
    at = tmp_path_factory.mktemp("options")
    made = {name: str(at / name) for name in ("old.jsonl", "rows.jsonl", "KEY", "SIGS", "HASHES", "KEYS")}
    Path(made["rows.jsonl"]).write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    Path(made["old.jsonl"]).write_text(
        '{"text":"kept of old, as it is","weight":1,"body":"alone here","key":"k1"}\n'
        '{"text":"x one two three four five","weight":1,"body":"x one two three four five","key":"k2"}\n'
    )
    made["OLD"] = made.pop("old.jsonl")
    Path(made["KEY"]).write_bytes(bytes(range(32)))
    Path(made["SIGS"]).write_bytes(doppel.run(["recsign", "-H", made["rows.jsonl"]]))
    Path(made["HASHES"]).write_bytes(doppel.run(["recsign", "-m", "exact", made["OLD"]]))
    Path(made["KEYS"]).write_bytes(doppel.run(["lshkeys"], doppel.run(["recsign", "-m", "passage", "--length=w4", "-H", made["OLD"]])))
    return made


@pytest.mark.parametrize("job", JOBS)
def test_each_option(job: str, files: Dict[str, str], tmp_path: Path) -> None:
    for name in listed(job):
        values = WORK[job].get(name, OF_ROWS.get(name))
        if values is None:
            refused(job, name, files)
        for value in values or []:
            works(job, name, value, files, tmp_path)


@pytest.mark.parametrize("job", ["decisions", "pairs"])
def test_each_option_of_what_is_decided(job: str, files: Dict[str, str], tmp_path: Path) -> None:
    for name in listed("fuzzy"):
        values = WORK["fuzzy"].get(name)
        if values is None or job == "pairs" and name in NOT_OF_PAIRS:
            refused(job, name, files)
            continue
        for value in values:
            decides(job, name, value, files, tmp_path)


def refused(job: str, name: str, files: Dict[str, str]) -> None:
    both = job == "pairs" and name in NOT_OF_PAIRS
    value = WORK["fuzzy"][name][0] if both else REFUSED.get(name, True)
    for data in (ROWS, files["rows.jsonl"]) if both else (ROWS,):
        with pytest.raises((TypeError, doppel.Error), match=rf"\b(--)?{name.replace('_', '[-_]')}\b"):
            {**JOBS, **DECIDE}[job](data, **{name: named(value, files, Path("out"))})


def decides(job: str, name: str, value: Any, files: Dict[str, str], tmp_path: Path) -> None:
    """Check that rows and a file have the same decisions or pairs as with the command."""
    given = {name: value, **WITH.get(name, {})}
    kept = tmp_path / "kept"
    flag = {"decisions": f"--decisions={kept}", "pairs": f"--scores={kept}.jsonl"}[job]
    arguments = [a for k, v in given.items() for a in flags(k, named(v, files, tmp_path / "out"))]
    if job == "pairs":
        arguments.append("--policy=components")
    if name == "scores":  # --scores is in arguments already
        flag = f"--decisions={kept}"
    doppel.run(["fuzzy", "--ids", "--stats=none", "--output=/dev/null", flag, *arguments, files["rows.jsonl"]])
    for data in (ROWS, files["rows.jsonl"]):
        made = DECIDE[job](data, **{k: named(v, files, tmp_path / "out") for k, v in given.items()})
        if job == "pairs":
            lines = [json.loads(line) for line in Path(f"{kept}.jsonl").read_text().splitlines()]
            want = [(int(p["a"]), int(p["b"]), p["score"]) for p in lines if p["score"] >= given.get("threshold", 0.8)]
            assert sorted(p[:3] for p in made) == sorted(want), name
        else:
            lines = [line.split("\t") for line in kept.read_text().splitlines()]
            assert [(d.verdict, str(d.id), d.reason) for d in made] == [(x[0], x[1], x[4]) for x in lines], name


def works(job: str, name: str, value: Any, files: Dict[str, str], tmp_path: Path) -> None:
    """Check that the kept rows and the output files are the same as with the command."""
    given = {name: value, **WITH.get(name, {})} if job != "exact" else {name: value}
    if job == "passages" and name != "length":
        given["length"] = "w4"
    outs = [tmp_path / f"{job}.{name}.{form}" for form in ("rows", "files")]
    from_rows, from_files = ({k: named(v, files, out) for k, v in given.items()} for out in outs)
    arguments = [a for k, v in from_files.items() for a in flags(k, v)]
    if job == "passages":
        want = doppel.run([job, "--annotate", "--stats=none", *arguments, files["rows.jsonl"]]).splitlines()
        got = doppel.passages(ROWS, **from_rows)
        assert [str(p.id) for p in got] == [d.split(b"\t")[1].decode().partition("#")[0] for d in want], name
    else:
        lines = doppel.run([job, "--stats=none", *["--field=text"][job == "fuzzy" :], *arguments, files["rows.jsonl"]]).splitlines()
        assert [r["n"] for r in JOBS[job](ROWS, **from_rows)] == [json.loads(line)["n"] for line in lines], name
    assert outs[0].exists() == outs[1].exists() == ("OUT" in given.values()), name
    if "OUT" in given.values():
        assert outs[0].stat().st_size > 10
    if name in ("scores", "groups"):
        assert outs[0].read_bytes() == outs[1].read_bytes()


def named(value: Any, files: Dict[str, str], out: Path) -> Any:
    if isinstance(value, list):
        return [named(v, files, out) for v in value]
    return str(out) if value == "OUT" else files.get(value, value) if isinstance(value, str) else value


def flags(name: str, value: Any) -> Iterator[str]:
    for v in value if isinstance(value, list) else [value]:
        yield f"--{name.replace('_', '-')}={str(v).lower() if isinstance(v, bool) else v}"


@pytest.mark.parametrize("option", ["against", "only_against", "save", "scores", "groups", "report", "split", "ids", "decisions", "to", "by"])
def test_of_pairs(option: str) -> None:
    with pytest.raises(TypeError, match=no_option(option)):
        doppel.pairs(ROWS, **{option: "x"})


@pytest.mark.parametrize("option", ["split", "ids", "decisions", "to", "codec", "level", "least"])
def test_of_decisions(option: str, files: Dict[str, str]) -> None:
    for data in (ROWS, files["rows.jsonl"]):
        with pytest.raises(TypeError, match=no_option(option)):
            doppel.decisions(data, **{option: "x"})


@pytest.mark.parametrize("data", ["rows", "files", "iterator", "ranked", "another name"])
def test_against(data: str, files: Dict[str, str], tmp_path: Path) -> None:
    old, options = files["OLD"], {}
    if data == "ranked":
        options["rank"] = "weight:desc"
    if data == "another name":
        options["text"] = 'the "body", 1.5'
        old = str(tmp_path / "old.jsonl")
        Path(old).write_text("".join(json.dumps({options["text"]: json.loads(line)["text"]}) + "\n" for line in open(files["OLD"])))
    rows = [{options.get("text", "text"): r["text"], "weight": r["weight"], "n": r["n"]} for r in ROWS]
    given: Any = {"files": files["rows.jsonl"], "iterator": iter(rows)}.get(data, rows)
    made = doppel.decisions(given, against=old, threshold=0.5, **options)
    kept = 1 if data == "ranked" else 0
    assert {(d.id, d.kept) for d in made if d.verdict == "drop"} == {(1 - kept, kept), (2, f"{old}:0"), (3, f"{old}:1"), (4, f"{old}:1")}
    if data != "files":
        given = iter(rows) if data == "iterator" else rows
        assert [r["n"] for r in doppel.fuzzy(given, against=old, threshold=0.5, **options)] == [kept, 5]
        table = doppel.decisions(rows, arrow=True, against=old, threshold=0.5, **options)
        assert table.column("kept").to_pylist() == [None if d.kept is None else str(d.kept) for d in made]


def test_against_field(files: Dict[str, str]) -> None:
    old = files["OLD"]
    for data in (ROWS, files["rows.jsonl"]):
        made = doppel.decisions(data, against=old, against_field="body", against_id="key", threshold=0.5)
        assert {(d.id, d.kept) for d in made if d.verdict == "drop"} == {(1, 0), (3, f"{old}:k2"), (4, f"{old}:k2"), (5, f"{old}:k1")}
    found = doppel.passages(ROWS, against=old, against_field="body", against_id="key", length="w5")
    assert {(p.id, p.kept) for p in found} == {(3, f"{old}:k2"), (4, f"{old}:k2")}


@pytest.mark.parametrize("frame", ["pandas", "polars", "arrow", "list"])
def test_exact_rank(frame: str, files: Dict[str, str], tmp_path: Path) -> None:
    """The kept copies and their cluster sizes are the same as with the command, even if the
    option "against" is used."""
    rows = [{"text": t, "n": n, "day": d} for n, (t, d) in enumerate(zip("abacbaxa", (3, 1, 2, 9, 0, 2, 4, 3)))]
    of_file, old, sums = (str(tmp_path / name) for name in ("rows.jsonl", "old.jsonl", "sums"))
    Path(of_file).write_text("".join(json.dumps(r) + "\n" for r in rows))
    Path(old).write_text('{"text":"x"}\n{"text":"b"}\n')
    doppel.run(["exact", "--stats=none", "--field=text", f"--save={sums}", "-H", old])
    data = rows if frame == "list" else FRAMES[frame]({name: [r[name] for r in rows] for name in rows[0]})
    for rank in ("first", "last", "day", "day:desc"):
        for more in ({}, {"against": sums}, {"cluster_size": "size"}):
            arguments = [a for k, v in {"rank": rank, **more}.items() for a in flags(k, v)]
            want = [json.loads(x) for x in doppel.run(["exact", "--stats=none", "--field=text", *arguments, of_file]).splitlines()]
            made = doppel.exact(data, text="text", rank=rank, **more)
            rows_of = {"pandas": lambda: made.to_dict("records"), "polars": lambda: made.to_dicts(), "arrow": lambda: made.to_pylist()}
            got = rows_of.get(frame, lambda: made)()
            key = ("n", "size") if "cluster_size" in more else ("n",)
            assert [[r[k] for k in key] for r in got] == [[r[k] for k in key] for r in want], (rank, more)
    with pytest.raises(TypeError, match="^rank 'longest' applies only to files; for rows want 'first', 'last' or a column$"):
        doppel.exact(data, rank="longest")
    with pytest.raises(doppel.DataError, match="^(no column 'none'; the columns are: .*|row 0: none is null)$"):
        doppel.exact(data, rank="none")


def test_against_nothing(tmp_path: Path) -> None:
    for job in (doppel.fuzzy, doppel.decisions, doppel.passages, doppel.exact):
        with pytest.raises(doppel.Error, match="/no/such"):
            job(ROWS, against="/no/such")
    for option in ("save", "scores", "groups", "report"):
        with pytest.raises(doppel.Error, match="/no/where"):
            doppel.fuzzy(ROWS, **{option: "/no/where/x"})


@pytest.mark.parametrize("name", ["old.jsonl", "old#1-2.jsonl"])
def test_passages_against(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text('{"body":"é one two three four"}\n')
    rows = [{"body": "ü one two three four"}, {"body": "other"}]
    for options, start, kept in (({}, 1, f"{name}:0"), ({"min_left": 50}, 0, None)):
        found = doppel.passages(rows, text="body", length=12, snap="utf8", against=name, **options)
        assert [p[:6] for p in found] == [(0, start, 20, kept, None, None)]


NOW = datetime(2024, 3, 31, 1, 30)
ZONES = [NOW.replace(tzinfo=timezone(timedelta(hours=h))) for h in (1, 3, 2)]
RANKS: Dict[str, Any] = {
    "int64": np.array([5, 2, 9]), "uint64": np.array([5, 2, 9], np.uint64), "float32": np.array([5, 2.5, 9], np.float32),
    "bool": np.array([True, False, True]), "datetime64": np.array(["2024-01-02", "2023-01-01", "2024-01-03"], "M8[ns]"),
    "Int64": pd.array([5, 2, 9], "Int64"), "zones": ZONES, "dates": [t.date() for t in (NOW, NOW - timedelta(days=40), NOW)],
    "decimals": [Decimal("5"), Decimal("2.50"), Decimal("1E+9")], "datetimes": [NOW, NOW - timedelta(days=1), NOW],
    "scalars": [np.int64(5), np.float32(2.5), np.uint8(9)], "large": [2**60 + 1, 2**60, 2**60 + 2],
    "nanoseconds": pd.Series(pd.to_datetime([1711848600000000005, 1711848600000000002, 1711848600000000009])),
}  # fmt: skip
FRAMES: Dict[str, Callable[[Dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table, "list": lambda c: [{"text": t, "n": n} for t, n in zip(c["text"], c["n"])],
}  # fmt: skip


@pytest.mark.parametrize("values", RANKS)
@pytest.mark.parametrize("frame", FRAMES)
def test_rank_values(frame: str, values: str) -> None:
    if frame in ("polars", "arrow") and values in ("scalars", "zones", "Int64"):
        pytest.skip("not a column of it")
    data = FRAMES[frame]({"text": ["a b c", "a b c", "other"], "n": RANKS[values]})
    assert [d.id for d in doppel.decisions(data, rank="n") if d.verdict == "keep"] == [1]
    assert [d.id for d in doppel.decisions(data, rank="n:desc") if d.verdict == "keep"] == [0]
    assert len(doppel.fuzzy(data, rank="n")) == 2


@pytest.mark.parametrize("value", [None, float("nan"), pd.NaT])
def test_no_rank(value: Any) -> None:
    """A row without a value ranks after all others, in both orders, as on the command line."""
    rows = [{"text": "a", "n": n} for n in (value, 1, value, 2)]
    for rank, kept in (("n", 1), ("n:desc", 3)):
        assert [d.id for d in doppel.decisions(rows, rank=rank) if d.verdict == "keep"] == [kept]
        assert doppel.exact(rows, text="text", rank=rank) == [rows[kept]]
    with pytest.raises(doppel.DataError, match="^row 1: n is complex, not a number or a string$"):
        doppel.fuzzy([{"text": "a", "n": 1}, {"text": "b", "n": 1j}], rank="n")


PAIR = "\ud83d\ude42"  # two surrogates; json decodes them as one character


@pytest.mark.parametrize("before", ["", PAIR, PAIR * 3, "\ud83d x", "\ude42\ud83d", "é" + PAIR + "🙂"])
@pytest.mark.parametrize("within", ["", PAIR, "🙂"])
def test_passages_of_surrogates(before: str, within: str) -> None:
    shared = f"one two {within} three four five"
    rows = [{"text": shared}, {"text": before + shared + PAIR}, {"text": PAIR + "!" + shared}]
    found = doppel.passages(rows, length=20, snap="utf8")
    assert [(p.id, p.kept_start, p.kept_end) for p in found] == [(1, 0, len(shared)), (2, 0, len(shared))]
    for p in found:
        text = rows[p.id]["text"]
        assert text[p.start : p.end] == shared, before


LONE = "\ud83d"
EACH = [doppel.fuzzy, doppel.exact, doppel.decisions, doppel.pairs, doppel.passages]


@pytest.mark.parametrize("job", EACH)
def test_lone_surrogates(job: Callable[..., Any]) -> None:
    """Texts may have lone surrogates, as in JSON; names and values of options may not."""
    texts = [f"{LONE} a b c d", f"{LONE} a b c d", f"x {LONE}", "\ude00 q"]
    rows: Rows = [{"text": t, LONE: t} for t in texts]
    found = list(job(rows, **{"length": 11} if job is doppel.passages else {}))
    want = {"fuzzy": [rows[0], *rows[2:]], "exact": [rows[0], *rows[2:]], "pairs": [(0, 1)], "passages": [(1, 0, 9)], "decisions": [("keep", 0), ("drop", 1)]}
    assert [x if isinstance(x, dict) else x[: len(want[job.__name__][0])] for x in found] == want[job.__name__]
    for option in ("shingle", "against", "key", "normalize"):
        with pytest.raises((TypeError, ValueError), match=rf"^{option}: '\\ud83d' has a lone surrogate$|{no_option(option)}"):
            job(rows, **{option: LONE, **({"text": "text"} if job is doppel.exact else {})})
    with pytest.raises((ValueError, doppel.DataError), match="^text: '.*ud83d' has a lone surrogate$"):
        job(Path("rows.jsonl"), text=LONE, **{"output": "x"} if job in (doppel.fuzzy, doppel.exact, doppel.passages) else {})
    if job is not doppel.exact:  # exact passes only texts to the program
        with pytest.raises(ValueError, match="^text: '.*ud83d' has a lone surrogate$"):
            job(rows, text=LONE)


def test_one_row_again_and_again() -> None:
    """An iterator may reuse one dict, and the list in it, for each row."""

    def source() -> Iterator[Dict[str, Any]]:
        row: Dict[str, Any] = {"tags": []}
        for n in range(500):
            row["text"] = f"text {n // 2}"
            row["tags"][:] = [n]
            yield row

    want = [{"tags": [n], "text": f"text {n // 2}"} for n in range(0, 500, 2)]
    assert list(doppel.exact(source(), text="text")) == want
    assert list(doppel.fuzzy(source(), threshold=1, shingle="w1")) == want


def test_infinite_rank() -> None:
    rows = [{"text": "a", "w": w} for w in (1.0, float("inf"), float("-inf"))]
    assert doppel.fuzzy(rows, rank="w:desc") == rows[1:2]
    assert doppel.fuzzy(rows, rank="w") == rows[2:]
