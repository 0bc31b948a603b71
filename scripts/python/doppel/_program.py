"""Functions that find the program and run it."""

import os
import re
import shutil
import subprocess
import sysconfig
from importlib import metadata
from typing import Iterator, Optional, Sequence

from ._errors import Error


def program() -> str:
    """Return the path of the program: $DOPPEL if it is set, or otherwise the program
    installed with this package, or otherwise the program on PATH.

    >>> os.path.basename(program()).startswith("doppel")
    True
    """
    for name in _places():
        if os.access(name, os.X_OK) and os.path.isfile(name):
            return name
    if "DOPPEL" in os.environ:
        raise Error(f"DOPPEL={os.environ['DOPPEL']}: is not a program; unset the variable, or set it to the path of doppel")
    raise Error("the program doppel is not installed: pip install doppel-dedup installs it, or DOPPEL may name it")


def version() -> str:
    """Return the version of the package, or of the program if the package is not installed.

    >>> bool(version())
    True
    """
    try:
        return metadata.version("doppel-dedup")
    except metadata.PackageNotFoundError:
        return run(["--version"]).decode().split()[1]


def _places() -> Iterator[str]:
    if "DOPPEL" in os.environ:
        yield os.environ["DOPPEL"]
        return
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(sysconfig.get_path("scripts"), "doppel")
    yield os.path.join(above, "bin", "doppel")  # installed by pip install --target
    yield os.path.join(sysconfig.get_path("scripts", f"{os.name}_user"), "doppel")
    yield shutil.which("doppel") or ""


def run(arguments: Sequence[str], input: Optional[bytes] = None, excused: Optional[str] = None) -> bytes:
    """Run doppel with these arguments, and return its output.

    input is the standard input of doppel, empty by default. The first argument may be the
    name of any tool.

    Raises Error, with the program's messages on standard error, if the program fails. Exit status 2
    is no failure if all messages match the regular expression excused.

    >>> run(["recsign", "-m", "exact", "--lines"], b"one text\\n").split()[0]
    b'0'
    """
    if isinstance(arguments, str):
        raise TypeError(f"{arguments[:40]!r}: want a list of arguments, such as {arguments.split()[:3]!r}")
    p = subprocess.Popen(
        [program(), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        output, told = p.communicate(input or b"")
    except BaseException:
        p.terminate()  # not killed, so that it can end its own processes
        p.communicate()
        raise
    messages = told.decode("utf-8", "replace").splitlines()
    if not (p.returncode == 2 and excused and messages and all(re.search(excused, m) for m in messages)):
        check(p.returncode, told)
    return output


def check(status: int, told: bytes) -> None:
    """Raise Error if the exit status of a program is not 0."""
    if status:
        message = told.decode("utf-8", "replace").strip()
        raise Error(message or f"doppel: exit status {status}")
