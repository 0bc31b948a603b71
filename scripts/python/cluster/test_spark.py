"""Tests of doppel.spark on local-cluster[2,1,1024]: two executors, each in its own process."""

import json
import os
import random
import re
import subprocess
from itertools import islice
from pathlib import Path

import pytest
from conftest import REAL, ROOT, alone, shards, written

import doppel
import doppel.spark
from doppel._components import components
from doppel._partitions import Telling, columns


def fuzzy(spark, names, tmp_path, **options):
    places = [tmp_path / d for d in ("out", "pairs", "decisions")]
    result = doppel.spark.fuzzy(spark, names, *map(str, places[:1]), pairs=str(places[1]), decisions=str(places[2]), **options)
    return result, written(names, *places)


@pytest.mark.parametrize(
    "kind, n, end, parts, options",
    [
        ("revisions", 400, ".jsonl.zst", 1, {}),
        ("revisions", 400, ".parquet", 8, {}),
        ("made", 3000, ".parquet", 3, {}),
        ("sliding", 300, ".jsonl.zst", 8, {}),
        ("sliding", 300, ".jsonl.zst", 3, {"policy": "components"}),
    ],
)
def test_equal(spark, tmp_path, kind, n, end, parts, options):
    names = shards(tmp_path, kind, n, end)
    result, got = fuzzy(spark, names, tmp_path, parts=parts, **options)
    want = alone(names, "fuzzy", *(f"--{k}={v}" for k, v in options.items()))
    assert got == want and want[1]
    assert result.records == n - (n == 400) * 6 and result.kept == want[0].count(b"\n") < result.records


def test_components_in_rounds(spark, tmp_path):
    names = shards(tmp_path, "sliding", 40, ".jsonl")
    assert fuzzy(spark, names, tmp_path, parts=2, at_once=0)[1] == alone(names)


def test_main(spark, tmp_path):
    """main accepts its options as separate arguments, as spark-submit passes them."""
    names = shards(tmp_path, "sliding", 40, ".jsonl")
    doppel.spark.main(["fuzzy", str(tmp_path / "shard*"), str(tmp_path / "out"), "--parts=2", "--at-once=0", "--threshold=0.8"])
    assert written(names, tmp_path / "out") == alone(names)[0]
    with pytest.raises(SystemExit, match="^usage: spark-submit"):
        doppel.spark.main(["fuzzy"])


def test_components(spark):
    """components finds the same components as union-find in graphs of all densities, even if ids
    look like numbers."""
    r = random.Random(1)
    edges = [(b"%d\t%d\n" % (g * 100 + r.randrange(100), g * 100 + r.randrange(100))) for g in range(5) for _ in range(30 * g)]
    edges = [e for e in edges if len(set(columns(e))) == 2]
    of = {}

    def find(v):
        while of.setdefault(v, v) != v:
            v = of[v]
        return v

    for a, b in map(columns, edges):
        a, b = sorted((find(a), find(b)))
        of[b] = a
    job = doppel.spark._Job.__new__(doppel.spark._Job)
    job.keep_going, job.context = False, spark.sparkContext
    job.told = spark.sparkContext.accumulator(frozenset(), Telling())
    got = components(spark.sparkContext.parallelize(edges, 2), 2, job.each).map(columns).collect()
    assert sorted(got) == sorted([v, find(v)] for v in list(of) if find(v) != v)


def test_exact(spark, tmp_path):
    names = shards(tmp_path, "revisions", 400, ".jsonl.zst")
    result = doppel.spark.exact(spark, str(tmp_path / "shard*"), str(tmp_path / "out"), parts=3, text="n")
    assert written(names, tmp_path / "out") == alone(names, "exact", "--field=n") != b""
    assert (result.records, result.kept) == (394, 7)
    doppel.spark.exact(spark, names, str(tmp_path / "out"), mode="overwrite")
    assert written(names, tmp_path / "out") == alone(names, "exact")
    doppel.spark.exact(spark, names, str(tmp_path / "last"), parts=3, text="n", rank="last")
    assert written(names, tmp_path / "last") == alone(names, "exact", "--field=n", "--rank=last") != alone(names, "exact", "--field=n")
    for given in ({}, {"seen": 2}):
        doppel.spark.exact(spark, names, str(tmp_path / "cut"), text="text", split="lines", mode="overwrite", **given)
        arguments = [f"--{name}={value}" for name, value in given.items()]
        assert written(names, tmp_path / "cut") == alone(names, "exact", "--split=lines", *arguments) != b""


def test_cluster_size(spark, tmp_path):
    names = shards(tmp_path, "sliding", 300, ".jsonl.zst")
    options = {"cluster_size": "size", "repeat": "3:2"}
    given = ["--cluster-size=size", "--repeat=3:2"]
    doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), parts=3, **options)
    assert b'"size":3}' in alone(names, "fuzzy", *given)[0]
    assert written(names, tmp_path / "out") == alone(names, "fuzzy", *given)[0]
    doppel.spark.exact(spark, names, str(tmp_path / "out"), parts=3, text="n", mode="overwrite", **options)
    assert written(names, tmp_path / "out") == alone(names, "exact", "--field=n", *given)


@pytest.mark.parametrize("how", ["within", "across"])
def test_values(spark, tmp_path, how):
    """Only records with the same value of a field, or only records with different values, are
    compared."""
    names = shards(tmp_path, "sliding", 300, ".jsonl.zst")
    doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), parts=3, **{how: "n"})
    want = alone(names, "fuzzy", f"--{how}=n")[0]
    assert written(names, tmp_path / "out") == want != alone(names)[0]
    doppel.spark.exact(spark, names, str(tmp_path / "out"), parts=3, text="text", mode="overwrite", **{how: "n"})
    assert written(names, tmp_path / "out") == alone(names, "exact", "--field=text", f"--{how}=n")


@pytest.mark.parametrize("word", ["keypairs", "jaccard", "--decisions="])
def test_killed(spark, faults, tmp_path, word):
    """The results are right even if an executor is killed after one of the three shuffles, which
    distribute keys, texts and decisions."""
    names = shards(tmp_path, "revisions", 200, ".jsonl.zst")
    faults.at("kill", word)
    _, got = fuzzy(spark, names, tmp_path, parts=3)
    assert got == alone(names) and faults.happened("kill")


def test_twice(spark, faults, tmp_path):
    """A task that fails after its output is in place can be run again."""
    names = shards(tmp_path, "sliding", 100, ".jsonl.zst")
    faults.at("twice", "--decisions=")
    _, got = fuzzy(spark, names, tmp_path, parts=2)
    assert got == alone(names) and faults.happened("twice")


def test_hot(spark, tmp_path):
    """The pairs omitted because of hot keys are reported as one sum, the same as on one machine."""
    names = shards(tmp_path, "revisions", 300, ".jsonl.zst")
    result = doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), parts=4, hot=10)
    chain = f"{REAL} recsign -H {' '.join(names)} | {REAL} lshpairs --hot=10 > /dev/null"
    told = subprocess.run(["bash", "-c", chain], capture_output=True, text=True, check=True).stderr
    note = next(n for n in result.notes if "left out" in n)
    assert note.removeprefix("keypairs: ") == told.splitlines()[0].removeprefix("lshpairs: ").partition(", such as")[0]
    assert written(names, tmp_path / "out") == alone(names, "fuzzy", "--hot=10")[0]


def outcome(tmp_path, names):
    """Return the number of output files, and check that all of them are complete."""
    out = tmp_path / "out"
    left = [n for n in os.listdir(out) if not n.startswith(".")] if out.exists() else []
    assert all(subprocess.run([REAL, "reccat", "--count", out / n], capture_output=True).returncode == 0 for n in left)
    return len(left)


def test_bad_record(spark, tmp_path):
    names = shards(tmp_path, "made", 60, ".jsonl")
    with open(names[1], "a") as f:
        f.write('{"text": "x"}\n{"text\n')
    with pytest.raises(Exception, match=r"recsign: .*shard7.jsonl:22: invalid JSON|recsign: .*shard\d+.jsonl:22: invalid JSON"):
        doppel.spark.fuzzy(spark, names, str(tmp_path / "out"))
    assert outcome(tmp_path, names) == 0
    result = doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), keep_going=True)
    assert any("invalid JSON" in n for n in result.notes)
    want = subprocess.run([REAL, "fuzzy", "-k", "--stats=none", *names], capture_output=True).stdout
    assert written(names, tmp_path / "out") == want


@pytest.mark.parametrize("keep_going", [False, True])
def test_corrupt_file(spark, tmp_path, keep_going):
    names = shards(tmp_path, "made", 3000, ".jsonl.zst")
    os.truncate(names[2], os.path.getsize(names[2]) // 2)
    with pytest.raises(Exception, match=Path(names[2]).name):
        doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), keep_going=keep_going)
    assert outcome(tmp_path, names) < 3


def test_full_disk(spark, faults, tmp_path):
    names = shards(tmp_path, "made", 60, ".jsonl")
    faults.at("full", "")
    with pytest.raises(Exception, match="no space left on device"):
        doppel.spark.fuzzy(spark, names, str(tmp_path / "out"))
    assert outcome(tmp_path, names) == 0


def test_no_program(spark, faults, tmp_path, monkeypatch):
    """The job fails if the program exists where the job is planned, but not on the workers."""
    names, run, gone = shards(tmp_path, "made", 60, ".jsonl"), doppel.spark.run, faults.program.with_name("gone")

    def planned(arguments):
        plan = run(arguments)
        faults.program.rename(gone)
        return plan

    monkeypatch.setattr(doppel.spark, "run", planned)
    try:
        with pytest.raises(Exception, match="is not a program"):
            doppel.spark.fuzzy(spark, names, str(tmp_path / "out"))
    finally:
        gone.rename(faults.program)
    assert outcome(tmp_path, names) == 0


def test_refused(spark, tmp_path):
    with pytest.raises(doppel.Error, match="none[*]: no such file, directory or table, or no file in it$"):
        doppel.spark.fuzzy(spark, str(tmp_path / "none*"), str(tmp_path / "out"))
    with pytest.raises(doppel.Error, match="a file is named twice$"):
        doppel.spark.fuzzy(spark, ["/a/x", "/a/x"], str(tmp_path / "out"))
    with pytest.raises(doppel.Error, match="threshold"):
        doppel.spark.fuzzy(spark, ["/a/x"], str(tmp_path / "out"), threshold=2)
    files = "needs a DataFrame or a table, not files; want spark.read.parquet.data.$"
    for job, rank in ((doppel.spark.fuzzy, "n"), (doppel.spark.exact, "longest")):
        with pytest.raises(TypeError, match=f"^rank='{rank}': a rank by a column {files}"):
            job(spark, ["/a/x"], str(tmp_path / "out"), text="n", rank=rank)
    for given in ({"mark": "kept"}, {"column": "kept"}):
        job = doppel.spark.fuzzy if "mark" in given else doppel.spark.labels
        with pytest.raises(TypeError, match=f"^kept: a new column {files}"):
            job(spark, ["/a/x"], str(tmp_path / "out"), **given)
    for name, instead in (("against", "it needs one machine, and doppel.fuzzy"), ("groups", "doppel.spark.labels writes the group of each row")):
        with pytest.raises(TypeError, match=f"^{name} is not an option of doppel.spark.fuzzy: {instead}$"):
            doppel.spark.fuzzy(spark, ["/a/x"], str(tmp_path / "out"), **{name: "x"})
    (names,) = shards(tmp_path, "sliding", 5, ".jsonl", 1)
    with pytest.raises(doppel.Error, match=rf'^{names}:1: no field "body"$'):
        doppel.spark.fuzzy(spark, names, str(tmp_path / "out"), text="body")
    assert not (tmp_path / "out").exists()
    for out in (tmp_path, tmp_path / "below"):
        with pytest.raises(doppel.Error, match="is (in )?the directory of the data; want another directory for results$"):
            doppel.spark.fuzzy(spark, str(tmp_path), str(out))


def test_partitions(spark, tmp_path):
    """A directory is data, with the files of its partitions, whose keys are fields, but without those
    that Spark does not read. The results have the same names. Those of an earlier job are refused or replaced."""
    names = []
    for lang in "ab":
        (tmp_path / "in" / f"lang={lang}").mkdir(parents=True)
        names += shards(tmp_path / "in" / f"lang={lang}", "sliding", 40, ".jsonl", 1)
    for hidden in ("_SUCCESS", ".x.crc", "lang=a/_temporary"):
        (tmp_path / "in" / hidden).write_text("not a record")
    out = tmp_path / "out"
    doppel.spark.fuzzy(spark, str(tmp_path / "in"), str(out), decisions=str(tmp_path / "decisions"), within="lang")
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*.jsonl")) == [os.path.relpath(n, tmp_path / "in") for n in names]
    kept = b"".join((out / os.path.relpath(n, tmp_path / "in")).read_bytes() for n in names)
    assert kept == b"".join(alone([n], "fuzzy", "--no-partitions")[0] for n in names) != b""
    assert len(list((tmp_path / "decisions").rglob("*.jsonl.tsv"))) == 2
    with pytest.raises(doppel.Error, match=f"^{out}: is not empty; mode='overwrite' replaces its files$"):
        doppel.spark.exact(spark, names[:1], str(out), text="text")
    doppel.spark.exact(spark, names[:1], str(out), text="text", mode="overwrite")
    assert [p.relative_to(out) for p in out.rglob("*.jsonl")] == [Path(os.path.basename(names[0]))]


def test_frames(spark, tmp_path):
    """A DataFrame or a table comes back as a DataFrame of the kept rows."""
    rows = [(n, f"text {n // 2} of a few words", [n, None], {"k": float(n)}) for n in range(40)]
    frame = spark.createDataFrame(rows, "n long, body string, l array<int>, m map<string, double>").repartition(3, "n")
    result = doppel.spark.exact(spark, frame, str(tmp_path / "out"), text="body")
    assert (result.records, result.kept) == (40, 20) and result.frame.schema == frame.schema
    kept = {r.body: r for r in result.frame.collect()}
    assert len(kept) == 20 and all(tuple(r) == rows[r.n] for r in kept.values())
    frame.createOrReplaceTempView("texts")
    assert doppel.spark.fuzzy(spark, "texts", str(tmp_path / "near"), text="body", threshold=1).frame.count() == 20
    assert not (tmp_path / "out" / "_rows").exists()


def test_ranked(spark, tmp_path):
    """The rows of a DataFrame are written in the order of the rank, and rows without a value last."""
    rows = [(n, float("nan") if n == 1 else None if n == 4 else n % 3 - 1.5, "zyx"[n % 3]) for n in range(6)]
    frame = spark.createDataFrame(rows, "n int, `a.b` double, s string").repartition(2)
    for rank, want in (("n:desc", [[5], [4], [3], [2], [1], [0]]), ("a.b", [[0, 3], [2, 5], [1, 4]]), (("a.b", "desc"), [[2, 5], [0, 3], [1, 4]]),
                       ("s", [[2, 5], [1, 4], [0, 3]])):  # fmt: skip
        table = doppel.spark._Table(spark, frame, (str(tmp_path / f"{rank}"), None, None), {})
        table.write(rank)
        files = sorted(map(str, Path(table.rows).glob("part-*")))
        lines = subprocess.run([REAL, "reccat", "--to=jsonl", *files], capture_output=True, check=True).stdout.splitlines()
        got = iter([json.loads(line)["n"] for line in lines])
        assert [sorted(islice(got, len(w))) for w in want] == want, rank


def test_marked(spark, tmp_path):
    """All rows come back with a column that says which are kept, or with their groups. A rank by a
    column selects the kept rows."""
    texts = [f"{n // 3} " + " ".join(f"word{n // 3 * 9 + w}" for w in range(9)) for n in range(12)]
    frame = spark.createDataFrame(list(zip(texts, range(12))), "text string, `a.b` int").repartition(2)
    marked = doppel.spark.exact(spark, frame, str(tmp_path / "all"), text="text", mark="good", rank="a.b:desc", parts=1)
    assert marked[:3] == (12, 4, 8) and marked.frame.columns == [*frame.columns, "good"]
    assert sorted(map(tuple, marked.frame.collect())) == sorted((t, n, n % 3 == 2) for n, t in enumerate(texts))
    assert {name[:5] for name in os.listdir(tmp_path / "all") if name[:1] != "."} == {"part-", "_SUCC"}
    labelled = doppel.spark.labels(spark, frame, str(tmp_path / "groups"), parts=1).frame
    groups = {}
    for text, n, group in labelled.collect():
        groups.setdefault(group, set()).add(n)
    assert sorted(map(sorted, groups.values())) == [[n, n + 1, n + 2] for n in range(0, 12, 3)]


def test_refused_frames(spark, tmp_path, monkeypatch):
    """What is wrong with a DataFrame is reported before it is written."""
    frame = spark.createDataFrame([("a", 1)], "text string, n int")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    monkeypatch.setattr(doppel.spark._Table, "write", None)
    for given, message in (
        ({"text": "body"}, "^text: no column 'body'; the columns are: text, n$"),
        ({"rank": "m:desc"}, "^rank: no column 'm'; the columns are: text, n$"),
        ({"mark": "n"}, "^column 'n' exists already; want another name$"),
        ({"mark": "m", "cluster_size": "size"}, "^cluster_size applies to kept rows only, and all rows are written with a new column$"),
        ({"mark": "m", "missing": "drop"}, "^missing='drop' applies to kept rows only, .*; want missing='keep'$"),
        ({"threshold": 2}, "^threshold 2: want more than 0 and at most 1$"),
        ({"out": str(tmp_path / "full")}, "full: is not empty; mode='overwrite' replaces its files$"),
        ({"out": "s3://bucket/x"}, "^s3://bucket/x: is in a store; for a DataFrame or a table want a directory"),
    ):
        with pytest.raises((doppel.Error, TypeError), match=message):
            doppel.spark.fuzzy(spark, frame, **{"out": str(tmp_path / "out"), **given})
    assert not (tmp_path / "out").exists()


def test_examples(spark, tmp_path):
    """The examples of DataFrames in doppel-cluster(7) work, with other paths."""
    page = (ROOT / "man/doppel-cluster.7").read_text()
    example = next(b for b in re.findall(r"\.Bd -literal.*?\n(.*?)\.Ed", page, re.S) if "spark.table" in b)
    rows = [(n // 2, f"text {n // 2} of a few words", n) for n in range(8)]
    spark.createDataFrame(rows, "k int, text string, stars int").coalesce(1).createOrReplaceTempView("pages")
    got = {"spark": spark, "doppel": doppel}
    exec(example.replace('"/', f'"{tmp_path}/'), got)
    assert got["clean"].count() == 4 and got["once"].count() == 8
    assert sorted(r.stars for r in got["best"].collect()) == [1, 3, 5, 7]
    assert got["marked"].where("keep").count() == 4 and got["marked"].count() == 8
    assert len({r.group for r in got["groups"].collect()}) == 4
