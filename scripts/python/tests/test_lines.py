"""The fast way of escaping against json."""

import json
import random

import pytest
from doppel import _lines

ALPHABETS = ["ab\"\\\n\r\t/", "a\0\x01\x1f\x7f", "é見🙂\u2028", "a\ud800\udc00", "".join(map(chr, range(200)))]


@pytest.mark.parametrize("alphabet", [*ALPHABETS, "".join(ALPHABETS)], ids=repr)
def test_texts(alphabet: str) -> None:
    rng = random.Random(1)
    for _ in range(300):
        batch = ["".join(rng.choices(alphabet, k=rng.randrange(5))) for _ in range(rng.randrange(1, 6))]
        lines = b"".join(_lines.texts([batch])).splitlines()
        assert [json.loads(line) for line in lines] == [{"text": json.loads(json.dumps(t))} for t in batch]
        numbered = b"".join(_lines.numbered([batch, batch])).splitlines()
        assert [json.loads(n) for n in numbered] == [
            {"row": n, "text": json.loads(json.dumps(t))} for n, t in enumerate(batch * 2)
        ]


def test_empty_batches() -> None:
    assert list(_lines.texts([[]])) == []
    assert list(_lines.numbered([[]])) == [b""]
