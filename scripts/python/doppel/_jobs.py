"""The jobs: fuzzy, exact, decisions, labels, pairs, passages, overlap and report."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, Tuple, TypeVar, Union, overload

from . import _arrow, _lines, _passages, _texts
from ._chain import Chain, scratch
from ._data import (
    Path,
    Paths,
    Sizes,
    decided,
    escaped,
    fields_of,
    files_of,
    is_hashes,
    mask,
    named,
    old_records,
    records,
    rewrite,
    separated,
    table_of,
    written,
)
from ._errors import DataError
from ._kinds import KEY, Keyed, Kind, kind
from ._lines import Decision, Overlap, Pair, Pairs, Passage
from ._messages import translated
from ._options import (
    ORDERS,
    RANKS,
    DecisionsOptions,
    ExactOptions,
    FuzzyOptions,
    LabelsOptions,
    OverlapOptions,
    PairsOptions,
    PassagesOptions,
    ReportOptions,
)
from ._plan import ROWS, encoded, flags, known, typed
from ._program import program, run

if TYPE_CHECKING:
    import os

    import pyarrow  # type: ignore[import-untyped]
    from typing_extensions import Unpack

Data = TypeVar("Data")
Row = TypeVar("Row")

ALL_PAIRS = 5000  # the most rows that pairs(recall=1) compares all with all: 12 million comparisons


@overload
def fuzzy(
    data: Paths, *, output: Path, text: Union[str, List[str]] = ..., threshold: float = ..., **options: Unpack[FuzzyOptions]
) -> Path: ...


@overload
def fuzzy(  # type: ignore[overload-overlap,unused-ignore]
    data: Iterator[Row], *, text: Any = ..., threshold: float = ..., progress: bool = ..., **options: Unpack[FuzzyOptions]
) -> Iterator[Row]: ...


@overload
def fuzzy(
    data: Data, *, text: Any = ..., threshold: float = ..., progress: bool = ..., **options: Unpack[FuzzyOptions]
) -> Data: ...


@typed(FuzzyOptions)
def fuzzy(
    data: Any, *, text: Any = "text", threshold: float = 0.8, output: Any = None, progress: bool = False, **options: Any
) -> Any:
    """Drop near-duplicates, and return the kept rows in the same order and as the type of data
    that was given.

    data is a table: a DataFrame, LazyFrame or Series of pandas or polars; a Table, RecordBatch,
    RecordBatchReader, Dataset or array of pyarrow; a relation of DuckDB; a Dataset, DatasetDict or
    IterableDataset of datasets; or other data that exports an Arrow stream, which comes back as a
    pyarrow.Table. It may also be a list, tuple or iterator of dicts or of texts, an iterator of
    record batches, or a dict of columns. Iterators are stored on disk and come back as iterators.
    Each split of a DatasetDict is treated alone, unless across is given; its column "split" is the
    name of the split.

    data may also name files, in any format that doppel reads: a pathlib.Path, a str with the
    suffix of such a format, or a list of these. Then output must name the file to write, and that
    name is returned.

    text is the name of the column with the texts, a path into its values, such as "meta.body" or
    "messages[].content", or a list of these. Two rows are duplicates if the Jaccard similarity of
    their shingles is at least threshold, which is above 0 and at most 1.

    rank selects the kept row: "first", "last", "longest", a column (the row with the least value)
    or "COLUMN:desc" (the largest value); (column, "asc") and (column, "desc") are the same for any
    name. Ordered categories and enums have the order of their definition. within and across are
    columns: only rows with the same values, or only rows with different values, are compared.
    against names old data, as rows or files: rows similar to an old row are dropped, too. Strings
    without white space are names of files here.
    missing is what to do with a row without a text: "error", "keep" or "drop". cluster_size is the
    name of a new column that counts the rows of each kept row's cluster, including the row;
    force_field=True replaces a column of that name. save writes the signatures of the kept rows,
    for against. A set of test items, which must all be found, should be given to against itself.
    The other options are those of doppel fuzzy; scores, groups and report name files to write.
    progress shows progress bars of tqdm, for rows and for files: one while the rows are read, and one
    with the stage of the program and how far the stage is.

    Raises DataError, which names the row, if a text is null or not a string or if a column is
    missing, TypeError for data or options of another kind, and Error for all other faults.

    >>> fuzzy([{"t": "a b c d"}, {"t": "A b  c d"}], text="t")
    [{'t': 'a b c d'}]
    >>> fuzzy(["a b c d", "A b  c d", "e"])
    ['a b c d', 'e']
    """
    known(fuzzy, options)
    given = {"threshold": threshold, **options}
    if named(data, output):
        return rewrite("fuzzy", data, fields_of(text), output, progress, given)
    if (splits := separated(data, options, lambda split: fuzzy(split, text=text, progress=progress, **given))) is not None:
        return splits
    return _kept("fuzzy", table_of(data, output), text, given, progress)


@overload
def exact(data: Paths, *, output: Path, text: Union[str, List[str], None] = ..., **options: Unpack[ExactOptions]) -> Path: ...


@overload
def exact(  # type: ignore[overload-overlap,unused-ignore]
    data: Iterator[Row], *, text: Any = ..., subset: Optional[Sequence[Any]] = ..., progress: bool = ..., **options: Unpack[ExactOptions]
) -> Iterator[Row]: ...


@overload
def exact(
    data: Data, *, text: Any = ..., subset: Optional[Sequence[Any]] = ..., progress: bool = ..., **options: Unpack[ExactOptions]
) -> Data: ...


@typed(ExactOptions)
def exact(
    data: Any, *, text: Any = None, subset: Any = None, output: Any = None, progress: bool = False, **options: Any
) -> Any:
    """Drop rows that are equal to an earlier row: in all columns, in the columns of subset, or in
    the texts of a column, if text names one.

    Values are equal as in pandas and polars: numbers by value, whatever their types are, nulls to
    nulls, and times to the same times in other zones. Rows whose text is empty are not dropped, but
    empty strings are equal in whole rows and in subset. For files, whole records are compared byte
    by byte.

    data, text, output, progress, rank, within, across, against, missing, cluster_size, force_field
    and the exceptions are those of fuzzy, but rank "longest" is only for files. The other options
    are those of doppel exact: normalize, verify, save, key, mem, jobs, and, for files, repeat.
    against may also name a file of hashes written by save. With a rank it must contain ids.

    >>> exact([{"a": 1, "b": "x"}, {"a": 2, "b": "x"}, {"a": 1.0, "b": "x"}])
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'x'}]
    >>> exact([{"a": 1, "b": "x"}, {"a": 2, "b": "x"}], subset=["b"])
    [{'a': 1, 'b': 'x'}]
    """
    known(exact, options)
    if subset is not None and text is not None:
        raise TypeError("subset applies only without text")
    if named(data, output):
        if subset is not None:
            raise TypeError("subset applies only to rows; for files text may be a list of fields")
        return rewrite("exact", data, [] if text is None else fields_of(text), output, progress, options)
    if (splits := separated(data, options, lambda split: exact(split, text=text, subset=subset, progress=progress, **options))) is not None:
        return splits
    table = table_of(data, output)
    if {"verify", "save"} & options.keys() or is_hashes(options.get("against")) and not {"rank", "across"} & options.keys():
        return _first(table, text, subset, options, progress)
    rank = options.get("rank")
    if isinstance(rank, str) and RANKS.get(rank) == "size":
        raise TypeError(f"rank {rank!r} applies only to files; for rows want {', '.join(repr(name) for name in ORDERS)} or a column")
    if text is None and not table.only:
        if "normalize" in options or "missing" in options:
            raise TypeError(f"{'normalize' if 'normalize' in options else 'missing'} applies only with text")
        return _kept("exact", Keyed(table, subset), KEY, options, progress)
    if subset is not None:
        raise TypeError(f"subset needs rows with columns, and the data is {table.only}")
    try:
        return _kept("exact", table, "text" if text is None else text, options, progress)
    except DataError as e:
        if table.only or not str(e).endswith(", not a string"):
            raise
        raise DataError(f"{e}; subset=[{text!r}] compares values of all types") from None


def _kept(job: str, table: Kind, text: Any, options: Dict[str, Any], progress: bool) -> Any:
    """Return the rows that a job keeps."""
    options = dict(options)
    sizes = Sizes(table, options)
    with scratch(".tsv") as lines:
        with decided(job, table, text, options, progress, decisions=lines.name) as r:
            pass
        with open(lines.name, "rb") as decisions:
            return sizes.select(mask(table, [*_dropped(decisions, sizes), *r.dropped]))


def _first(table: Kind, text: Any, subset: Any, options: Dict[str, Any], progress: bool) -> Any:
    """Return the rows that exact keeps, by the stage that can compare texts and not only their
    hashes, that saves hashes, and that accepts old hashes without ids."""
    if wrong := next((name for name in ("rank", "across") if options.get(name, "first") != "first"), None):
        raise TypeError(f"{wrong} cannot be used with {'verify' if 'verify' in options else 'save'}")
    options = dict(options)
    sizes = Sizes(table, options)
    if text is None and not table.only:
        table, text = Keyed(table, subset), KEY
    with ExitStack() as stack:
        old = options.pop("against", None)
        against = [] if old is None else stack.enter_context(old_records("exact", old, text, options))
        r = records(table, "text" if text is None else text, options, progress, numbered=True)
        read = [x for x in r.flags if not x.startswith("--rank=")]
        stack.enter_context(translated("exact", r.flags))
        command = [program(), "recuniq", "--cluster-size=size of the cluster", "--to=jsonl", *read, *against, *flags("exact", options, ROWS), "-"]
        with Chain([command], -1, progress) as c:
            c.feed(r.blocks)
    kept = bytearray(len(table))
    with c.output as lines:
        for line in lines:
            row = int(line[line.index(b":") + 1 : line.index(b",")])
            kept[row] = 1
            for _ in range(1, int(line[line.rindex(b":") + 1 : line.rindex(b"}")])):
                sizes.note(row)
    for row in r.dropped:
        kept[row] = 0
    return sizes.select(kept)


def _dropped(lines: Iterable[bytes], sizes: Sizes) -> Iterator[Any]:
    """Yield the dropped rows, and count each of them for the row that is kept instead."""
    for d in (_lines.decision(x) for x in lines if x.startswith(b"drop")):
        if isinstance(d.kept, int):  # not an old record
            sizes.note(d.kept)
        yield d.id


@overload
def decisions(
    data: Any, *, text: Any = ..., threshold: float = ..., arrow: Literal[False] = ..., **options: Unpack[DecisionsOptions]
) -> List[Decision]: ...


@overload
def decisions(
    data: Any, *, text: Any = ..., threshold: float = ..., arrow: Literal[True], **options: Unpack[DecisionsOptions]
) -> "pyarrow.Table": ...


@typed(DecisionsOptions)
def decisions(data: Any, *, text: Any = "text", threshold: float = 0.8, arrow: bool = False, **options: Any) -> Any:
    """Return the decisions of fuzzy: one Decision for each row that has a duplicate.

    data, options and the exceptions are those of fuzzy, but no output is needed for files. The
    field "kept" may be the id of an old record, "against:7" for row 7 of old rows. With several
    files or splits, numbers continue from one to the next. If arrow is true, the decisions are a
    pyarrow.Table with the fields of Decision as columns; if against is given, the column "kept"
    contains texts.

    >>> decisions([{"text": "a b c"}, {"text": "a b c"}])[1].kept
    0
    """
    known(decisions, options)
    with _decided(data, text, {"threshold": threshold, **options}, ROWS) as lines:
        return _arrow.table(lines, Decision, "against" in options) if arrow else list(map(_lines.decision, lines))


@contextmanager
def _decided(data: Any, text: Any, options: Dict[str, Any], refused: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    with scratch(".tsv") as lines:
        _run(data, text, options, decisions=lines.name)
        with open(lines.name, "rb") as written:
            yield written


def _run(data: Any, text: Any, options: Dict[str, Any], **outputs: str) -> int:
    """Run fuzzy on rows or files, write the outputs, and return the number of rows, or 0 for files."""
    if not named(data):
        table = kind(data)
        with decided("fuzzy", table, text, options, False, True, **outputs) as r:
            return len(table)
    given = [f"--{name}={value}" for name, value in outputs.items()]
    with translated("fuzzy", []):
        run(["fuzzy", "--output=/dev/null", "--stats=none", *given, *fields_of(text), *flags("decisions", options), "--", *files_of(data)])
    return 0


@typed(LabelsOptions)
def labels(data: Any, *, text: Any = "text", threshold: float = 0.8, policy: Literal["components", "greedy"] = "components", **options: Unpack[LabelsOptions]) -> Any:
    """Return a group for each row: the number of the row that stands for the group.

    Rows that have a chain of similar rows between them have the same group, so a split by groups,
    as GroupKFold makes it, has no near-duplicates across its parts. A row without a duplicate has
    its own number. With policy="greedy", rows have the group of the row that fuzzy keeps for them;
    two similar rows may then have different groups.

    The result is a Series with the index of the data for pandas, a Series for polars, an Array for
    pyarrow, an array for numpy, a dict of lists for a DatasetDict, whose splits are compared with
    each other, and otherwise a list. data, text, threshold, the other options and the exceptions
    are those of fuzzy.

    >>> labels(["a b c d", "e", "A b c d"])
    [0, 1, 0]
    """
    known(labels, options)
    if named(data):
        raise TypeError("labels needs rows, not files; doppel groups lists the groups of files")
    table = kind(data)
    given = {"threshold": threshold, "policy": policy, **options}
    with scratch(".tsv") as lines:
        with decided("fuzzy", table, text, given, alone=False, decisions=lines.name) as r:
            pass
        group = list(range(len(table)))
        with open(lines.name, "rb") as written:
            for d in map(_lines.decision, written):
                if isinstance(d.kept, int):
                    group[d.id] = d.kept
    return table.listed(group)


@overload
def pairs(
    data: Any, *, text: Any = ..., threshold: float = ..., arrow: Literal[False] = ..., all_pairs: bool = ..., **options: Unpack[PairsOptions]
) -> Pairs: ...


@overload
def pairs(
    data: Any, *, text: Any = ..., threshold: float = ..., arrow: Literal[True], all_pairs: bool = ..., **options: Unpack[PairsOptions]
) -> "pyarrow.Table": ...


@typed(PairsOptions)
def pairs(
    data: Any, *, text: Any = "text", threshold: float = 0.8, arrow: bool = False, all_pairs: bool = False, **options: Any
) -> Any:
    """Return pairs of rows with a similarity of at least threshold, each scored exactly.

    A pair whose similarity is just the threshold is found with the probability recall, 0.99 by
    default, and more similar pairs with a higher one. Of several rows with equal signatures, each
    is paired only with the first one, which is enough to decide which rows are dropped; all_pairs
    also pairs them with each other, and n equal rows then make n(n-1)/2 pairs. With recall=1, all
    rows are compared with all, and no pair is missing; that is refused for more than 5,000 rows.

    The list has the attributes recall and complete, which is true if no pair is missing. data,
    arrow, options and the exceptions are those of decisions, but options that have no effect on
    pairs, such as against, rank, policy, keep and save, are rejected.

    >>> pairs([{"text": "a b c d"}, {"text": "a b c d"}])
    [Pair(a=0, b=1, score=1.0, a_in_b=1.0, b_in_a=1.0, a_size=2, b_size=2)]
    """
    known(pairs, options)
    given: Dict[str, Any] = {"threshold": threshold, **options}
    recall = given.get("recall", 0.99)
    with scratch(".tsv") as lines:
        if recall == 1 or all_pairs:
            _pair_all(data, text, given, lines.name, compare=recall == 1)
        elif named(data):
            flags("pairs", given)
            _run(data, text, {**given, "policy": "components"}, scores=lines.name)
        else:
            flags("pairs", given, ROWS - {"within", "across", "missing"})
            with decided("fuzzy", kind(data), text, {**given, "policy": "components"}, scores=lines.name) as r:
                pass
        with open(lines.name, "rb") as found:
            if arrow:
                return _arrow.table(found, Pair, False)
            return Pairs(map(_lines.pair, found), recall=float(recall), complete=recall == 1)


def _pair_all(data: Any, text: Any, options: Dict[str, Any], output: str, compare: bool) -> None:
    """Write the scored pairs of all rows, or of all rows that share a band, to the output."""
    if set(options) & {"within", "across", "missing"}:
        raise TypeError("within, across and missing do not apply with all_pairs or recall=1")
    threshold = f"--threshold={options['threshold']}"
    how = flags("pairs", {k: v for k, v in options.items() if k not in ("threshold", "recall", "bands", "rows", "hot", "slots", "seed")}, ROWS)
    with ExitStack() as stack:
        if named(data):
            files, given = files_of(data), fields_of(text)
        else:
            r = records(kind(data), text, {})
            files, given = [stack.enter_context(written(r))], [x for x in r.flags if x.startswith("--field")]
            stack.enter_context(translated("pairs", r.flags, files[0]))
        score = [program(), "jaccard", threshold, f"--output={output}", *(f"--records={n}" for n in files), *given, *how]
        if compare:
            with translated("pairs", []):
                rows = int(run(["reccat", "--count", "--", *files]))
            if rows > ALL_PAIRS:
                raise ValueError(f"recall=1 compares all rows with all: {rows} rows are more than {ALL_PAIRS}; want a recall below 1, such as 0.9999")
            with Chain([score], -1) as c:
                c.feed("".join(f"{a}\t{b}\n" for a in range(b)).encode() for b in range(1, rows))
            return
        sign = [x for x in how if x.startswith(("--shingle", "--normalize", "--key", "--max-record"))]
        sign += flags("pairs", {k: options[k] for k in ("slots", "seed") if k in options})
        band = [threshold, *flags("pairs", {k: options[k] for k in ("recall", "bands", "rows", "hot") if k in options})]
        chain = [[program(), "recsign", *given, *sign, "--", *files], [program(), "lshpairs", "--all-pairs", *band], score]
        with Chain(chain, -3):
            pass


@overload
def passages(data: Paths, *, output: Path, text: Any = ..., **options: Unpack[PassagesOptions]) -> Path: ...


@overload
def passages(data: Any, *, text: Any = ..., **options: Unpack[PassagesOptions]) -> List[Passage]: ...


@typed(PassagesOptions)
def passages(data: Any, *, text: Any = "text", output: Any = None, **options: Any) -> Any:
    """Return the passages that occur more than once, in the order of the rows.

    The first occurrence of a passage is not returned, because it is kept. data, text, within,
    across and the exceptions are those of fuzzy, but text must be the name of a column. If data
    consists of file names, the records of these files, without the passages, are written to the
    file that output names. against is the name of a file of old records, or a list of such names.
    The other options are those of doppel passages: length, normalize, keep, copies, bridge, snap,
    min_left, counts, mem, jobs.

    >>> rows = [{"text": "one two three four"}, {"text": "so: one two three four"}]
    >>> [rows[p.id]["text"][p.start : p.end] for p in passages(rows, length=12)]
    ['one two three four']
    """
    known(passages, options)
    if named(data, output):
        return rewrite("passages", data, fields_of(text), output, False, options)
    table, given = table_of(data, output), dict(options)
    r = records(table, text, given)
    if isinstance(text, list) or any(x == f"--field={text}" for x in r.flags) and escaped(text) != text and not table.has(text):
        raise TypeError(f"text={text!r}: passages needs one column, because it returns places in its texts")
    with ExitStack() as stack:
        name = stack.enter_context(written(r))
        old = given.pop("against", None)
        against = [] if old is None else stack.enter_context(old_records("passages", old, text, given))
        read = [x for x in r.flags if x != "--csv" and not x.startswith("--rank=")]
        with translated("passages", r.flags, name):
            found = run(["passages", "--annotate", "--stats=none", *read, *against, *flags("passages", given, ROWS), "--", name])
    column = table.column(table.names()[0] if table.only else text)
    filled = ([t if isinstance(t, str) else "" for t in _texts.listed(b)] for b in column)
    return _passages.passages(found.splitlines(), filled)


@typed(OverlapOptions)
def overlap(
    data: Any,
    test: Any,
    *,
    text: Any = "text",
    test_field: Any = "text",
    test_id: Any = None,
    **options: Unpack[OverlapOptions],
) -> List[Overlap]:
    """Return an Overlap for each field of each test item: the share of it in the training data.

    data is the training data and test contains the items. Both may be any data that fuzzy
    accepts, or names of files. text is the name of the column of the training texts. test_field
    is the name of a column of the items, or a list of such names: each column is compared
    separately, and the first one decides which rows and items are dropped. test_id is the name of
    the column with the items' ids; by default, the items are numbered. A row of test with a text
    that has no words is not compared: its Overlaps have no windows. With missing="keep" or "drop",
    texts may be null, in both.

    Options are those of doppel overlap: coverage, window, df, test_df, normalize, jobs and cut,
    as well as decisions, spoiled, common and report, whose values are names of files. An item is
    contaminated if the field "records" of its Overlap is above 0. The exceptions are those of
    fuzzy.

    >>> train = [{"text": "Before it. Who was the first of all the captains here? After it."}]
    >>> overlap(train, [{"text": "Who was the first of all the captains?"}, {"text": "Who?"}])[0].coverage
    1.0
    """
    known(overlap, options)
    columns: List[Any] = list(test_field) if isinstance(test_field, list) else [test_field]
    if not columns:
        raise TypeError("test_field is empty: want at least one column")
    given = [*flags("overlap", options), "--show", "--stats=none"]
    with ExitStack() as stack:
        missing = {"missing": options["missing"]} if "missing" in options else {}
        records, fields = _as_file(data, [text], missing, stack)
        given += [f"--field={f}" for f in fields]
        if named(test):
            items, fields = files_of(test), [encoded("test_field", str(c)) for c in columns]
            ids = [] if test_id is None else [f"--test-id={encoded('test_id', str(test_id))}"]
            given += [*(f"--test-field={f}" for f in fields), *ids, *(f"--test={i}" for i in items)]
            with translated("overlap", []):
                return list(map(_lines.overlap, run(["overlap", *given, "--", *records]).splitlines()))
        table = kind(test)
        names = None if test_id is None else list(_texts.values(table.column(test_id)))
        items, fields = _as_file(table, columns, missing, stack)
        given += [*(f"--test-field={f}" for f in fields), f"--test={items[0]}", "--keep-going"]
        with translated("overlap", [], items[0], "test, row"):
            lines = run(["overlap", *given, "--", *records], excused=_NO_WORDS).splitlines()
    found = {(int(o.id), n % len(columns)): o for n, o in enumerate(map(_lines.overlap, lines))}
    none = Overlap(None, 0, "", 0.0, 0, 0, None, None)
    rows = range(max(len(table), 1 + max((id for id, _ in found), default=-1)))
    return [
        found.get((id, n), none)._replace(benchmark=None, id=id if names is None else names[id], field=c)
        for id in rows
        for n, c in enumerate(columns)
    ]


_NO_WORDS = r"has no words$|records? (was|were) skipped|^doppel[\w ]*: \d+ .*(skipped|records? without a text )"


def _as_file(data: Any, columns: List[Any], options: Dict[str, Any], stack: ExitStack) -> Tuple[List[str], List[str]]:
    """Return the names of the files, or of a scratch file with the columns, and the fields' paths."""
    if not isinstance(data, Kind) and named(data):
        return files_of(data), [encoded("text", str(c)) for c in columns]
    r = records(kind(data), columns, dict(options))
    return [stack.enter_context(written(r))], [x[len("--field=") :] for x in r.flags if x.startswith("--field=")]


class Report:
    """An HTML report, which a notebook displays."""

    def __init__(self, html: str):
        self.html = html

    def _repr_html_(self) -> str:
        import html

        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="600" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<doppel.Report of {len(self.html)} characters; save(path) writes it>"

    def save(self, path: Path) -> None:
        """Write the report to a file."""
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)


@typed(ReportOptions)
def report(data: Any, *, text: Any = "text", threshold: float = 0.8, **options: Unpack[ReportOptions]) -> Report:
    """Return a Report of what fuzzy would drop, and why. It displays itself in a notebook.

    data, text, threshold, options and the exceptions are those of fuzzy.
    """
    known(report, options)
    with scratch(".html") as page:
        _run(data, text, {"threshold": threshold, **options}, report=page.name)
        with open(page.name, encoding="utf-8") as f:
            return Report(f.read())
