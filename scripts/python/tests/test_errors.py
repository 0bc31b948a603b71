"""Errors are reported, and leave no files or processes behind."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, Callable, List

import datasets
import doppel
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

TEXTS: List[Any] = ["a"] * 1500 + [None] + ["b"] * 500
NULLS: List[Any] = [
    [{"text": t} for t in TEXTS],
    [{"text": t} for t in TEXTS if t] [:1500] + [{"txt": "no such key"}],
    pa.table({"text": TEXTS}),
    pa.table({"text": pa.array(TEXTS).dictionary_encode()}),
    pd.DataFrame({"text": TEXTS}),
    pd.DataFrame({"text": pd.Series(TEXTS, dtype=object)}),
    pd.DataFrame({"text": pd.Series(TEXTS, dtype="string")}),
    pd.DataFrame({"text": pd.Series(TEXTS, dtype="category")}),
    pl.DataFrame({"text": TEXTS}),
    pl.DataFrame({"text": pl.Series(TEXTS, dtype=pl.Categorical)}),
    datasets.Dataset.from_dict({"text": TEXTS}),
]
JOBS: List[Callable[[Any], Any]] = [doppel.fuzzy, partial(doppel.exact, text="text"), doppel.decisions, doppel.pairs, doppel.passages]


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("data", NULLS, ids=lambda d: type(d).__module__)
def test_null(data: Any, job: Callable[[Any], Any]) -> None:
    with pytest.raises(doppel.DataError, match="^row 1500: text is null; missing='keep' keeps such rows, missing='drop' drops them$"):
        job(data)


@pytest.mark.parametrize("value, what", [(7, "int"), (b"x", "bytes"), (["x"], "list"), (1.5, "float")])
def test_no_text(value: Any, what: str) -> None:
    with pytest.raises(doppel.DataError, match=f"^row 0: t is {what}, not a string$"):
        doppel.fuzzy([{"t": value}], text="t")


@pytest.mark.parametrize("data", [pa.table({"a": ["x"]}), pd.DataFrame({"a": ["x"]}), pl.DataFrame({"a": ["x"]}), datasets.Dataset.from_dict({"a": ["x"]})], ids=str)
def test_no_column(data: Any) -> None:
    with pytest.raises(doppel.DataError, match="^no column 'text'; the columns are: a$"):
        doppel.fuzzy(data)


@pytest.mark.parametrize(
    "data, message",
    [
        (7, "int: want a table .pandas, polars, pyarrow, DuckDB, datasets., a list or iterator of dicts or texts, or a pathlib.Path"),
        ({"text": "a"}, "dict: want a table"),
        ([1, 2], "a list of int: want a table"),
        ((None, b"x"), "a tuple of bytes: want a table"),
        ({"a", "b"}, "set: want a table"),
        (b"text", "bytes: want a table"),
        (iter([1]), "an iterator of int: want an iterator of dicts, texts or pyarrow.RecordBatch"),
        (np.zeros((2, 2)), "an array with 2 dimensions: want one dimension, or a DataFrame"),
        (datasets.IterableDatasetDict(), "an IterableDatasetDict: want one of its splits, such as data..train..$"),
        ("a text", "'a text': is neither rows nor a file; want .text. for a text, or a pathlib.Path for a file"),
        (open(os.devnull), "TextIOWrapper: want a table"),
    ],
    ids=str,
)
def test_no_data(data: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^_?(io.)?{message}"):
        doppel.labels(data)


@pytest.mark.parametrize(
    "data, message",
    [
        (["x", {}], "^row 1: text is dict, not a string$"),
        (iter([{"text": "x"}, "y"]), "^row 1: is str: want a dict, as the first row is$"),
        (iter(["y", 1]), "^row 1: is int: want a text, as the first row is$"),
        ([{"text": "x"}, 3], "row 1: is int: want a dict, as the other rows are$"),
        ([None, {"text": "x"}], "row 0: is NoneType: want a dict, as the other rows are$"),
        ([None, "x"], "^row 0: text is null; missing='keep' keeps"),
        ({"text": ["a"], "n": [1, 2]}, "^the columns have different lengths: text: 1, n: 2$"),
        ([{"txt": "x"}], "^no column 'text'; the columns are: txt$"),
        (iter([{"text": "x", "f": lambda: 0}]), "^row 0: cannot be stored on disk .*; a list of the rows is held in memory$"),
    ],
    ids=str,
)
def test_bad_rows(data: Any, message: str) -> None:
    with pytest.raises(doppel.DataError, match=message):
        doppel.fuzzy(data)


ROWS = [{"text": "a b c"}]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: doppel.fuzzy(ROWS, threshold=2), "^threshold 2: want more than 0 and at most 1$"),
        (lambda: doppel.exact(ROWS, text="text", against="/no/such"), "^/no/such: no such file"),
        (lambda: doppel.exact(ROWS, text="text", normalize="x"), "^normalize: invalid normalization"),
        (lambda: doppel.fuzzy("/no/such", output="/no/where"), "/no/such|/no/where"),
        (lambda: doppel.decisions("/no/such.jsonl"), "^/no/such.jsonl: no such file"),
        (lambda: doppel.run(["no such tool"]), "doppel: .*no such tool"),
        (lambda: doppel.fuzzy([{"text": "a", "w": b"x"}], rank="w"), "^row 0: w is bytes, not a number or a string$"),
        (lambda: doppel.fuzzy(pd.DataFrame([["a b", "a b"]], columns=["text", "text"])), "^2 columns are named 'text': want one$"),
        (lambda: doppel.passages(pa.table([["a b"], ["a b"]], names=["text", "text"])), "^2 columns are named 'text': want one$"),
    ],
)
def test_message(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(doppel.Error, match=message):
        call()


@pytest.mark.parametrize("option", ["count", "output", "json", "lines", "stats"])
def test_taken(option: str) -> None:
    options: Any = {option: "x"}
    with pytest.raises(TypeError):
        doppel.exact(ROWS, **options)


WRONG: List[Any] = [
    (lambda: doppel.fuzzy(pd.DataFrame(ROWS), text=pd.Series(["a"])), "^Series: want the name of a column, not its values$"),
    (lambda: doppel.fuzzy(pl.DataFrame(ROWS), text=pl.col("text")), "^Expr: want the name of a column, not its values$"),
    (lambda: doppel.fuzzy(duckdb.connect()), "^a DuckDB connection: want a relation, such as connection.sql"),
    (lambda: doppel.run("exact --help"), r"^'exact --help': want a list of arguments, such as \['exact', '--help'\]$"),
    (lambda: doppel.fuzzy(ROWS, column="text"), "unexpected keyword argument 'column'; did you mean 'text'[?]$"),
    (lambda: doppel.exact(ROWS, keep="last"), "unexpected keyword argument 'keep'; did you mean 'rank'[?]$"),
]


@pytest.mark.parametrize("call, message", WRONG)
def test_way_out(call: Callable[[], Any], message: str) -> None:
    """What other libraries call otherwise is refused with the name that is right here."""
    with pytest.raises(TypeError, match=message):
        call()


def test_numbers_as_texts() -> None:
    with pytest.raises(doppel.DataError, match=r"^row 0: n is int, not a string; subset=\['n'\] compares values of all types$"):
        doppel.exact([{"n": 1}], text="n")


def test_files_need_an_output() -> None:
    with pytest.raises(TypeError, match="needs an output"):
        doppel.fuzzy("x.jsonl")


def test_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOPPEL", "/no/such/program")
    with pytest.raises(doppel.Error, match="^DOPPEL=/no/such/program: is not a program; unset the variable, or set it to the path of doppel$"):
        doppel.run(["--version"])


ENDLESS = """
import doppel, sys
class Rows(list):
    def __len__(self): return 1 << 40
    def __iter__(self): return iter([{"text": "a"}])
    def __getitem__(self, at):
        if at == 0: return {"text": "a"}
        print("feeding", flush=True)
        return [{"text": f"a b c {at.start} {n}"} for n in range(1000)]
doppel.JOB(Rows(), text='text')
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("job", ["fuzzy", "exact"])
def test_interrupt(job: str, how: int, tmp_path: Path) -> None:
    """A signal that reaches only Python, as in a notebook, leaves no process behind; an interrupt
    leaves no file behind, either."""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    source = ENDLESS.replace("JOB", job)
    p = subprocess.Popen([sys.executable, "-c", source], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.stdout and p.stderr
    for _ in range(3):
        p.stdout.readline()
    started = children(p.pid)
    assert started
    p.send_signal(how)
    p.stdout.read()
    assert p.wait() != 0
    ended(started)
    if how == signal.SIGINT:
        assert b"KeyboardInterrupt" in p.stderr.read()
        assert os.listdir(tmp_path) == []


def test_interrupt_of_files(tmp_path: Path) -> None:
    """An interrupt ends the program even while it waits for a pipe without a writer."""
    os.mkfifo(tmp_path / "in")
    source = f"import doppel; print(1, flush=True); doppel.fuzzy({str(tmp_path / 'in')!r}, output={str(tmp_path / 'out')!r})"
    p = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.stdout and p.stderr
    p.stdout.readline()
    while not (started := children(p.pid)):
        time.sleep(0.01)
    p.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in p.stderr.read()
    ended(started)
    assert os.listdir(tmp_path) == ["in"]


def children(pid: int) -> List[int]:
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return list(map(int, out.split()))


def ended(pids: List[int]) -> None:
    """Wait, without a time limit, until none of the processes is running."""
    for pid in pids:
        while os.path.exists(f"/proc/{pid}") and " Z " not in Path(f"/proc/{pid}/stat").read_text():
            time.sleep(0.01)
