"""Tests of iterators as data, progress bars, Arrow tables and passages."""

import json
import re
from typing import Any, Dict, List

import datasets
import doppel
import pyarrow as pa
import pytest
import tqdm

Rows = List[Dict[str, Any]]


@pytest.mark.parametrize("options", [{}, {"rank": "weight:desc"}], ids=str)
def test_iterator(options: Dict[str, Any], rows: Rows) -> None:
    kept = doppel.fuzzy(iter(rows), **options)
    assert not isinstance(kept, list)
    assert list(kept) == doppel.fuzzy(rows, **options)
    assert list(doppel.exact((r for r in rows), text="text")) == doppel.exact(rows, text="text")
    assert doppel.decisions(iter(rows)) == doppel.decisions(rows)


def test_iterable_dataset(rows: Rows) -> None:
    data = datasets.Dataset.from_list(rows).to_iterable_dataset()
    assert list(doppel.fuzzy(data)) == doppel.fuzzy(rows)


def test_empty_iterator() -> None:
    assert list(doppel.fuzzy(iter([]))) == []


def test_failing_iterator() -> None:
    def rows() -> Any:
        yield {"text": "a"}
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        doppel.exact(rows())


def test_null_in_iterator() -> None:
    with pytest.raises(doppel.DataError, match="^row 1: text is null; missing="):
        doppel.fuzzy(iter([{"text": "a"}, {"txt": "b"}]))


def test_arrow(rows: Rows) -> None:
    made = doppel.decisions(rows, arrow=True)
    assert isinstance(made, pa.Table)
    assert [tuple(r.values()) for r in made.to_pylist()] == doppel.decisions(rows)
    assert [tuple(r.values()) for r in doppel.pairs(rows, arrow=True).to_pylist()] == doppel.pairs(rows)
    none = doppel.decisions([{"text": "a"}], arrow=True)
    assert none.num_rows == 0 and none.schema == made.schema


def test_progress(rows: Rows, jsonl: str, tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Bars are full only at the end, and do not state a number of rows that is not known."""
    assert tqdm  # the import is needed: fuzzy shows progress with it
    assert doppel.fuzzy(rows, progress=True) == doppel.fuzzy(rows)
    assert f"{len(rows)}/{len(rows)}" in capfd.readouterr().err
    assert list(doppel.exact(iter(rows), text="text", progress=True)) == doppel.exact(rows, text="text")
    shown = capfd.readouterr().err
    assert f"{len(rows)} rows [" in shown.replace("\\r", "\n"), shown
    assert not re.search(r"/200\b", shown) and "comparing: 100%" in shown
    assert doppel.fuzzy(jsonl, output=str(tmp_path / "kept.jsonl"), progress=True)
    assert "comparing: 100%" in capfd.readouterr().err
    with pytest.raises(doppel.Error, match="none.jsonl: no such file"):
        doppel.fuzzy("none.jsonl", output=str(tmp_path / "none"), progress=True)
    assert "100%" not in capfd.readouterr().err


def test_passages() -> None:
    shared = " ".join(f"naïve{n} 見る{n}" for n in range(9)) + " 🙂 "
    texts = ["ü " + shared + "end", "é " + shared.strip(), "other", "\ud800 " + shared]
    rows = [{"text": t} for t in texts]
    found = doppel.passages(rows, length=80, snap="utf8")
    assert [p.id for p in found] == [1, 3]
    for p in found:
        assert p.kept == 0 and p.reason == "passage>=80"
        assert texts[p.id][p.start : p.end] == texts[0][p.kept_start : p.kept_end]
        assert len(texts[p.id]) - 3 <= p.end - p.start + 2 <= len(texts[p.id]) + 1
    assert doppel.passages(iter(rows), length=80, snap="utf8") == found
    assert {(p.id, p.kept) for p in doppel.passages(rows, length=80, keep="none")} == {(n, None) for n in (0, 1, 3)}
    whole = doppel.passages(rows, length=80, min_left=50)
    assert [(p.id, p.start, p.end) for p in whole] == [(n, 0, len(texts[n])) for n in (1, 3)]


@pytest.mark.parametrize("ascii", [True, False])
def test_passages_by_bytes(ascii: bool, tmp_path: Any) -> None:
    """A cut that ends inside a JSON escape keeps the whole escape."""
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps({"text": f"ab{c}"}, ensure_ascii=ascii, separators=(",", ":")) + "\n" for c in "漢漣"))
    doppel.passages(source, output=output, length=3, snap="byte")
    left = b"\\u6f23" if ascii else "漣".encode()[2:]
    assert output.read_bytes() == source.read_bytes().splitlines(True)[0] + b'{"text":"' + left + b'"}\n'


def test_passages_of_files(tmp_path: Any) -> None:
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"text":"' + "ab " * 80 + '"}\n' + '{"text":"x ' + "ab " * 80 + '"}\n')
    assert doppel.passages(source, output=output) == output
    assert len(output.read_text()) < 300
