"""Tests of doppel.spark on a Master and two Workers, one of which is lost with its disk."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import alone, fuzzy_of_objects, left, placed, session, shards, written

import doppel.spark


@pytest.fixture
def master(faults, tmp_path):
    import pyspark

    home = Path(pyspark.__file__).parent
    env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    processes = []

    def start(name, *words, until, **more):
        command = [home / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", "--webui-port", "0", *words]
        p = subprocess.Popen(command, env={**env, "SPARK_DAEMON_MEMORY": "256m", **more}, stderr=subprocess.PIPE, text=True)
        processes.append(p)
        for line in p.stderr:
            if m := re.search(until, line):
                return m.group()
        raise AssertionError(f"{name} ended with status {p.wait()}")

    url = start("master.Master", "--port", "0", until=r"spark://127\.0\.0\.1:\d+")
    for n in range(2):
        disk = tmp_path / f"disk{n}"
        disk.mkdir()
        words = ["--cores", "1", "--memory", "700m", "--work-dir", str(tmp_path / f"work{n}"), url]
        start("worker.Worker", *words, until="Successfully registered", SPARK_LOCAL_DIRS=str(disk))
    yield url
    for p in reversed(processes):
        p.kill()
        p.wait()
        p.stderr.close()


def test_worker_lost(master, faults, tmp_path):
    names = shards(tmp_path, "revisions", 300, ".jsonl.zst")
    spark = session(master, tmp_path)
    try:
        faults.at("lose", "jaccard")
        places = [tmp_path / d for d in ("out", "pairs", "decisions")]
        doppel.spark.fuzzy(spark, names, str(places[0]), pairs=str(places[1]), decisions=str(places[2]), parts=3)
        assert written(names, *places) == alone(names) and faults.happened("lose")
    finally:
        spark.stop()


@pytest.mark.slow
def test_worker_lost_objects(master, faults, fs, tmp_path, monkeypatch):
    """If the shards are objects, their copies are lost with the worker's disk and fetched again."""
    names = placed(fs, tmp_path, monkeypatch, "revisions", 300, ".jsonl.zst")
    spark = session(master, tmp_path)
    try:
        faults.at("lose", "jaccard")
        fuzzy_of_objects(spark, ".zst", parts=3)
        assert faults.happened("lose") and left(fs, names) == alone(names)
    finally:
        spark.stop()
