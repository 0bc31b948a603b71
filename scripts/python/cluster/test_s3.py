"""Tests of the recipe for S3 in doppel-cluster(7), with a local server."""

import os
import re
import subprocess

import pytest
from conftest import REAL, ROOT, shards


@pytest.fixture(scope="module")
def env():
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_REGION": "us-east-1"}
    env = {**os.environ, **keys, "S3_ENDPOINT_URL": f"http://{host}:{port}", "DOPPEL": ""}
    subprocess.run(["s5cmd", "mb", "s3://bucket"], env=env, check=True, capture_output=True)
    yield env
    server.stop()


@pytest.fixture(scope="module")
def recipe():
    page = (ROOT / "man/doppel-cluster.7").read_text()
    return next(b for b in re.findall(r"\.Bd -literal.*?\n(.*?)\.Ed", page, re.S) if "s5cmd cat" in b)


def put(env, name, content):
    subprocess.run(["s5cmd", "pipe", f"s3://bucket/{name}"], input=content, env=env, check=True, capture_output=True)


def run(env, recipe, source, records):
    more = {"IN": f"s3://bucket/{source}", "OUT": "s3://bucket/out.zst", "RECORDS": str(records)}
    subprocess.run(["s5cmd", "rm", "s3://bucket/out.zst"], env=env, capture_output=True)
    p = subprocess.run(["bash", "-c", recipe], env={**env, **more}, capture_output=True, text=True)
    got = subprocess.run(["s5cmd", "cat", "s3://bucket/out.zst"], env=env, capture_output=True)
    return p, got.stdout if got.returncode == 0 else None


def test_whole(env, recipe, tmp_path):
    names = shards(tmp_path, "revisions", 300, ".jsonl.zst")
    for name in names:
        put(env, "in/" + os.path.basename(name), open(name, "rb").read())
    p, got = run(env, recipe, "in/*.zst", 300)
    assert p.returncode == 0, p.stderr
    kept = subprocess.run([REAL, "reccat", "--lines"], input=got, capture_output=True, check=True).stdout
    order = sorted(names)  # in the order of the objects' keys
    want = subprocess.run([REAL, "exact", "--stats=none", "--field=text", *order], capture_output=True, check=True).stdout
    assert kept == want != b""


@pytest.mark.parametrize("cut", ["zst", "lines", "missing"])
def test_not_whole(env, recipe, tmp_path, cut):
    """The chain fails and writes no object if a zstd frame is truncated, if a file is truncated
    at a line end, or if a key is missing."""
    name = shards(tmp_path, "revisions", 300, ".jsonl.zst" if cut == "zst" else ".jsonl", files=1)[0]
    content = open(name, "rb").read()
    short = content[: len(content) // 2] if cut == "zst" else b"".join(content.splitlines(True)[:200])
    if cut != "missing":
        put(env, "cut", short)
    p, got = run(env, recipe, "cut" if cut != "missing" else "none", 300)
    assert p.returncode != 0 and got is None
    told = {"zst": "unexpected EOF", "lines": "read 200 records: want 300 or more", "missing": "read 0 records: want "}
    assert told[cut] in p.stderr
