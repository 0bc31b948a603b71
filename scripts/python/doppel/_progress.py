"""Progress bars, drawn by tqdm."""

import os
import re
import subprocess
from typing import IO, Any, Iterable, Iterator

from ._texts import Batch

_PART = re.compile(rb"([\w-]+): +(\d+) %[^\r\n]*")


def shown(batches: Iterable[Batch], rows: int, show: bool) -> Iterator[Batch]:
    """Yield the batches. If show is true, a progress bar displays the number of rows yielded
    so far. rows is the total number of rows, or 0 if it is unknown."""
    if not show:
        yield from batches
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=rows or None, unit=" rows", desc="reading") as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))


def watch(process: "subprocess.Popen[bytes]", told: IO[bytes]) -> None:
    """Wait until the process ends. A second bar shows how far the program is with its own reading,
    as it reports it on standard error; it is full only at the end."""
    from tqdm.auto import tqdm

    with tqdm(total=100, unit=" %", desc="comparing", bar_format="{l_bar}{bar}| {postfix}[{elapsed}<{remaining}]") as bar:
        while True:
            try:
                process.wait(0.2)
                bar.update(100 - bar.n if process.returncode == 0 else 0)
                return
            except subprocess.TimeoutExpired:
                _update(bar, told)


def _update(bar: Any, told: IO[bytes]) -> None:
    import os

    size = os.fstat(told.fileno()).st_size
    found = _PART.findall(os.pread(told.fileno(), 4096, max(0, size - 4096)))
    if found:
        stage, percent = found[-1]
        bar.set_postfix_str(stage.decode() + " ", refresh=False)
        bar.n = min(int(percent), 99)
        bar.refresh()
