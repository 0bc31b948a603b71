"""Test data for deduplication."""

import json
import random
from typing import Any, Dict, List

import doppel
import pytest

Row = Dict[str, Any]
WORDS = [a + b for a in "b d f k l m n p r s t z bl gr st".split() for b in "ab ek im on ur ay eel oth".split()]


def near(rng: random.Random, text: str) -> str:
    """Return a text with one or two words changed and with double spaces between words."""
    words = text.split()
    for _ in range(rng.randint(1, 2)):
        words[rng.randrange(len(words))] = rng.choice(WORDS)
    return "  ".join(words)


def texts(count: int) -> List[str]:
    """Return random texts, among them copies, near copies, and unusual texts."""
    rng = random.Random(count)
    made = ["", "", "one", "with\nLF and\r\nCR LF", "with\nLF and\r\nCR LF", "naïve 見る 🙂 x y z", "naïve 見る 🙂 x y z", '"\\\t\x00']
    while len(made) < count:
        kind = rng.random()
        old = rng.choice(made)
        if kind < 0.1:
            made.append(old)
        elif kind < 0.4 and len(old.split()) > 40:
            made.append(near(rng, old))
        else:
            made.append(" ".join(rng.choices(WORDS, k=rng.randint(30, 120))))
    rng.shuffle(made)
    return made


@pytest.fixture(scope="session")
def rows() -> List[Row]:
    """Return 3,500 rows. A list of them is read in 18 batches; the last one is not full."""
    return [{"n": n, "text": t, "weight": len(t) * 7 % 11} for n, t in enumerate(texts(3500))]


@pytest.fixture(scope="session")
def jsonl(rows: List[Row], tmp_path_factory: pytest.TempPathFactory) -> str:
    name = tmp_path_factory.mktemp("data") / "rows.jsonl"
    name.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return str(name)


def command_line(*arguments: str) -> List[int]:
    """Return the numbers of the rows that the command keeps."""
    output = doppel.run([*arguments[:1], "--stats=none", *arguments[1:]])
    return [json.loads(line)["n"] for line in output.splitlines()]
