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
    assert all(len(line) == columns for line in want)
    assert by_pandas(file) == want
    assert by_duckdb(file) == want


def by_pandas(file: Path) -> List[List[str]]:
    frame = pd.read_csv(file, sep="\t", header=None, quoting=csv.QUOTE_NONE, dtype=str, keep_default_na=False)
    return [list(row) for row in frame.to_numpy()]


def by_duckdb(file: Path) -> List[List[str]]:
    rows: List[Any] = duckdb.read_csv(str(file), sep="\t", header=False, quotechar="", escapechar="", all_varchar=True).fetchall()
    return [[value or "" for value in row] for row in rows]


def test_ids(tmp_path: Path) -> None:
    ids = ['"', 'a"b', '"c"', "'", "#x", "# y", "{z", "tab\there", "back\\slash", "line\nend", "caf\u00e9", "NULL", "nan", "-", " ", "a,b;c"]
    data, lists = tmp_path / "data.jsonl", (tmp_path / "ids", tmp_path / "ids.jsonl")
    data.write_text("".join(json.dumps({"id": id, "text": f"text {n}"}) + "\n" for n, id in enumerate(ids)))
    for file in lists:
        doppel.run(["recsign", "-m", "exact", "--id", "id", "-o", str(file), str(data)])
    want = [id.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n") for id in ids]
    assert [row[0] for row in by_pandas(lists[0])] == want
    assert [row[0] for row in by_duckdb(lists[0])] == want
    assert list(pd.read_json(lists[1], lines=True, dtype=False)["id"]) == ids
    assert [row[0] for row in duckdb.read_json(str(lists[1]), format="newline_delimited", columns={"id": "VARCHAR"}).fetchall()] == ids


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
