"""Tests that doppel.spark, with a faulty local S3 server, gives the same results as one machine."""

import os
import subprocess
from pathlib import Path

import pytest
import s3fs
from conftest import REAL, alone, fuzzy_of_objects as fuzzy, left, placed, written

import doppel
import doppel.spark
from doppel import _objects

slow = pytest.mark.slow


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Shorten the pauses between tries in the driver and the tests, but not in the executors."""
    monkeypatch.setattr(_objects, "_PAUSE", 0.001)
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)


@pytest.mark.parametrize("kind, n, end", [("revisions", 300, ".jsonl.zst"), pytest.param("made", 900, ".parquet", marks=slow)])
def test_equal(spark, fs, tmp_path, monkeypatch, kind, n, end):
    names = placed(fs, tmp_path, monkeypatch, kind, n, end)
    fuzzy(spark, end, parts=3)
    assert left(fs, names) == alone(names)


@slow
def test_chaos(spark, fs, s3, tmp_path, monkeypatch):
    """The results are right even if one in four requests is refused or has a truncated body."""
    names = placed(fs, tmp_path, monkeypatch, "revisions", 200, ".jsonl.zst")
    s3.at("cut", "GET", "bucket/in", times=3)
    s3.chaos(4)
    fuzzy(spark, ".zst", parts=2)
    s3.every = 0
    assert s3.happened["503"] > 4 and s3.happened["cut"] >= 3
    assert left(fs, names) == alone(names)


@pytest.mark.parametrize("word", [pytest.param("keypairs", marks=slow), "jaccard", pytest.param("--decisions=", marks=slow)])
def test_killed(spark, fs, faults, tmp_path, monkeypatch, word):
    """The results are right even if an executor is killed after a shuffle."""
    names = placed(fs, tmp_path, monkeypatch, "revisions", 200, ".jsonl.zst")
    faults.at("kill", word)
    fuzzy(spark, ".zst", parts=3)
    assert faults.happened("kill") and left(fs, names) == alone(names)


@slow
def test_none_in_place(spark, fs, faults, tmp_path, monkeypatch):
    """If one shard cannot be written, no result is moved into place and the error is reported."""
    placed(fs, tmp_path, monkeypatch, "made", 60, ".jsonl")
    faults.at("full", "")
    with pytest.raises(Exception, match="no space left on device"):
        doppel.spark.fuzzy(spark, "s3://bucket/in/*", "s3://bucket/out")
    assert not [o for o in fs.find("bucket/out") if not o.endswith(".part")]


@slow
def test_denied(spark, fs, s3, tmp_path, monkeypatch):
    """The job's error names the object that cannot be read, and does not contain the secret key."""
    names = placed(fs, tmp_path, monkeypatch, "made", 60, ".jsonl")
    s3.at("denied", "GET", names[1], times=100)
    with pytest.raises(Exception, match=f"s3://{names[1]}: cannot read: ") as e:
        doppel.spark.fuzzy(spark, "s3://bucket/in/*", "s3://bucket/other/")
    assert "secret-of" not in str(e.value) and not fs.find("bucket/other")


def test_changed(fs, tmp_path):
    """An object that is overwritten while the job runs is rejected, because the ids of its records
    would be wrong."""
    fs.pipe_file("bucket/x", b"one\n")
    o = _objects.described(["s3://bucket/x"])[0]
    fs.pipe_file("bucket/x", b"two\n")
    with pytest.raises(doppel.Error, match="^s3://bucket/x: changed while the job ran$"):
        _objects.fetch(o, str(tmp_path / "x"))


@slow
def test_mixed(spark, fs, tmp_path, monkeypatch):
    """A job can read objects and local files and write local results."""
    names = placed(fs, tmp_path, monkeypatch, "made", 60, ".jsonl")
    data = [f"s3://{names[0]}", *names[1:]]
    result = doppel.spark.fuzzy(spark, data, "out", parts=2)
    kept = written(names, Path("out")).count(b"\n")
    assert result.records == 60 and result.kept == kept == alone(names)[0].count(b"\n")


@pytest.mark.parametrize("kind", ["503", "500", "cut", "short", "gap"])
def test_fetch(fs, s3, tmp_path, kind):
    content = os.urandom(100_000)
    fs.pipe_file("bucket/x", content)
    o = _objects.listed("s3://bucket/*")[0]
    s3.at(kind, "GET", "/x", times=3)
    _objects.fetch(o, str(tmp_path / "x"))
    assert (tmp_path / "x").read_bytes() == content and s3.happened[kind] == 3


@pytest.mark.parametrize("kind, method", [("503", "PUT"), ("500", "PUT"), ("lost", "PUT"), ("gap", "HEAD"), ("503", "HEAD")])
def test_store(fs, s3, tmp_path, kind, method):
    (tmp_path / "x").write_bytes(os.urandom(100_000))
    s3.at(kind, method, "/x", times=2)
    o = _objects.store(str(tmp_path / "x"), "s3://bucket/x.part")
    s3.at(kind, method, "/x", times=2)
    _objects.rename([(o, "s3://bucket/x")])
    assert s3.happened[kind] == 4 and fs.find("bucket") == ["bucket/x"]
    assert fs.cat_file("bucket/x") == (tmp_path / "x").read_bytes()


def test_stored_otherwise(fs, s3, tmp_path):
    """The stored bytes are verified even if their size is right, and even if the store has no
    checksum that can be computed here."""
    (tmp_path / "x").write_bytes(b"want")
    s3.at("other", "PUT", "/x")
    _objects.store(str(tmp_path / "x"), "s3://bucket/x")
    assert fs.cat_file("bucket/x") == b"want" and s3.happened["other"] == 1
    memory = _objects.store(str(tmp_path / "x"), "memory://bucket/x")
    assert memory.size == 4 and sorted(os.listdir(tmp_path)) == ["x"]


def test_multipart(fs, tmp_path):
    """An object stored in several parts is verified by the checksum of its parts."""
    (tmp_path / "x").write_bytes(os.urandom(1 << 20) * 120)
    o = _objects.store(str(tmp_path / "x"), "s3://bucket/x")
    assert o.version.strip('"') in _objects._checksums(str(tmp_path / "x")) and o.version.endswith('-3"')


def test_another_job(fs, tmp_path):
    """A result that another job has overwritten is not renamed."""
    (tmp_path / "x").write_bytes(b"one\n")
    o = _objects.store(str(tmp_path / "x"), "s3://bucket/x.part")
    fs.pipe_file("bucket/x.part", b"two\n")
    with pytest.raises(doppel.Error, match="^s3://bucket/x.part: another job has written it$"):
        _objects.rename([(o, "s3://bucket/x")])
    assert fs.find("bucket") == ["bucket/x.part"]


@pytest.mark.parametrize("kind", ["503", "cut", "short", "gap"])
def test_given_up(fs, s3, tmp_path, kind):
    fs.pipe_file("bucket/x", bytes(1000))
    o = _objects.listed("s3://bucket/*")[0]
    s3.at(kind, "GET", "/x", times=1000)
    with pytest.raises(doppel.Error, match="^s3://bucket/x: cannot read: .") as e:
        _objects.fetch(o, str(tmp_path / "x"))
    assert {"gap": "no such object", "short": "500 of 1000 bytes arrived"}.get(kind, "") in str(e.value)
    assert s3.happened[kind] == _objects._TRIES


@pytest.mark.parametrize(
    "out, message",
    [
        ("s3://bucket/in/", "s3://bucket/in: is the directory of the data"),
        ("s3://nowhere/out", "s3://nowhere/out/doppel.part: cannot write: "),
        ("gs://bucket/out", "gs://bucket/out: Please install gcsfs"),
    ],
)
def test_refused_output(fs, spark, out, message):
    """A directory that cannot be the output is rejected before any work is done."""
    fs.pipe_file("bucket/in/x", b"")
    with pytest.raises(doppel.Error, match=f"^{message}"):
        doppel.spark.fuzzy(spark, "s3://bucket/in/*", out)


@pytest.mark.parametrize(
    "data, message",
    [
        ("s3://bucket/none/*", "s3://bucket/none/[*]: no such file, directory or table, or no file in it"),
        (["s3://bucket/none"], "s3://bucket/none: cannot find: no such object"),
        (["s3://bucket/a/../x"], "s3://bucket/a/../x: the name has a [.][.]"),
        ("s9://bucket/*", "s9://bucket/[*]: Protocol not known: s9"),
        ("gs://bucket/*", "gs://bucket/[*]: Please install gcsfs"),
        ("s3://key:word@bucket/*", "s3://…: credentials do not belong in a name"),
    ],
)
def test_refused(fs, spark, data, message):
    fs.pipe_file("bucket/x", b"")
    with pytest.raises(doppel.Error, match=f"^{message}") as e:
        doppel.spark.fuzzy(spark, data, "s3://bucket/out")
    assert "word" not in str(e.value)


def test_no_credentials(fs, s3, tmp_path):
    """Missing credentials are reported immediately."""
    gone = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    env = {**gone, "AWS_ENDPOINT_URL": s3.url, "AWS_EC2_METADATA_DISABLED": "true", "HOME": str(tmp_path)}
    code = "from doppel import _objects; _objects.listed('s3://bucket/*')"
    p = subprocess.run([os.environ["PYSPARK_PYTHON"], "-c", code], env=env, capture_output=True, text=True)
    assert p.stderr.endswith("s3://bucket/*: cannot list: Unable to locate credentials\n")


ODD = "a b.jsonl", "%41.jsonl", "ü'\"$x.jsonl", "-n#1:2.jsonl"


@slow
@pytest.mark.parametrize("where", ["s3://bucket/in", "."])
def test_names(spark, fs, tmp_path, monkeypatch, where):
    """Names of shards may contain characters that are special in a shell, a URL or an id."""
    names = placed(fs, tmp_path, monkeypatch, "sliding", 90, ".jsonl")
    want = subprocess.run([REAL, "reccat", *names], capture_output=True, check=True).stdout.splitlines(True)
    odd = sorted((f"bucket/in/{n}" for n in ODD), key=lambda n: os.fsencode(n + ":"))
    for i, name in enumerate(odd):
        Path(name).write_bytes(b"".join(want[i * 20 : i * 20 + 20]))
        fs.put_file(name, name)
    data = [f"s3://{n}" if where != "." else n for n in odd]
    doppel.spark.fuzzy(spark, data, "out", parts=2)
    assert written(odd, Path("out")) == subprocess.run([REAL, "fuzzy", "--stats=none", *odd], capture_output=True, check=True).stdout
