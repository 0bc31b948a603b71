"""The jobs: fuzzy, exact, decisions, pairs and passages."""

import os
from contextlib import contextmanager
from typing import (
    IO,
    TYPE_CHECKING,
    Any,
    Dict,
    Iterator,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    overload,
)

from . import _arrow, _lines, _passages, _texts
from ._chain import Chain, scratch
from ._kinds import Kind, kind
from ._lines import Decision, Pair, Passage
from ._plan import Option, flags, stages
from ._program import program, run
from ._progress import shown

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

Path = Union[str, "os.PathLike[str]"]
Paths = Union[Path, Sequence[Path]]
Data = TypeVar("Data")

_RANKS = ("first", "last", "longest")


@overload
def fuzzy(
    data: Paths, *, output: Path, text: str = ..., threshold: float = ..., progress: bool = ..., **options: Option
) -> Path: ...


@overload
def fuzzy(
    data: Data, *, text: str = ..., threshold: float = ..., progress: bool = ..., **options: Option
) -> Data: ...


def fuzzy(
    data: Any,
    *,
    text: str = "text",
    threshold: float = 0.8,
    output: Any = None,
    progress: bool = False,
    **options: Option,
) -> Any:
    """Drop near-duplicates.

    data is a pandas or polars DataFrame, a pyarrow Table, a datasets.Dataset or
    a list of dicts, of n rows, and rows of it are returned as the same kind, in
    their order. Of an iterator of dicts, or a datasets.IterableDataset, the rows
    wait on disk, pickled, and come back as an iterator. Or data names one or more
    files, in any form that doppel reads; then output must name the file to write,
    and that name is returned.

    text is the column of texts, and threshold, above 0 up to 1, the Jaccard
    similarity of their shingles from which two rows are duplicates. rank says
    which of them is kept: first, last, longest, or COLUMN for the least value
    of a column, COLUMN:desc for the largest. Further options are those of
    doppel fuzzy: recall, bands, rows, shingle, normalize, mem, slots, seed,
    policy, jobs. progress shows by tqdm how many rows were handed over.

    The texts are once on disk, in the directory for temporary files. Memory is
    n bytes, and what the program takes, which mem bounds.

    Raises DataError for a null or another value that is no string, by the number
    of its row, and for a column that is not there; TypeError for data of another
    kind; Error with the program's message for all else.

    >>> fuzzy([{"t": "a b c d"}, {"t": "A b  c d"}], text="t")
    [{'t': 'a b c d'}]
    """
    options = {"threshold": threshold, **options}
    if _named(data):
        return _rewrite("fuzzy", data, text, output, progress, options)
    table = _table(data, output)
    with _decided(table, text, options, progress=progress) as lines:
        return table.select(_mask(table, (_lines.decision(x).id for x in lines if x.startswith(b"drop"))))


@overload
def exact(
    data: Paths, *, output: Path, text: str = ..., progress: bool = ..., **options: Option
) -> Path: ...


@overload
def exact(data: Data, *, text: str = ..., progress: bool = ..., **options: Option) -> Data: ...


def exact(
    data: Any, *, text: str = "text", output: Any = None, progress: bool = False, **options: Option
) -> Any:
    """Drop rows whose text was there before; empty texts have no copies.

    data, text, output, progress and what is raised are those of fuzzy. Options are those of
    doppel exact: normalize, verify, against, save, key, mem, jobs.

    >>> exact([{"text": "a"}, {"text": "b"}, {"text": "a"}])
    [{'text': 'a'}, {'text': 'b'}]
    """
    if _named(data):
        return _rewrite("exact", data, text, output, progress, options)
    table = _table(data, output)
    texts = shown(table.column(text), len(table), progress)
    command = [program(), "recuniq", "--duplicates", "--csv", "--to=jsonl", "--field=text", *flags(options)]
    with Chain([command], -1) as c:
        c.feed(_texts.numbered(_texts.checked(texts, text)))
    with c.output as copies:
        return table.select(_mask(table, map(_texts.row, copies)))


@overload
def decisions(
    data: Any, *, text: str = ..., threshold: float = ..., arrow: Literal[False] = ..., **options: Option
) -> List[Decision]: ...


@overload
def decisions(
    data: Any, *, text: str = ..., threshold: float = ..., arrow: Literal[True], **options: Option
) -> "pyarrow.Table": ...


def decisions(
    data: Any, *, text: str = "text", threshold: float = 0.8, arrow: bool = False, **options: Option
) -> Any:
    """Return what fuzzy would decide: one Decision for each row that has a pair.

    data, options and what is raised are those of fuzzy, but files need no output.
    Where data are several files, ids are counted on from one to the next. With
    arrow they are a pyarrow.Table of columns with the names of Decision.

    >>> decisions([{"text": "a b c"}, {"text": "a b c"}])[1].kept
    0
    """
    with _lines_of(data, text, {"threshold": threshold, **options}, False) as lines:
        return _arrow.table(lines, _arrow.DECISIONS) if arrow else list(map(_lines.decision, lines))


@overload
def pairs(
    data: Any, *, text: str = ..., threshold: float = ..., arrow: Literal[False] = ..., **options: Option
) -> List[Pair]: ...


@overload
def pairs(
    data: Any, *, text: str = ..., threshold: float = ..., arrow: Literal[True], **options: Option
) -> "pyarrow.Table": ...


def pairs(
    data: Any, *, text: str = "text", threshold: float = 0.8, arrow: bool = False, **options: Option
) -> Any:
    """Return the pairs of rows whose similarity is threshold or more.

    Of rows that no signature can tell apart, each is paired with the first one
    only, which is enough to decide.

    data, arrow, options and what is raised are those of decisions.

    >>> pairs([{"text": "a b c d"}, {"text": "a b c d"}])
    [Pair(a=0, b=1, score=1.0, a_in_b=1.0, b_in_a=1.0, a_size=2, b_size=2)]
    """
    with _lines_of(data, text, {"threshold": threshold, **options}, True) as lines:
        return _arrow.table(lines, _arrow.PAIRS) if arrow else list(map(_lines.pair, lines))


@overload
def passages(data: Paths, *, output: Path, text: str = ..., **options: Option) -> Path: ...


@overload
def passages(data: Any, *, text: str = ..., **options: Option) -> List[Passage]: ...


def passages(data: Any, *, text: str = "text", output: Any = None, **options: Option) -> Any:
    """Return the passages that stand elsewhere too, in the order of the rows.

    What stands there first is none: it is what is kept. data and what is raised
    are those of fuzzy; files are written without their passages, to output. Options
    are those of doppel passages: length, normalize, against, keep, copies, bridge,
    snap, min_left, counts, mem, jobs.

    >>> rows = [{"text": "one two three four"}, {"text": "so: one two three four"}]
    >>> [rows[p.id]["text"][p.start : p.end] for p in passages(rows, length=12)]
    ['one two three four']
    """
    if _named(data):
        return _rewrite("passages", data, text, output, False, options)
    table = _table(data, output)
    with scratch(".csv") as records:
        records.writelines(_texts.texts(_texts.checked(table.column(text), text)))
        records.flush()
        found = run(["passages", "--annotate", "--stats=none", *flags(options), "--", records.name])
    return _passages.passages(found.splitlines(), map(_texts.listed, table.column(text)))


def _named(data: Any) -> bool:
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and len(data) > 0 and all(isinstance(d, (str, os.PathLike)) for d in data)


def _files(data: Paths) -> List[str]:
    """Absolute names, of which none looks like a flag or like standard input."""
    return [os.path.abspath(f) for f in ([data] if isinstance(data, (str, os.PathLike)) else data)]


def _table(data: Any, output: Optional[Path]) -> Kind:
    if output is not None:
        raise TypeError("output is for data that is in files")
    return kind(data)


def _rewrite(
    job: str, data: Paths, text: str, output: Optional[Path], progress: bool, options: Dict[str, Option]
) -> Path:
    if output is None:
        raise TypeError("data in files needs an output")
    if progress:
        raise TypeError("progress is for rows; of files the program shows it on a terminal")
    to = f"--output={os.path.abspath(output)}"
    run([job, "--stats=none", f"--field={text}", to, *flags(options), "--", *_files(data)])
    return output


def _mask(table: Kind, dropped: Iterator[int]) -> bytearray:
    mask = bytearray(b"\1") * len(table)
    for id in dropped:
        mask[id] = 0
    return mask


@contextmanager
def _lines_of(data: Any, text: str, options: Dict[str, Option], scored: bool) -> Iterator[IO[bytes]]:
    """Yield what the first stages of fuzzy write."""
    if not _named(data):
        with _decided(kind(data), text, options, scored) as lines:
            yield lines
        return
    with Chain(stages([f"--field={text}", *flags(options)], _files(data), scored), -3) as c:
        pass
    with c.output as lines:
        yield lines


@contextmanager
def _decided(
    table: Kind, text: str, options: Dict[str, Option], scored: bool = False, progress: bool = False
) -> Iterator[IO[bytes]]:
    """Yield what the first stages of fuzzy write for a table.

    Signatures are made while the texts are handed over and written to a scratch
    file; the next stages start when that is whole, since they read it.
    """
    texts = _texts.checked(shown(table.column(text), len(table), progress), text)
    rank = str(options.get("rank", "first"))
    if rank in _RANKS:
        blocks, form = _texts.texts(texts), ["--csv"]
    else:
        name, way = _ranking(rank)
        blocks, form = _texts.ranked(texts, table.column(name)), []
        options = {**options, "rank": "rank" + way}
    with scratch(".csv" if form else ".jsonl") as records:
        commands = stages([*flags(options), *form], [records.name], scored)
        with Chain([commands[0][:-1]], -1) as c:
            c.feed(blocks, copy=records)
        records.flush()
        with c.output as signatures, Chain(commands[1:], signatures) as c:
            pass
        with c.output as lines:
            yield lines


def _ranking(rank: str) -> Tuple[str, str]:
    """Return the column of a rank, and what stands behind it."""
    name, colon, way = rank.rpartition(":") if rank.endswith((":desc", ":asc")) else (rank, "", "")
    return name, colon + way
