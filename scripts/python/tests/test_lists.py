"""Programs that read tables read every list that a tool writes, as TSV and as JSON lines."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any, List

import doppel
import duckdb
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[3]
LISTS = [line.split("\t")[:4] for line in (ROOT / "cmd/testdata/lists.tsv").read_text().splitlines()]


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with every list, as TSV and as JSON lines."""
    made = tmp_path_factory.mktemp("lists")
    for name in ("articles.jsonl", "copy.jsonl", "inbox.mbox"):
        for place in (".", "one", "two"):
            (made / place).mkdir(exist_ok=True)
            shutil.copy(ROOT / "testdata/golden/inputs" / name, made / place)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        for name, _, _, command in LISTS:
            for file in (name, f"{name}.jsonl"):
                try:
                    doppel.run(command.removeprefix("doppel ").replace("FILE", file).split())
                except doppel.Error as e:
                    assert file != name and "the list is not JSON lines" in str(e), command
    return made


@pytest.mark.parametrize(("name", "columns"), [(x[0], int(x[1])) for x in LISTS])
def test_tables(lists: Path, name: str, columns: int) -> None:
    file = lists / name
    want = [line.split("\t") for line in file.read_text().splitlines()]
    frame = pd.read_csv(file, sep="\t", header=None, quoting=csv.QUOTE_NONE, dtype=str, keep_default_na=False)
    assert frame.shape == (len(want), columns)
    assert frame.to_numpy().tolist() == want
    rows: List[Any] = duckdb.read_csv(str(file), sep="\t", header=False, quotechar="", escapechar="", all_varchar=True).fetchall()
    assert [[value or "" for value in row] for row in rows] == want


@pytest.mark.parametrize("name", [x[0] for x in LISTS])
def test_objects(lists: Path, name: str) -> None:
    file = lists / f"{name}.jsonl"
    if not file.exists():
        return  # the list has only one form
    want = [json.loads(line) for line in file.read_text().splitlines()]
    frame = pd.read_json(file, lines=True, dtype=False)
    assert list(frame.columns) == list(want[0]) and len(frame) == len(want)
    found = duckdb.read_json(str(file), format="newline_delimited", sample_size=-1)
    assert found.columns == list(want[0]) and len(found.fetchall()) == len(want)
