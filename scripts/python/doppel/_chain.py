"""Run chains of processes, and leave no process behind after a failure or an interrupt."""

import fcntl
import signal
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import IO, Iterable, Iterator, List, Optional, Sequence, Type, Union

from ._program import check, program
from ._progress import watch

Source = Union[IO[bytes], int]


class Chain:
    """Programs joined by pipes. The output of the last program and all messages go to unnamed
    files, so no program waits for its output to be read, and the method feed cannot deadlock.

    At the end of the with block, the chain waits until every process has ended. After an
    exception, it first kills the processes.
    """

    def __init__(self, commands: Sequence[Sequence[str]], source: Source, progress: bool = False):
        self._progress = progress
        self.output: IO[bytes] = tempfile.TemporaryFile()
        self._told: List[IO[bytes]] = []
        self._processes: List["subprocess.Popen[bytes]"] = []
        try:
            for n, command in enumerate(commands):
                source = self._start(command, source, last=n == len(commands) - 1)
        except BaseException:
            self._kill()
            raise

    def _start(self, command: Sequence[str], source: Source, last: bool) -> Source:
        self._told.append(tempfile.TemporaryFile())
        sink = self.output if last else subprocess.PIPE
        p = subprocess.Popen(command, stdin=source, stdout=sink, stderr=self._told[-1])
        if self._processes and not isinstance(source, int):
            source.close()  # so that only the new process holds this end of the pipe
        self._processes.append(p)
        _widen(p.stdin)
        return p.stdout or subprocess.DEVNULL

    def feed(self, blocks: Iterable[bytes], copy: Optional[IO[bytes]] = None) -> None:
        """Write blocks to the first process and, if copy is given, to that file too. A process that
        stops reading has failed, and the end of the with block raises its error."""
        entry = self._processes[0].stdin
        assert entry is not None
        try:
            for block in blocks:
                entry.write(block)
                if copy:
                    copy.write(block)
            entry.close()
        except BrokenPipeError:
            pass

    def __enter__(self) -> "Chain":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if kind:
            self._kill()
            return
        try:
            self._wait()
        except BaseException:
            self._kill()
            raise
        self.output.seek(0)

    def _wait(self) -> None:
        for p, told in zip(self._processes, self._told):
            watch(p, told) if self._progress else p.wait()
        # SIGPIPE ends a process if a later process has failed, so other errors are reported first.
        for p, told in sorted(zip(self._processes, self._told), key=lambda x: x[0].returncode == -signal.SIGPIPE):
            told.seek(0)
            check(p.returncode, told.read() if p.returncode else b"")

    def _kill(self) -> None:
        for p in self._processes:
            p.kill()
            p.wait()
            for end in (p.stdin, p.stdout):
                if end:
                    _close(end)


def watched(arguments: Sequence[str]) -> None:
    """Run doppel on files with a progress bar. Raise Error if it fails."""
    with tempfile.TemporaryFile() as told:
        command = [program(), arguments[0], "--progress", *arguments[1:]]
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=told)
        try:
            watch(p, told)
        except BaseException:
            p.terminate()  # not killed, so that it can end its own processes
            p.wait()
            raise
        told.seek(0)
        check(p.returncode, told.read())


def _widen(end: Optional[IO[bytes]]) -> None:
    """Enlarge the buffer of a pipe if the system allows it, so that both ends wait less often."""
    if end and hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # the sum of the buffers of a user is limited
            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)


def _close(end: IO[bytes]) -> None:
    try:
        end.close()
    except BrokenPipeError:
        pass  # the rest of the input is not needed


@contextmanager
def scratch(suffix: str) -> Iterator[IO[bytes]]:
    """Yield a temporary file with a name that ends in suffix."""
    with tempfile.NamedTemporaryFile(prefix="doppel-", suffix=suffix) as f:
        yield f
