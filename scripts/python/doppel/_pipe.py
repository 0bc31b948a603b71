"""Commands joined by pipes, in a task that an engine such as Spark may end at any time.

PySpark's own rdd.pipe is not used, because it runs a command without PATH, decodes its
output, and ignores its exit status, so a missing program looks like a command without output.
"""

import os
import shlex
import subprocess
import tempfile
from contextlib import contextmanager
from typing import Iterable, Iterator, List, Optional, Sequence

from ._program import check, program


def local() -> str:
    """Return the directory for scratch files. If Spark has such directories, return the first one,
    because Spark removes them when the application ends."""
    return os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or tempfile.gettempdir()


@contextmanager
def room() -> Iterator[str]:
    """Yield a temporary directory."""
    with tempfile.TemporaryDirectory(prefix="doppel-", dir=local()) as name:
        yield name


def write(name: str, lines: Iterable[bytes]) -> None:
    """Write a file atomically."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(name), prefix=".doppel-", delete=False) as f:
        try:
            f.writelines(lines)
            f.flush()
        except BaseException:
            os.unlink(f.name)
            raise
    os.replace(f.name, name)


def piped(
    commands: Sequence[Sequence[str]],
    blocks: Optional[Iterable[bytes]],
    told: List[str],
    proof: Optional[str] = None,
    cwd: Optional[str] = None,
) -> Iterator[bytes]:
    r"""Run commands joined by pipes, in the directory cwd, and yield the lines of their
    output. blocks is the input of the first command; it is written to a scratch file first, so
    that writing the input and reading the output cannot block each other. If blocks is None, the
    input is empty. In commands, doppel stands for the program of this package, which need not be
    on PATH.

    The messages of the commands are appended to the parameter told. Raises Error with the messages
    if a command failed, unless the exit status is 2 and a file with the name in proof exists.

    >>> list(piped([["printf", "b\na\n"], ["sort"]], None, []))
    [b'a\n', b'b\n']
    """
    pipe = " | ".join(map(shlex.join, commands))
    words = ["bash", "-o", "pipefail", "-c", 'doppel() { "$DOPPEL_PROGRAM" "$@"; }; ' + pipe]
    env = {**os.environ, "LC_ALL": "C", "DOPPEL_PROGRAM": os.path.abspath(program()), "TMPDIR": local()}
    with tempfile.TemporaryFile(dir=local()) as source, tempfile.TemporaryFile(dir=local()) as err:
        source.writelines(blocks or ())
        source.seek(0)
        p = subprocess.Popen(words, stdin=source, stdout=subprocess.PIPE, stderr=err, env=env, cwd=cwd)
        assert p.stdout
        try:
            yield from p.stdout
        finally:
            p.stdout.close()  # if the task was abandoned, this ends the commands
            status = p.wait()
        err.seek(0)
        messages = err.read()
        check(0 if status == 2 and proof and os.path.exists(proof) else status, messages)
        told += messages.decode("utf-8", "replace").splitlines()
