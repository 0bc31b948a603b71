"""Tests of the recipes in doppel-cluster(7) for make, parallel and Ray, with a local S3 server."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, alone, shards, written

# A copy command that injects faults. The file named fault contains a kind of fault, a word that
# the arguments must contain, and how often to inject the fault.
COPY = r"""#!/bin/bash
dir=${0%/*}
fault() {
	read -r kind word times < "$dir/fault" && [ "$kind" = "$1" ] && [[ $2 == *$word* ]] && ((times > 0)) &&
		echo "$kind $word $((times - 1))" > "$dir/fault"
}
if fault refuse "$*"; then echo "503 Slow Down" >&2; exit 1; fi
if fault kill "$*"; then kill -KILL 0; fi
if [ -f "$1" ] && fault other "$1"; then head -c "$(stat -c %s "$1")" /dev/zero > "$1.other"; set -- "$1.other" "$2"; fi
s5cmd --retry-count=0 cp "$@" > /dev/null || exit
if fault cut "$*"; then truncate -s -9 "$2"; fi
"""


@pytest.fixture
def copy(tmp_path):
    (tmp_path / "copy").write_text(COPY)
    (tmp_path / "copy").chmod(0o755)
    (tmp_path / "fault").write_text("none none 0\n")
    return str(tmp_path / "copy")


@pytest.fixture
def names(s3, tmp_path, monkeypatch):
    """Return the names of shards, which are objects below s3://bucket/in and also local files."""
    monkeypatch.chdir(tmp_path)
    subprocess.run(["s5cmd", "mb", "s3://bucket"], capture_output=True)
    subprocess.run(["s5cmd", "rm", "s3://bucket/*"], capture_output=True)
    os.mkdir("in")
    for name in shards(Path("in"), "revisions", 200, ".jsonl.zst"):
        subprocess.run(["s5cmd", "cp", name, "s3://bucket/in/"], check=True, capture_output=True)
    return sorted(os.listdir("in"), key=lambda n: n + ":")


def planned(names, form="make", parts=2, batch=1):
    with open("doppel.mk" if form == "make" else "parts.sh", "wb") as f:
        subprocess.run(["doppel", "fuzzy", f"--print={form}", f"--parts={parts}", f"--batch={batch}", *names], stdout=f, check=True)


slow = pytest.mark.slow
WHERE = "IN=s3://bucket/in", "OUT=s3://bucket/out", "PAUSE=0"


def make(copy, *words):
    return subprocess.run(["make", "-s", "-f", "doppel.mk", "-j2", *WHERE, f"FETCH={copy}", f"STORE={copy}", *words],
                          capture_output=True, text=True, start_new_session=True)  # fmt: skip


def equal(names):
    subprocess.run(["s5cmd", "cp", "s3://bucket/out/*", "got/"], capture_output=True, check=True)
    kept = written(names, Path("got"))
    os.chdir("in")
    return kept == alone(names)[0] != b""


def example(word):
    """Return the example in doppel-cluster(7) that contains a word."""
    page = (ROOT / "man/doppel-cluster.7").read_text()
    text = next(b for b in re.findall(r"\.Bd -literal.*?\n(.*?)\.Ed", page, re.S) if word in b)
    return text.replace(r"\e", "\\").replace("$ ", "")


def test_example(names):
    """The example in doppel-cluster(7) works unchanged."""
    p = subprocess.run(["bash", "-euc", example("FETCH=")], capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    assert equal(names)


@slow
def test_chaos(s3, copy, names):
    planned(names)
    s3.chaos(5)
    p = make(copy)
    s3.every = 0
    assert p.returncode == 0, p.stderr
    assert s3.happened["503"] and s3.happened["cut"] and equal(names)


@pytest.mark.parametrize("fault", [pytest.param("refuse bucket 3", marks=slow), pytest.param("cut shard7 1", marks=slow),
                                   "cut out/shard7 2", pytest.param("other out/shard9 2", marks=slow)])  # fmt: skip
def test_tried_again(copy, names, tmp_path, fault):
    """Copying is tried again if it is refused, or if the copy is truncated or differs in content.
    The faults begin after the first fetch of each shard, which determines the expected content."""
    planned(names)
    assert make(copy, "keys").returncode == 0
    (tmp_path / "fault").write_text(fault + "\n")
    p = make(copy)
    assert p.returncode == 0, p.stderr
    assert (tmp_path / "fault").read_text().endswith(" 0\n") and equal(names)


@pytest.mark.parametrize(
    "fault, message",
    [
        ("refuse in/shard7", "s3://bucket/in/shard7.jsonl.zst: cannot be fetched"),
        pytest.param("cut in/shard7", "s3://bucket/in/shard7.jsonl.zst: the object has changed: fetched [0-9]+ ", marks=slow),
        pytest.param("refuse s3://bucket/out/shard7", "s3://bucket/out/shard7.jsonl.zst: cannot be (stored|fetched)", marks=slow),
        pytest.param("other out/shard7", "s3://bucket/out/shard7.jsonl.zst: stored as [0-9]+ ", marks=slow),
    ],
)
def test_given_up(copy, names, tmp_path, fault, message):
    """If all tries fail, the object is reported and its step fails. Once the fault is gone, make
    continues with this step."""
    planned(names)
    assert make(copy, "keys").returncode == 0
    (tmp_path / "fault").write_text(fault + " 1000\n")
    p = make(copy)
    assert p.returncode != 0 and re.search(message, p.stderr) and not any("shard7" in p.read_text() for p in Path("doppel.work/kept").iterdir())
    (tmp_path / "fault").write_text("none none 0\n")
    assert make(copy).returncode == 0 and equal(names)


@pytest.mark.parametrize("word", [pytest.param("in/shard9", marks=slow), "out/shard7"])
def test_killed(copy, names, tmp_path, word):
    """make can continue after all its processes have been killed while copying an object."""
    planned(names)
    (tmp_path / "fault").write_text(f"kill {word} 1\n")
    assert make(copy).returncode < 0
    assert make(copy).returncode == 0 and equal(names)


@slow
def test_other_places(copy, names):
    """Results from other objects, or for another output, do not count as done."""
    planned(names)
    assert make(copy).returncode == 0
    p = make(copy, "OUT=s3://bucket/elsewhere")
    assert p.returncode != 0 and "doppel.work belongs to a makefile" in p.stderr
    assert make(copy, "STORE=").returncode != 0


def test_all_shards_at_once(copy, names):
    """Objects are rejected if one step of the makefile reads all shards."""
    with open("doppel.mk", "wb") as f:
        subprocess.run(["doppel", "passages", "--print=make", "--parts=2", *names], stdout=f, check=True)
    p = make(copy)
    assert p.returncode != 0 and "FETCH: the decisions of this makefile read all shards at once" in p.stderr


def test_parallel(copy, names):
    planned(names)
    planned(names, "parallel")
    env = {**os.environ, "IN": "s3://bucket/in", "OUT": "s3://bucket/out", "FETCH": copy, "STORE": copy}
    p = subprocess.run(["bash", "parts.sh", "-j2"], env=env, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    assert equal(names)


RAY = """
def init(_): pass
def get(made): return made
def remote(**_):
    def of(f):
        f.remote = f
        return f
    return of
"""


@slow
def test_ray(copy, names):
    """The script in doppel-cluster(7) works with a stand-in for Ray that runs tasks immediately."""
    planned(names, parts=4)
    Path("ray.py").write_text(RAY)
    Path("driver.py").write_text(example("import ray"))
    env = {**os.environ, "PYTHONPATH": ".", "IN": "s3://bucket/in", "OUT": "s3://bucket/out", "FETCH": copy, "STORE": copy}
    p = subprocess.run([sys.executable, "driver.py"], env=env, capture_output=True, text=True)
    assert p.returncode == 0, p.stderr
    assert equal(names)
