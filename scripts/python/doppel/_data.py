"""Functions that pass data to the program: files by name, and rows through a pipe.

All data that is not in files has one form on its way: records() writes the columns that a job needs
as CSV or JSON lines, and the results come back as row numbers. Any column may hold the texts, the
ranks or the groups, whatever its name is.
"""

import json
import os
import re
from contextlib import ExitStack, contextmanager
from itertools import compress, count
from typing import Any, Dict, Hashable, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _texts
from ._chain import Chain, scratch, watched
from ._errors import DataError
from ._kinds import Kind, Splits, kind, zipped
from ._messages import translated
from ._options import RANKS
from ._plan import ROWS, Option, encoded, flags
from ._program import program, run
from ._progress import shown

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]

_DATA = re.compile(r"\.(jsonl|ndjson|json|csv|tsv|parquet)(\.(gz|zst))?$", re.I)


def named(data: Any, output: Optional[Path] = None) -> bool:
    """Return whether data is the name of a file or a list of such names. A Path is a name; so is a
    str with the suffix of a data format, in a list if one of the files exists. If output is given,
    every str is a name. Raise TypeError for any other str.
    """
    if isinstance(data, os.PathLike):
        return True
    if isinstance(data, str):
        if output is None and not _DATA.search(data) and not os.path.exists(data):
            raise TypeError(f"{data[:40]!r}: is neither rows nor a file; want [text] for a text, or a pathlib.Path for a file")
        return True
    if not isinstance(data, (list, tuple)) or not data or not all(isinstance(d, (str, os.PathLike)) for d in data):
        return False
    if output is not None or any(isinstance(d, os.PathLike) for d in data):
        return True
    return all(_DATA.search(d) for d in data) and any(map(os.path.exists, data))


def files_of(data: Paths) -> List[str]:
    """Return absolute names, so that none looks like a flag or like standard input."""
    return [encoded("data", os.path.abspath(f)) for f in ([data] if isinstance(data, (str, os.PathLike)) else data)]


def table_of(data: Any, output: Optional[Path] = None) -> Kind:
    """Return rows as a Kind. Raise TypeError if no Kind accepts the rows or if output is given."""
    if output is not None:
        raise TypeError("output applies only to data in files")
    return kind(data)


def rewrite(
    job: str, data: Paths, fields: Sequence[str], output: Optional[Path], progress: bool, options: Dict[str, Option]
) -> Path:
    """Run a job of the program on files, and return the name of its output."""
    if output is None:
        raise TypeError("data in files needs an output")
    given = [*fields, f"--output={encoded('output', os.path.abspath(output))}"]
    with translated(job, []):
        (watched if progress else run)([job, "--stats=none", *given, *flags(job, options), "--", *files_of(data)])
    return output


def fields_of(text: Any) -> List[str]:
    """Return text, a path or a list of paths, as flags for files."""
    return [f"--field={encoded('text', str(t))}" for t in (text if isinstance(text, list) else [text])]


def mask(table: Kind, dropped: Iterable[int]) -> bytearray:
    """Return a byte for each row, which is 0 if the row is dropped and 1 if it is kept."""
    mask = bytearray(b"\1") * len(table)
    for id in dropped:
        mask[id] = 0
    return mask


class Sizes:
    """The options cluster_size and force_field for rows. They are removed from the other
    options, because they are handled here and not by the program."""

    def __init__(self, table: Kind, options: Dict[str, Any]):
        self.name, force = options.pop("cluster_size", None), options.pop("force_field", False)
        if force and self.name is None:
            raise TypeError("force_field applies only with cluster_size")
        if self.name is not None and not force and table.has(self.name):
            raise DataError(f"column {self.name!r} exists already; force_field=True replaces it")
        self._table = table
        self._more: Dict[int, int] = {}

    def note(self, kept: int) -> None:
        """Count a dropped row. kept is the number of the row that is kept instead."""
        if self.name is not None:
            self._more[kept] = self._more.get(kept, 0) + 1

    def select(self, mask: bytearray) -> Any:
        """Return the kept rows, with the cluster sizes if requested."""
        if self.name is None:
            return self._table.select(mask)
        return self._table.with_column(mask, self.name, [1 + self._more.get(n, 0) for n in compress(range(len(mask)), mask)])


class Records(NamedTuple):
    """The records of a job."""

    blocks: Iterator[bytes]
    flags: List[str]
    """The flags that tell the program how to read the records."""
    dropped: List[int]
    """The rows that missing="drop" drops. They are known when all blocks have been read."""


def records(table: Kind, text: Any, options: Dict[str, Any], progress: bool = False, numbered: bool = False) -> Records:
    """Return the records with the texts and the other columns that options name: rank, within and
    across, which are removed from options, as missing is. A text alone is written as CSV.

    text is the name of a column, a path such as messages[].content into the values of a column, or
    a list of these. A column with exactly that name is preferred to a path. If numbered is true,
    each record begins with its row number.
    """
    fields = [_field(table, t) for t in (text if isinstance(text, list) else [text])]
    if not fields:
        raise TypeError("text is empty: want at least one column")
    missing, dropped = options.pop("missing", "error"), []  # type: str, List[int]
    if missing not in ("error", "keep", "drop"):
        raise ValueError(f"missing={missing!r}: want 'error', 'keep' or 'drop'")
    columns: Dict[str, Iterator[str]] = {_free("row", {f.key for f in fields}): map(str, count())} if numbered else {}
    given = _grouped(table, options, columns, {f.key for f in fields})
    texts: Dict[str, Iterator[_texts.Batch]] = {}
    for n, f in enumerate(fields):
        batches = shown(table.column(f.column), len(table) if table.sized else 0, progress) if n == 0 else table.column(f.column)
        if f.nested:
            if missing == "drop":
                raise TypeError(f"missing='drop' applies to columns, not to the path {f.path!r}; missing='keep' keeps such rows")
            columns[f.key] = _texts.nested(batches)
        else:
            filled = batches if missing == "error" else _texts.filled(batches, f.column, missing, dropped)
            texts[f.key] = _texts.checked(filled, f.column)
        given.append(f"--field={f.path}")
    if any(f.nested for f in fields) and missing != "error":
        given.append(f"--missing={missing}")
    if len(texts) == 1 and not columns:
        return Records(_texts.texts(next(iter(texts.values())), next(iter(texts))), [*given, "--csv"], dropped)
    columns.update((key, map(json.dumps, _texts.values(batches))) for key, batches in texts.items())
    return Records(_texts.lines(columns), given, dropped)


class _Field(NamedTuple):
    column: Any
    path: str
    """The path of the values in the records."""
    key: str
    """The name of the column in the records."""
    nested: bool


def _field(table: Kind, name: Any) -> _Field:
    """Return the field with the name or path. Raise DataError if there is no such column."""
    if not isinstance(name, Hashable) or type(name).__name__ == "Expr":
        raise TypeError(f"{type(name).__name__}: want the name of a column, not its values")
    if table.only:
        if name != "text":
            raise DataError(f"no column {name!r}: the data is {table.only}")
        name = table.names()[0]
    elif not table.has(name) and isinstance(name, str):
        root = re.match(r"(?:\\.|[^.\[\\])*", name)
        column = re.sub(r"\\(.)", r"\1", root[0]) if root else name
        if column != name and table.has(column):
            return _Field(column, encoded("text", name), column, True)
        if len(table):
            raise DataError(f"no column {name!r}; the columns are: {', '.join(map(str, table.names())) or 'none'}")
    return _Field(name, escaped(name), str(name), False)


def _grouped(table: Kind, options: Dict[str, Any], columns: Dict[str, Iterator[str]], taken: Iterable[str]) -> List[str]:
    """Add the columns of rank, within and across, under names that are not taken, and return flags."""
    given, taken = [], set(taken)
    for how in ("within", "across"):
        names = options.pop(how, None)
        if names is None:
            continue
        names = names if isinstance(names, list) else [names]
        held = [_field(table, n) for n in names]
        if len(held) == 1 and held[0].nested:
            given.append(f"--{how}={_add_nested(table, held[0], columns, taken)}")
        else:
            name = _free(how, taken)
            rows = zipped([table.column(f.column) for f in held])
            columns[name] = map(json.dumps, _texts.keys(rows, names, null=False))
            given.append(f"--{how}={name}")
    rank = options.pop("rank", next(iter(RANKS)))
    if isinstance(rank, str) and rank in RANKS:
        return [*given, f"--rank={rank}"]
    column, way = _ranking(table, rank)
    field = _field(table, column)
    if field.nested:
        return [*given, f"--rank={_add_nested(table, field, columns, taken)}{way}"]
    name = _free("rank", taken)
    columns[name] = _texts.literals(table.ranks(field.column), field.column)
    return [*given, f"--rank={name}{way}"]


def _add_nested(table: Kind, field: _Field, columns: Dict[str, Iterator[str]], taken: "set[str]") -> str:
    """Add the column of the path under its own name, unless the texts are in it, too. Return the path."""
    columns[field.key] = _texts.nested(table.column(field.column))
    taken.add(field.key)
    return field.path


def _free(name: str, taken: "set[str]") -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _ranking(table: Kind, rank: Any) -> Tuple[Any, str]:
    """Return the column that a rank names, and the suffix of the program's rank. A tuple names a
    column and the order, for columns whose names end with :desc."""
    if isinstance(rank, tuple) and len(rank) == 2 and rank[1] in ("asc", "desc") and not table.has(rank):
        return rank[0], ":desc" if rank[1] == "desc" else ""
    if isinstance(rank, str) and rank.endswith((":desc", ":asc")) and not table.has(rank):
        column, _, way = rank.rpartition(":")
        return column, ":desc" if way == "desc" else ""
    return rank, ""


def escaped(column: Any) -> str:
    """Return the field path for a column: its name with each "." and "[" escaped."""
    return encoded("text", str(column).replace(".", "\\.").replace("[", "\\["))


@contextmanager
def decided(
    job: str, table: Kind, text: Any, options: Dict[str, Any], progress: bool = False, alone: bool = True, **outputs: str
) -> Iterator[Records]:
    """Run a job of the program on rows, and yield the records when they have been read. outputs are
    names of scratch files for outputs of the program, such as decisions. If alone is true, the splits
    of a DatasetDict are compared each alone, unless options say how to compare them."""
    options = dict(options)
    if alone and isinstance(table, Splits):
        _separate(options)
    saved = bool(options.keys() & {"save", "scores", "groups", "report"} - outputs.keys())
    if options.get("no_sync") and not saved:
        raise TypeError("no_sync does nothing without save, scores, groups or report")
    with ExitStack() as stack:
        old = options.pop("against", None)
        against = [] if old is None else stack.enter_context(old_records(job, old, text, options))
        r = records(table, text, options, progress)
        given = [*(f"--{name}={value}" for name, value in outputs.items()), *r.flags, *against, *flags(job, options, ROWS)]
        command = [program(), job, "--output=/dev/null", "--stats=none", *["--no-sync"] * (not saved), *["--progress"] * progress, *given]
        if not against:
            with translated(job, r.flags), Chain([[*command, "-"]], -1, progress) as c:
                c.feed(r.blocks)
        else:  # in a file, because the flag --csv would apply to the old records, too
            name = stack.enter_context(written(r))
            with translated(job, r.flags, name), Chain([[x for x in command if x != "--csv"] + [name]], -3, progress):
                pass
        if against and "decisions" in outputs:
            _rename_old(outputs["decisions"], against[0].partition("=")[2])
        yield r


def _rename_old(decisions: str, name: str) -> None:
    """Name the old rows of a scratch file against:ROW in decisions."""
    if not os.path.basename(name).startswith("doppel-"):
        return
    with open(decisions, "rb") as f:
        lines = f.read()
    with open(decisions, "wb") as f:
        f.write(lines.replace(b"\t" + os.fsencode(name) + b":", b"\tagainst:"))


@contextmanager
def written(r: Records) -> Iterator[str]:
    """Yield the name of a scratch file with the records, whose suffix tells the program its format."""
    with scratch(".csv" if "--csv" in r.flags else ".jsonl") as f:
        f.writelines(r.blocks)
        f.flush()
        yield f.name


def _separate(options: Dict[str, Any]) -> None:
    """Compare only the rows of the same split, unless across is given."""
    within = options.get("within", [])
    within = within if isinstance(within, list) else [within]
    if "across" not in options and "split" not in within:
        options["within"] = ["split", *within]


def separated(data: Any, options: Dict[str, Any], function: Any) -> Any:
    """Return what the function returns for each split of a DatasetDict, or None if the data has no
    splits or if within or across compares rows of several splits."""
    if not any(c.__name__ == "DatasetDict" for c in type(data).__mro__) or "across" in options or "split" in str(options.get("within")):
        return None
    return type(data)({name: function(split) for name, split in data.items()})


@contextmanager
def old_records(job: str, old: Any, text: Any, options: Dict[str, Any]) -> Iterator[List[str]]:
    """Yield the flags that name old records, which are files or rows. A list of str without white
    space names files, because a misspelt name must not be taken for a text. The rows are written to
    a scratch file; exact reads the hashes of their texts, and hashes the files of data."""
    names = old if isinstance(old, (list, tuple)) else [old]
    if names and all(isinstance(o, os.PathLike) or isinstance(o, str) and (o is old or os.path.exists(o) or not re.search(r"\s", o)) for o in names):
        if job != "exact":
            yield [f"--against={encoded('against', os.fspath(n))}" for n in names]
            return
        if len(names) > 1:
            raise TypeError("against: exact reads one file")
        if not _DATA.search(os.fspath(names[0])):
            yield [f"--against={encoded('against', os.fspath(names[0]))}"]
            return
        with scratch(".tsv") as hashes:
            _hash(options, [*fields_of(text), "--", *files_of(names)], hashes.name)
            yield [f"--against={hashes.name}"]
        return
    table = kind(old)
    r = records(table, text, {k: v for k, v in options.items() if k in ("missing", "within", "across")})
    with written(r) as name, scratch(".tsv") as hashes, translated(job, r.flags, name, "against, row"):
        if job == "exact":
            _hash(options, [*(x for x in r.flags if x.startswith(("--field", "--within", "--across"))), "--", name], hashes.name)
        yield [f"--against={hashes.name if job == 'exact' else name}"]


def is_hashes(old: Any) -> bool:
    """Return whether old data is the name of a file of hashes."""
    return isinstance(old, (str, os.PathLike)) and not _DATA.search(os.fspath(old))


def _hash(options: Dict[str, Any], given: List[str], output: str) -> None:
    ways = [f"--{name}={options[name]}" for name in ("normalize", "key") if name in options]
    run(["recsign", "-m", "exact", "-H", f"--output={output}", *ways, *given])
