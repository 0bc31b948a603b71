"""Fixtures and functions that the tests share, for data, Spark sessions and faults."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest
from store import Store

ROOT = Path(__file__).resolve().parents[3]
REAL = shutil.which("doppel")

# A program that tasks run instead of doppel. If a file beside the program has the name of a fault,
# the program injects that fault.
FAULTY = r"""#!/bin/bash
dir=$(dirname "$0")
fault() {
	[ -e "$dir/$1" ] || return
	kind=$1 word=$(cat "$dir/$1"); shift
	for arg; do [[ $arg == "$word"* ]] && mv "$dir/$kind" "$dir/$kind.done" 2> /dev/null && return; done
	return 1
}
executor() {
	pid=$$
	until grep -qa CoarseGrainedExecutorBackend "/proc/$pid/cmdline"; do pid=$(awk '/^PPid/ {print $2}' "/proc/$pid/status"); done
	echo "$pid"
}
if fault kill "$@"; then kill -KILL "$(executor)"; fi
if fault lose "$@"; then
	pid=$(executor); worker=$(awk '/^PPid/ {print $2}' "/proc/$pid/status"); disk=${SPARK_LOCAL_DIRS%%,*}
	kill -KILL "$worker" "$pid"; rm -rf "$disk"
fi
if fault twice "$@"; then "REAL" "$@"; echo "twice: failed when all was done" >&2; exit 1; fi
if [ -e "$dir/full" ]; then set -- "${@/#--output=*//dev/full}"; set -- "${@/#\/dev\/full/--output=/dev/full}"; fi
exec "REAL" "$@"
"""


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: left out by make spark, run by make spark-all")
    # All processes of Java end before optimized code would have paid off.
    os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Faults:
    """Controls the faults of the program FAULTY. A fault set with at() is injected when an argument
    of the program begins with the given word."""

    def __init__(self, dir):
        self.dir = dir
        self.program = dir / "doppel"
        self.program.write_text(FAULTY.replace("REAL", REAL))
        self.program.chmod(0o755)

    def at(self, kind, word):
        (self.dir / f"{kind}.done").unlink(missing_ok=True)
        (self.dir / kind).write_text(word)

    def happened(self, kind):
        return (self.dir / f"{kind}.done").exists()

    def none(self):
        for kind in ("kill", "lose", "twice", "full"):
            (self.dir / kind).unlink(missing_ok=True)


@pytest.fixture(scope="session")
def s3():
    """Start the S3 server, and put its address and keys into the environment. Spark passes the
    environment on to its processes when it starts."""
    store = Store()
    os.environ.update(store.keys)
    yield store
    store.server.shutdown()


@pytest.fixture(scope="session")
def faults(s3, tmp_path_factory):
    f = Faults(tmp_path_factory.mktemp("faults"))
    os.environ["DOPPEL"] = str(f.program)
    return f


@pytest.fixture
def fs(s3):
    """Return the file system of the store, in which the bucket is empty."""
    fs = fsspec.filesystem("s3", use_listings_cache=False)
    if fs.exists("bucket"):
        fs.rm("bucket", recursive=True)
    fs.mkdir("bucket")
    return fs


@pytest.fixture(autouse=True)
def no_faults(faults, s3):
    yield
    faults.none()
    s3.none()


@pytest.fixture(scope="module")
def spark(faults, tmp_path_factory):
    """Start a session with two executors, each in its own process."""
    s = session("local-cluster[2,1,1024]", tmp_path_factory.mktemp("spark"))
    yield s
    s.stop()


def session(master, scratch):
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    (scratch / "local").mkdir()
    settings = {
        "ui.enabled": "false", "local.dir": scratch / "local", "driver.memory": "512m", "executor.memory": "640m",
        "executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "executorEnv.DOPPEL": os.environ["DOPPEL"],
        "stage.maxConsecutiveAttempts": 8, "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
        "executor.cores": 1, "log.level": "ERROR", "python.worker.reuse": "true", "sql.shuffle.partitions": 2,
        "sql.catalogImplementation": "in-memory",
    }  # fmt: skip
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", str(value))
    return builder.getOrCreate()


def made(n):
    """Return texts of random words. The fourth and the fifth of every five texts are near copies of
    the text before them."""
    r, texts = random.Random(1), []
    for i in range(n):
        if i % 5 > 2:
            words = texts[-1].split()
            words[r.randrange(len(words))] = "other"
        else:
            words = [f"w{r.randrange(5000)}" for _ in range(60)]
        texts.append(" ".join(words))
    return texts


def sliding(n):
    """Return texts, each of which starts one word later than the text before it."""
    return [" ".join(f"word{i + w}" for w in range(25)) for i in range(n)]


def revisions(n):
    import json

    lines = subprocess.run([REAL, "reccat", ROOT / "testdata/revisions/pages.jsonl.zst"], capture_output=True, check=True)
    texts = [json.loads(line)["text"] for line in lines.stdout.splitlines()]
    return (texts + texts[:20])[:n]


TEXTS = {"made": made, "sliding": sliding, "revisions": revisions}


def shards(dir, kind, n, end, files=3):
    """Write texts to files in a directory, and return the files' names in the order of ids."""
    import json

    texts, names = TEXTS[kind](n), []
    for i in range(files):
        rows = texts[i * len(texts) // files : (i + 1) * len(texts) // files]
        lines = "".join(json.dumps({"n": k % 7, "text": t}) + "\n" for k, t in enumerate(rows))
        names.append(str(dir / f"shard{7 + 2 * i}{end}"))  # shard11 is before shard7
        subprocess.run([REAL, "reccat", "-o", names[-1]], input=lines.encode(), check=True)
    return sorted(names, key=lambda name: name + ":")


def alone(names, job="fuzzy", *options):
    """Return the records kept on one machine, and for fuzzy also the scored pairs
    and the decisions."""
    kept = subprocess.run([REAL, job, "--stats=none", "--to=jsonl", *options, *names], capture_output=True, check=True)
    if job != "fuzzy":
        return kept.stdout
    records = [f"--records={name}" for name in names]
    chain = 'set -o pipefail; doppel recsign -H "${names[@]}" | doppel lshpairs | doppel jaccard -H -t 0.8 "${records[@]}"'
    arrays = f"names=({' '.join(names)}); records=({' '.join(records)}); "
    scored = subprocess.run(["bash", "-c", arrays + chain], capture_output=True, check=True).stdout
    decide = [REAL, "dupgroup", "--cut=0.8"] + [o for o in options if o.startswith("--policy")]
    decisions = subprocess.run(decide, input=scored, capture_output=True, check=True).stdout
    return kept.stdout, scored, decisions


def written(names, out, pairs=None, decisions=None):
    """Return the output of a job, file by file in the order of names."""

    def all_of(dir, end=""):
        return [str(dir / (Path(n).name + end)) for n in names]

    kept = subprocess.run([REAL, "reccat", "--to=jsonl", *all_of(out)], capture_output=True, check=True).stdout
    if pairs is None:
        return kept
    return kept, *(b"".join(Path(n).read_bytes() for n in all_of(d, ".tsv")) for d in (pairs, decisions))


PLACES = "out", "pairs", "decisions"


def placed(fs, tmp_path, monkeypatch, kind, n, end):
    """Write shards to files and, with the same ids, to objects. Return the names of the files."""
    monkeypatch.chdir(tmp_path)
    os.makedirs("bucket/in")
    names = shards(Path("bucket/in"), kind, n, end)
    for name in names:
        fs.put_file(name, name)
    return names


def fuzzy_of_objects(spark, end, **options):
    """Run fuzzy on the objects written by placed(), and write the results to objects."""
    import doppel.spark

    out, pairs, decisions = (f"s3://bucket/{d}" for d in PLACES)
    doppel.spark.fuzzy(spark, f"s3://bucket/in/*{end}", out + "/", pairs=pairs, decisions=decisions, **options)


def left(fs, names):
    """Fetch and return the results of fuzzy_of_objects."""
    assert not [o for o in fs.find("bucket") if o.endswith(".part")]
    for d in PLACES:
        os.mkdir(d)
        for o in fs.find(f"bucket/{d}"):
            fs.get_file(o, f"{d}/{os.path.basename(o)}")
    return written(names, *map(Path, PLACES))
