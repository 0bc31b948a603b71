"""Functions that pass data to the program: files by name, and rows through scratch files."""

import os
from contextlib import contextmanager
from itertools import compress
from typing import IO, Any, Dict, FrozenSet, Iterator, List, Optional, Sequence, Tuple, Union

from . import _texts
from ._chain import Chain, scratch
from ._errors import DataError
from ._kinds import Kind, kind
from ._plan import LINES, PAIRS, ROWS, Option, decide, encoded, flags, stages
from ._program import run
from ._progress import shown

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]

_RANKS = ("first", "last", "longest")


def named(data: Any) -> bool:
    """Return whether data is the name of a file or a list of such names."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and len(data) > 0 and all(isinstance(d, (str, os.PathLike)) for d in data)


def _files(data: Paths) -> List[str]:
    """Return absolute names, so that none looks like a flag or like standard input."""
    return [encoded("data", os.path.abspath(f)) for f in ([data] if isinstance(data, (str, os.PathLike)) else data)]


def table_of(data: Any, output: Optional[Path]) -> Kind:
    """Return rows as a Kind. Raise TypeError if no Kind accepts the rows or if output is given."""
    if output is not None:
        raise TypeError("output applies only to data in files")
    return kind(data)


def rewrite(
    job: str, data: Paths, text: str, output: Optional[Path], progress: bool, options: Dict[str, Option]
) -> Path:
    """Run a job of the program on files, and return the name of its output."""
    if output is None:
        raise TypeError("data in files needs an output")
    if progress:
        raise TypeError("progress applies only to rows; for files the program shows it on a terminal")
    given = [f"--field={encoded('text', text)}", f"--output={encoded('output', os.path.abspath(output))}"]
    run([job, "--stats=none", *given, *flags(options), "--", *_files(data)])
    return output


def mask(table: Kind, dropped: Iterator[int]) -> bytearray:
    """Return a byte for each row, which is 0 if the row is dropped and 1 if it is kept."""
    mask = bytearray(b"\1") * len(table)
    for id in dropped:
        mask[id] = 0
    return mask


class Sizes:
    """The options cluster_size and force_field for rows. They are removed from the other
    options, because they are handled here and not by the program."""

    def __init__(self, table: Kind, options: Dict[str, Option]):
        self.name, force = options.pop("cluster_size", None), options.pop("force_field", False)
        if force and self.name is None:
            raise TypeError("force_field applies only with cluster_size")
        if self.name is not None and not force and self.name in list(table.names()):
            raise DataError(f"column {self.name!r} exists already; force_field=True replaces it")
        self._table = table
        self._more: Dict[int, int] = {}

    def note(self, kept: int) -> None:
        """Count a dropped row. kept is the number of the row that is kept instead."""
        if self.name is not None:
            self._more[kept] = self._more.get(kept, 0) + 1

    def select(self, mask: bytearray) -> Any:
        """Return the kept rows, with the cluster sizes if requested."""
        rows = self._table.select(mask)
        if self.name is None:
            return rows
        values = [1 + self._more.get(n, 0) for n in compress(range(len(mask)), mask)]
        return self._table.with_column(rows, str(self.name), values)


@contextmanager
def as_files(data: Any, columns: Sequence[str], suffix: str) -> Iterator[List[str]]:
    """Yield the names of the files if data consists of file names, or otherwise the name of a
    scratch file with the given columns of the rows."""
    if named(data):
        yield _files(data)
        return
    table = kind(data)
    texts = {column: _texts.checked(table.column(column), column) for column in columns}
    with scratch(suffix) as rows:
        rows.writelines(_texts.texts(texts[columns[0]], columns[0]) if suffix == ".csv" else _texts.fields(texts))
        rows.flush()
        yield [rows.name]


@contextmanager
def lines_of(data: Any, text: str, options: Dict[str, Option], scored: bool) -> Iterator[IO[bytes]]:
    """Yield a file with the decisions of fuzzy, or with the scored pairs if scored is true."""
    if not named(data):
        with decided(kind(data), text, options, scored) as lines:
            yield lines
        return
    arguments, files = [f"--field={encoded('text', text)}", *flags(options, _refused(LINES, scored))], _files(data)
    commands = stages(arguments, files, scored)
    if commands is None:
        with decided_whole("fuzzy", arguments, files) as lines:
            yield lines
        return
    with Chain(commands, -3) as c:
        pass
    with c.output as lines:
        yield lines


def _refused(always: FrozenSet[str], scored: bool) -> FrozenSet[str]:
    return always | PAIRS if scored else always


@contextmanager
def decided_whole(job: str, arguments: List[str], files: List[str]) -> Iterator[IO[bytes]]:
    """Yield a file with the decisions of a run of doppel fuzzy or exact on files."""
    with scratch(".tsv") as lines:
        decide(job, arguments, files, lines.name)
        with open(lines.name, "rb") as written:  # reopened, because the program replaced the file
            if not written.readline().startswith(b"#doppel sealed "):
                written.seek(0)
            yield written


@contextmanager
def decided(
    table: Kind, text: str, options: Dict[str, Option], scored: bool = False, progress: bool = False
) -> Iterator[IO[bytes]]:
    """Yield a file with the decisions of fuzzy on a table, or the scored pairs if scored is true.

    The texts are passed to the first stage, which signs them, and at the same time written to a
    scratch file. The next stages read that file, so they start when it is complete. The column
    in the file has its original name, because the program expects a field of the same name in
    the files that the option "against" names.
    """
    given = [f for f in flags(options, _refused(ROWS, scored)) if not f.startswith("--rank=")]
    given.append(f"--field={escaped(text)}")
    texts = _texts.checked(shown(table.column(text), len(table), progress), text)
    blocks, end, rank = ranked(table, texts, text, str(options.get("rank", "first")))
    given.append(f"--rank={rank}")
    with scratch(end) as records:
        commands = stages([*given, *["--csv"][end != ".csv" :]], [records.name], scored)
        if commands is None:
            records.writelines(blocks)
            records.flush()
            with decided_whole("fuzzy", given, [records.name]) as lines:
                yield lines
            return
        with Chain([commands[0][:-1]], -1) as c:
            c.feed(blocks, copy=records)
        records.flush()
        with c.output as signatures, Chain(commands[1:], signatures) as c:
            pass
        with c.output as lines:
            yield lines


def ranked(table: Kind, texts: _texts.Texts, text: str, rank: str) -> Tuple[Iterator[bytes], str, str]:
    """Return three values: blocks of the records for the program, the suffix for a file of these
    blocks, and the value of --rank. The value of --rank names a field of the records, not a column.
    """
    if rank in _RANKS:
        return _texts.texts(texts, text), ".csv", rank
    name, way = _ranking(rank)
    return _texts.ranked(texts, table.column(name), text, name), ".jsonl", escaped(name) + way


def _ranking(rank: str) -> Tuple[str, str]:
    """Return the column that a rank names, and the suffix of the rank, such as :desc."""
    name, colon, way = rank.rpartition(":") if rank.endswith((":desc", ":asc")) else (rank, "", "")
    return name, colon + way


def escaped(column: str) -> str:
    """Return the field path for a column: its name with each "." and "[" escaped."""
    return encoded("text", str(column).replace(".", "\\.").replace("[", "\\["))
