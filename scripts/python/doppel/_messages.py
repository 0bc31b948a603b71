"""Messages of the program in the words of the Python functions."""

import re
from contextlib import contextmanager
from typing import Iterator, Optional, Sequence

from ._errors import DataError, Error

_PARAMETERS = {"field": "text", "output": "output"}  # names that differ from those of the flags


@contextmanager
def translated(job: str, flags: Sequence[str], file: Optional[str] = None, row: str = "row") -> Iterator[None]:
    """Raise an Error of the program with its message in the words of Python: parameters in place of
    flags, and rows in place of the lines of a scratch file or of standard input."""
    try:
        yield
    except DataError:
        raise
    except Error as e:
        raise _translated(str(e), job, "--csv" in flags, file, row) from None


def _translated(text: str, job: str, csv: bool, file: Optional[str], row: str) -> Error:
    """Return the error in the words of Python.

    >>> str(_translated("recsieve: <stdin>:3: field x is null\\ndoppel: hint: try it", "fuzzy", False, None, "row"))
    'row 2: field x is null'
    >>> str(_translated("doppel fuzzy: --against-field x: wrong", "fuzzy", True, None, "row"))
    'against_field x: wrong'
    """
    lines = [re.sub(r"^(doppel )?[\w-]+: ", "", x) for x in text.splitlines() if not re.match(r"[\w ]+: (hint: |\d+ %)", x)]
    name = re.escape(file) if file else "<stdin>"
    found = []
    for line in lines:
        # A row of CSV may have several lines, so the program's number is not that of a row.
        line = re.sub(rf"^{name}:(\d+):", lambda m: f"{row} {int(m[1]) - 1}:" if not csv else f"{row}s:", line)
        line = re.sub(name, f"{row}s" if row == "row" else "against", line)
        line = re.sub(r"--([a-z][a-z-]*)", lambda m: _PARAMETERS.get(m[1], m[1].replace("-", "_")), line)
        found.append(line)
    if found and found[0].startswith(row + " "):
        return DataError("\n".join(found))
    return Error("\n".join(found) or f"{job}: failed without a message")
