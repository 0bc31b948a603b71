"""Type checkers accept right calls, reject wrong ones, and know what comes back; the options are
those of the program."""

import os
import subprocess
import sys
from pathlib import Path
from typing import List, Tuple

import pytest

from doppel._program import program

HEAD = """
from pathlib import Path
from typing import Dict, Iterator, List
import doppel

rows: List[Dict[str, str]] = []
texts: Iterator[str] = iter([])
"""

# Expressions and their types.
RIGHT = [
    ('doppel.fuzzy(rows, recall=0.99, rank="n:desc", policy="components", against=rows)', "list[dict[str, str]]"),
    ("doppel.fuzzy(texts)", "Iterator[str]"),
    ('doppel.fuzzy(("a", "b"), within=["a", 3], mem="64M", jobs=2)', "tuple["),
    ('doppel.exact(rows, subset=["a", "b"], verify=True)', "list[dict[str, str]]"),
    ('doppel.decisions(rows, missing="keep")', "doppel._lines.Decision"),
    ("doppel.pairs(rows, recall=1, shingle='c5')", "doppel._lines.Pairs"),
    ('doppel.passages(rows, length="w9", snap="line")', "doppel._lines.Passage"),
    ('doppel.overlap(rows, ["a"], window="w9", df=0)', "doppel._lines.Overlap"),
]
WRONG = [
    "doppel.fuzzy(rows, treshold=0.9)",
    'doppel.fuzzy(rows, policy="best")',
    'doppel.fuzzy(rows, recall="high")',
    "doppel.fuzzy(rows, rank=[1])",
    "doppel.exact(rows, recall=0.9)",
    'doppel.decisions(rows, missing="ignore")',
    'doppel.labels(rows, save="x")',
    'doppel.pairs(rows, rank="first")',
    'doppel.passages(rows, keep="best")',
    "doppel.overlap(rows, rows, window=9)",
    "doppel.report(rows, report='x')",
]


def checked(checker: List[str], path: Path) -> List[Tuple[int, str]]:
    """Return the numbers of the lines with messages, and the messages."""
    out = subprocess.run([sys.executable, "-m", *checker, str(path)], capture_output=True, text=True, cwd=path.parent).stdout
    found = [line.strip().partition(".py:")[2] for line in out.splitlines() if ".py:" in line]
    return [(int(f.partition(":")[0]), f) for f in found if f.partition(":")[0].isdigit()]


@pytest.mark.parametrize("checker", [["mypy", "--strict", "--no-error-summary"], ["pyright", "--pythonpath", sys.executable]], ids=["mypy", "pyright"])
def test_calls(checker: List[str], tmp_path: Path) -> None:
    lines = [*(f"reveal_type({call})" for call, _ in RIGHT), *WRONG]
    (tmp_path / "calls.py").write_text(HEAD + "\n".join(lines) + "\n")
    first = len(HEAD.splitlines()) + 1
    found = checked(checker, tmp_path / "calls.py")
    errors = {at for at, message in found if "error" in message}
    assert errors == {first + len(RIGHT) + n for n in range(len(WRONG))}, found
    if checker[0] == "mypy":
        told = dict(found)
        for n, (call, kind) in enumerate(RIGHT):
            assert kind in told[first + n], call


def test_options_are_those_of_the_program() -> None:
    root = Path(__file__).resolve().parents[1]
    env = {**os.environ, "DOPPEL": program()}
    want = subprocess.run([sys.executable, root / "options"], capture_output=True, text=True, check=True, env=env).stdout
    assert (root / "doppel" / "_options.py").read_text() == want


def test_signatures() -> None:
    """Completion and help see each option by its name; unknown options are rejected as by Python."""
    import inspect

    import doppel

    for name in ("fuzzy", "exact", "decisions", "labels", "pairs", "passages", "overlap", "report"):
        function = getattr(doppel, name)
        parameters = inspect.signature(function).parameters
        assert len(parameters) > 10 and "options" not in parameters, name
        with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'normalise'; did you mean 'normalize'\?$"):
            function([{"text": "a"}], *[["a"]] * (name == "overlap"), normalise="none")
    assert doppel.__version__
