"""The modules csv and json read back the texts that are written for the program."""

import csv
import io
import json
import random
from typing import Any, Callable, List

import polars as pl
import pyarrow as pa
import pytest
from doppel import _texts
from doppel._columns import ArrowColumn, PolarsColumn

ALPHABETS = ['ab",\\\n\r\t/', "a\0\x01\x1f\x7f", "é見🙂\u2028\ufeff", "a\ud800\udc00", "".join(map(chr, range(200)))]
HELD: List[Callable[[List[str]], Any]] = [
    list,
    lambda texts: ArrowColumn(pa.array(texts, pa.string())),
    lambda texts: ArrowColumn(pa.chunked_array([texts[:2], texts[2:]], pa.large_string())),
    lambda texts: PolarsColumn(pl.Series("any", texts, pl.String)),
    lambda texts: PolarsColumn(pl.Series(texts, dtype=pl.Categorical)),
]


def read(blocks: Any) -> List[List[str]]:
    return list(csv.reader(io.StringIO(b"".join(blocks).decode("utf-8", "replace"), newline="")))


def drawn(alphabet: str) -> List[List[str]]:
    rng = random.Random(1)
    return [["".join(rng.choices(alphabet, k=rng.randrange(5))) for _ in range(rng.randrange(1, 6))] for _ in range(100)]


@pytest.mark.parametrize("held", HELD, ids=range(len(HELD)))
@pytest.mark.parametrize("alphabet", [*ALPHABETS, "".join(ALPHABETS)], ids=repr)
def test_rows(alphabet: str, held: Callable[[List[str]], Any]) -> None:
    for batch in drawn(alphabet):
        want = [_texts.encoded(t).decode("utf-8", "replace") for t in batch]
        column = held(batch if held is list else want)
        assert read(_texts.texts([column])) == [["text"], *([t] for t in want)]


@pytest.mark.parametrize("alphabet", ALPHABETS, ids=repr)
def test_ranked(alphabet: str) -> None:
    for batch in drawn(alphabet):
        ranks = [n / 3 for n in range(len(batch))]
        columns = {"%rank": _texts.literals([ranks[:2], ranks[2:]], "n"), "text": map(json.dumps, batch)}
        lines = b"".join(_texts.lines(columns)).splitlines()
        assert [json.loads(line) for line in lines] == [
            {"%rank": r, "text": json.loads(json.dumps(t))} for r, t in zip(ranks, batch)
        ]


def test_surrogates() -> None:
    """Surrogate pairs are joined as by a JSON decoder, and lone ones stay."""
    for batch in drawn("a\ud800\udc00\ud83d\ude42"):
        for t in batch:
            assert _texts.encoded(t).decode("utf-8", "surrogatepass") == json.loads(json.dumps(t))


def test_empty_batches() -> None:
    assert list(_texts.texts([[]])) == [b"text\n", b""]
