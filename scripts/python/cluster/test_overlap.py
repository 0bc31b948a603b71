"""Tests of doppel.spark.overlap, and of the recipe for make, with files and a local S3 server."""

import json
import os
import subprocess
from pathlib import Path

import doppel.spark
import pytest
from conftest import REAL, revisions, shards

FILES = "table", "decisions", "spoiled", "common", "report"


def items(path):
    """Write items of different lengths. Each question is a common prefix followed by a part of a
    text."""
    words = [t.split() for t in revisions(300)]
    rows = [{"q": " ".join(w[n : n + 4 + n % 40]) or "none", "a": " ".join(w[-3:]) or "none"} for n, w in enumerate(words[::5])]
    path.write_text("".join(json.dumps({**r, "q": f"say in one word what this text is all about: {r['q']}"}) + "\n" for r in rows))
    return str(path)


def alone(dir, names, test, *options):
    """Run doppel overlap in one process, and return the files that it writes."""
    dir.mkdir()
    out = [f"--{n}={dir / n}" for n in FILES[1:]]
    fields = ["--test-field=q", "--test-field=a", "--df=3", "--cut", "--show"]
    subprocess.run([REAL, "overlap", "--stats=none", f"--test={test}", *fields, *out, f"--output={dir / 'table'}", "-H", *options, *names], check=True)
    return [(dir / n).read_bytes() for n in FILES]


@pytest.mark.parametrize("end, files", [(".jsonl.zst", 7), (".parquet", 1)])
def test_spark(spark, faults, tmp_path, end, files):
    """All files are the same as those of one process, even if an executor is lost."""
    names, test = shards(tmp_path, "revisions", 300, end, files), items(tmp_path / "items.jsonl")
    want, got = alone(tmp_path / "want", names, test), tmp_path / "got"
    got.mkdir()
    if files > 1:
        faults.at("kill", "--save=")
    out = {n: str(got / n) for n in FILES[1:]}
    result = doppel.spark.overlap(spark, names, test, str(got / "table"), test_field=["q", "a"], df=3, cut=True, show=True, **out)
    assert [(got / n).read_bytes() for n in FILES] == want
    assert all(want) and b"#" in want[1] and result.records == 300 and result.kept + result.dropped == 300
    assert files == 1 or faults.happened("kill")


def test_refused(spark, tmp_path):
    names, test = shards(tmp_path, "sliding", 20, ".jsonl"), items(tmp_path / "items.jsonl")
    for wrong, error, words in (
        ({"merge": True}, TypeError, "^merge is not an option of doppel.spark.overlap$"),
        ({"save": "x"}, TypeError, "^save is not an option of doppel.spark.overlap$"),
        ({"coverage": 50}, doppel.Error, "--coverage 50: want more than 0"),
        ({"test": "s3://bucket/items"}, doppel.Error, "^s3://bucket/items: is an object; test items and the table must be files$"),
        ({"test": names}, doppel.Error, "also given as training records"),
    ):
        with pytest.raises(error, match=words):
            doppel.spark.overlap(spark, names, wrong.pop("test", test), str(tmp_path / "table"), test_field="q", **wrong)
    assert not (tmp_path / "table").exists()


def test_bad_records(spark, tmp_path):
    """With keep_going, bad records are skipped and reported; otherwise they end the job."""
    names, test = shards(tmp_path, "sliding", 20, ".jsonl"), items(tmp_path / "items.jsonl")
    with open(names[1], "a") as f:
        f.write("{bad\n")
    with pytest.raises(Exception, match=f"{names[1]}:[0-9]+: "):
        doppel.spark.overlap(spark, names, test, str(tmp_path / "table"), test_field="q")
    result = doppel.spark.overlap(spark, names, test, str(tmp_path / "table"), test_field="q", keep_going=True)
    assert result.records == 20 and len(result.notes) == 1 and names[1] in result.notes[0]


def test_objects(spark, s3, tmp_path, monkeypatch):
    """Shards may be objects, with Spark as well as with make."""
    monkeypatch.chdir(tmp_path)
    subprocess.run(["s5cmd", "mb", "s3://bucket"], capture_output=True)
    os.makedirs("bucket/in")
    names, test = shards(Path("bucket/in"), "revisions", 200, ".jsonl.zst"), items(tmp_path / "items.jsonl")
    subprocess.run(["s5cmd", "cp", "bucket/in/", "s3://bucket/in/"], check=True, capture_output=True)
    want = alone(tmp_path / "want", names, test)
    out = {n: str(tmp_path / n) for n in FILES[1:]}
    doppel.spark.overlap(spark, "s3://bucket/in/*", test, "table", test_field=["q", "a"], df=3, cut=True, show=True, **out)
    assert [Path(n).read_bytes() for n in FILES] == want
    for n in FILES:
        os.remove(n)
    options = ["--test-field=q", "--test-field=a", "--df=3", "--cut", "--show", *(f"--{n}={n}" for n in FILES[1:])]
    with open("doppel.mk", "wb") as f:
        subprocess.run([REAL, "overlap", "--print=make", f"--test={test}", *options, *names], stdout=f, check=True)
    make = ["make", "-s", "-j2", "-f", "doppel.mk", "FETCH=s5cmd cp", "IN=s3:/", "OUT=table"]
    p = subprocess.run(make, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    assert [Path(n).read_bytes() for n in FILES] == want
    p = subprocess.run([*make, "STORE=s5cmd cp"], capture_output=True, text=True)
    assert p.returncode != 0 and "STORE: the results of this makefile are files" in p.stderr
