"""The jobs: fuzzy, exact, decisions, pairs, passages and overlap."""

from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, TypeVar, Union, overload

from . import _arrow, _lines, _passages, _texts
from ._chain import Chain, scratch
from ._data import (
    Path,
    Paths,
    Sizes,
    as_files,
    decided,
    decided_whole,
    escaped,
    lines_of,
    mask,
    named,
    ranked,
    rewrite,
    table_of,
)
from ._kinds import Kind
from ._lines import Decision, Overlap, Pair, Passage
from ._plan import OVERLAP, ROWS, Option, encoded, flags
from ._program import program, run
from ._progress import shown

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]

Data = TypeVar("Data")


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
    a list of dicts. The kept rows are returned as the same kind of data, in the same
    order. The rows of an iterator of dicts, or of a datasets.IterableDataset, are
    pickled to disk, and the kept ones are returned as an iterator. data may also name
    one or more files, in any format that doppel reads. Then output must name the file
    to write, and that name is returned.

    text is the name of the column that contains the texts. Two rows are duplicates if
    the Jaccard similarity of their shingles is at least threshold, which is above 0 and
    at most 1. rank selects the kept row: first, last, longest, COLUMN (the least value in
    that column) or COLUMN:desc (the largest value). The other options are those of doppel
    fuzzy: recall, bands, rows, shingle, normalize, mem, slots, seed, policy, keep, counts,
    jobs and only_against, as well as against, save, scores, groups and report, whose values
    are names of files. Unless against_field is given, text is also the name of the text
    field in the files that the option "against" names. progress shows, with tqdm, the number
    of rows passed to the program.

    cluster_size is the name of a new column that contains the number of rows in the cluster
    of each kept row, including the row itself; force_field=True replaces a column of that
    name. For files, repeat is a list such as "1:1,2:2,100:8", which says how many times a
    record is written, depending on the size of its cluster.

    One copy of the texts is written to the directory for temporary files. Python needs one
    byte of memory for each row, in addition to the memory of the program, which is limited
    by mem.

    Raises DataError, with the number of the row, if a text is null or not a string. Raises
    DataError if a column is missing, TypeError for data of another kind, and Error, with the
    program's message, for all other faults.

    >>> fuzzy([{"t": "a b c d"}, {"t": "A b  c d"}], text="t")
    [{'t': 'a b c d'}]
    """
    options = {"threshold": threshold, **options}
    if named(data):
        return rewrite("fuzzy", data, text, output, progress, options)
    table = table_of(data, output)
    sizes = Sizes(table, options)
    with decided(table, text, options, progress=progress) as lines:
        return sizes.select(mask(table, _dropped(lines, sizes)))


def _dropped(lines: Iterable[bytes], sizes: Sizes) -> Iterator[Any]:
    """Yield the dropped rows, and count each of them for the row that is kept instead."""
    for d in (_lines.decision(x) for x in lines if x.startswith(b"drop")):
        if isinstance(d.kept, int):  # not a record in a file named by the option "against"
            sizes.note(d.kept)
        yield d.id


@overload
def exact(
    data: Paths, *, output: Path, text: str = ..., progress: bool = ..., **options: Option
) -> Path: ...


@overload
def exact(data: Data, *, text: str = ..., progress: bool = ..., **options: Option) -> Data: ...


def exact(
    data: Any, *, text: str = "text", output: Any = None, progress: bool = False, **options: Option
) -> Any:
    """Drop rows whose text occurs in an earlier row. Rows with empty texts are not dropped.

    data, text, output, progress and the exceptions are those of fuzzy. Options are those of
    doppel exact: normalize, verify, against, save, key, mem, jobs, cluster_size, force_field,
    and, for files, repeat. rank selects the kept copy: first, last, COLUMN, COLUMN:desc, or,
    for files, longest. If rank is given, a file named by the option "against" must contain the
    ids of the records, as a file saved with -H does.

    >>> exact([{"text": "a"}, {"text": "b"}, {"text": "a"}])
    [{'text': 'a'}, {'text': 'b'}]
    """
    if named(data):
        return rewrite("exact", data, text, output, progress, options)
    table = table_of(data, output)
    texts = shown(table.column(text), len(table), progress)
    rank = str(options.pop("rank", "first"))
    if rank != "first":
        return _ranked(table, Sizes(table, options), texts, text, rank, options)
    if "cluster_size" in options:
        return _counted(table, Sizes(table, options), texts, text, options)
    command = [program(), "recuniq", "--duplicates", "--csv", "--to=jsonl", "--field=text", *flags(options, ROWS)]
    with Chain([command], -1) as c:
        c.feed(_texts.numbered(_texts.checked(texts, text)))
    with c.output as copies:
        return table.select(mask(table, map(_texts.row, copies)))


def _ranked(
    table: Kind, sizes: Sizes, texts: Iterator[Any], text: str, rank: str, options: Dict[str, Option]
) -> Any:
    """Return the rows that are kept if the rank is not "first"."""
    if rank == "longest":
        raise TypeError("rank longest applies only to files; for rows want first, last or a column")
    given = flags(options, ROWS)
    blocks, end, rank = ranked(table, _texts.checked(texts, text), text, rank)
    with scratch(end) as records:
        records.writelines(blocks)
        records.flush()
        given += [f"--field={escaped(text)}", f"--rank={rank}"]
        with decided_whole("exact", given, [records.name]) as lines:
            return sizes.select(mask(table, _dropped(lines, sizes)))


def _counted(table: Kind, sizes: Sizes, texts: Iterator[Any], text: str, options: Dict[str, Option]) -> Any:
    """Return the first row with each text, with the size of the row's cluster."""
    command = [program(), "recuniq", "--cluster-size=size", "--csv", "--to=jsonl", "--field=text", *flags(options, ROWS)]
    with Chain([command], -1) as c:
        c.feed(_texts.numbered(_texts.checked(texts, text)))
    kept = bytearray(len(table))
    with c.output as lines:
        for line in lines:
            row = _texts.row(line)
            kept[row] = 1
            for _ in range(1, int(line[line.rindex(b":") + 1 : line.rindex(b"}")])):
                sizes.note(row)
    return sizes.select(kept)


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
    """Return the decisions of fuzzy: one Decision for each row that has a pair.

    data, options and the exceptions are those of fuzzy, but no output is needed for files.
    The field "kept" may be the id of a record in a file named by the option "against". With
    several files, ids continue from one file to the next. If arrow is true, the decisions are a
    pyarrow.Table with the fields of Decision as columns; if the option "against" is used, the
    column "kept" contains texts.

    >>> decisions([{"text": "a b c"}, {"text": "a b c"}])[1].kept
    0
    """
    with lines_of(data, text, {"threshold": threshold, **options}, False) as lines:
        return _arrow.table(lines, Decision, "against" in options) if arrow else list(map(_lines.decision, lines))


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
    """Return the pairs of rows with a similarity of at least threshold.

    Of several rows with equal signatures, each is paired only with the first one,
    which is enough to decide which rows are dropped.

    data, arrow, options and the exceptions are those of decisions, but the options
    against, only_against, save, scores, groups, report, rank, policy, keep and counts
    are rejected, because they have no effect on pairs.

    >>> pairs([{"text": "a b c d"}, {"text": "a b c d"}])
    [Pair(a=0, b=1, score=1.0, a_in_b=1.0, b_in_a=1.0, a_size=2, b_size=2)]
    """
    with lines_of(data, text, {"threshold": threshold, **options}, True) as lines:
        return _arrow.table(lines, Pair, False) if arrow else list(map(_lines.pair, lines))


@overload
def passages(data: Paths, *, output: Path, text: str = ..., **options: Option) -> Path: ...


@overload
def passages(data: Any, *, text: str = ..., **options: Option) -> List[Passage]: ...


def passages(data: Any, *, text: str = "text", output: Any = None, **options: Option) -> Any:
    """Return the passages that occur more than once, in the order of the rows.

    The first occurrence of a passage is not returned, because it is kept. data and the
    exceptions are those of fuzzy. If data consists of file names, the records of these files,
    without the passages, are written to the file that output names. Options are those of doppel
    passages: length, normalize, against, keep, copies, bridge, snap, min_left, counts, mem, jobs.

    >>> rows = [{"text": "one two three four"}, {"text": "so: one two three four"}]
    >>> [rows[p.id]["text"][p.start : p.end] for p in passages(rows, length=12)]
    ['one two three four']
    """
    if named(data):
        return rewrite("passages", data, text, output, False, options)
    table = table_of(data, output)
    with scratch(".csv") as records:
        records.writelines(_texts.texts(_texts.checked(table.column(text), text), text))
        records.flush()
        given = [f"--field={escaped(text)}", *flags(options, ROWS)]
        found = run(["passages", "--annotate", "--stats=none", *given, "--", records.name])
    return _passages.passages(found.splitlines(), map(_texts.listed, table.column(text)))


def overlap(
    data: Any,
    test: Any,
    *,
    text: str = "text",
    test_field: Union[str, Sequence[str]] = "text",
    test_id: Optional[str] = None,
    **options: Option,
) -> List[Overlap]:
    """Return an Overlap for each field of each test item: the share of it in the training data.

    data is the training data and test contains the items. Both may be any data that fuzzy
    accepts, or names of files. text is the name of the column of the training texts. test_field
    is the name of a column of the items, or a list of such names: each column is compared
    separately, and the first one decides which rows and items are dropped. test_id is the name of
    the column with the items' ids, which must be texts; by default, the items are numbered.

    Options are those of doppel overlap: coverage, window, df, test_df, normalize, jobs and cut,
    as well as decisions, spoiled, common and report, whose values are names of files. An item is
    contaminated if the field "records" of its Overlap is above 0. The exceptions are those of
    fuzzy; a test item without words raises Error.

    >>> train = [{"text": "Before it. Who was the first of all the captains here? After it."}]
    >>> overlap(train, [{"text": "Who was the first of all the captains?"}, {"text": "Who?"}])[0].coverage
    1.0
    """
    columns = [test_field] if isinstance(test_field, str) else list(test_field)
    if not columns:
        raise TypeError("test_field is empty: want at least one column")
    given = [*flags(options, OVERLAP | {"csv", "header", "show"}), "--show", "--stats=none"]
    ids = [] if test_id is None else [test_id]
    with as_files(data, [text], ".csv") as records, as_files(test, [*columns, *ids], ".jsonl") as items:
        path = encoded if named(test) else lambda _, column: escaped(column)
        given += [f"--test-field={path('test_field', c)}" for c in columns]
        given += [f"--test-id={path('test_id', i)}" for i in ids]
        given += [f"--field={encoded('text', text) if named(data) else escaped(text)}", *(f"--test={i}" for i in items)]
        found = map(_lines.overlap, run(["overlap", *given, "--", *records]).splitlines())
        if named(test):
            return list(found)
        return [o._replace(benchmark=None, field=columns[n % len(columns)]) for n, o in enumerate(found)]
