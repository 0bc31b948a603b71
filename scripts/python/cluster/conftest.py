"""Data, the chain on one machine, sessions of Spark, and a program that fails when told."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
REAL = shutil.which("doppel")

# The program of the tasks. If a file tells it to, it does once what can go wrong.
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


class Faults:
    """Faults that happen when an argument of a command begins with a word."""

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
def faults(tmp_path_factory):
    f = Faults(tmp_path_factory.mktemp("faults"))
    os.environ["DOPPEL"] = str(f.program)
    return f


@pytest.fixture(autouse=True)
def no_faults(faults):
    yield
    faults.none()


def session(master, scratch):
    from pyspark.sql import SparkSession

    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
    (scratch / "local").mkdir()
    settings = {
        "ui.enabled": "false", "local.dir": scratch / "local", "driver.memory": "512m", "executor.memory": "640m",
        "executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "executorEnv.DOPPEL": os.environ["DOPPEL"],
        "stage.maxConsecutiveAttempts": 8, "driver.host": "127.0.0.1", "driver.bindAddress": "127.0.0.1",
        "executor.cores": 1, "log.level": "ERROR", "python.worker.reuse": "true",
    }  # fmt: skip
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", str(value))
    return builder.getOrCreate()


def made(n):
    """Return texts of random words; of every five the last two are near copies."""
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
    """Return texts each of which is its neighbour a word on."""
    return [" ".join(f"word{i + w}" for w in range(25)) for i in range(n)]


def revisions(n):
    import json

    lines = subprocess.run([REAL, "reccat", ROOT / "testdata/revisions/pages.jsonl.zst"], capture_output=True, check=True)
    texts = [json.loads(line)["text"] for line in lines.stdout.splitlines()]
    return (texts + texts[:20])[:n]


TEXTS = {"made": made, "sliding": sliding, "revisions": revisions}


def shards(dir, kind, n, end, files=3):
    """Write texts to files of a directory, and return their names in the order of ids."""
    import json

    texts, names = TEXTS[kind](n), []
    for i in range(files):
        rows = texts[i * len(texts) // files : (i + 1) * len(texts) // files]
        lines = "".join(json.dumps({"n": k % 7, "text": t}) + "\n" for k, t in enumerate(rows))
        names.append(str(dir / f"shard{7 + 2 * i}{end}"))  # shard11 is before shard7
        subprocess.run([REAL, "reccat", "-o", names[-1]], input=lines.encode(), check=True)
    return sorted(names, key=lambda name: name + ":")


def alone(names, job="fuzzy", *options):
    """Return the records that are left on one machine, and of fuzzy the scored pairs
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
    """Return what a job on Spark wrote, in the order of files."""

    def all_of(dir, end=""):
        return [str(dir / (Path(n).name + end)) for n in names]

    kept = subprocess.run([REAL, "reccat", "--to=jsonl", *all_of(out)], capture_output=True, check=True).stdout
    if pairs is None:
        return kept
    return kept, *(b"".join(Path(n).read_bytes() for n in all_of(d, ".tsv")) for d in (pairs, decisions))
