"""doppel fuzzy, doppel exact and doppel overlap on Spark, with their work divided into parts.

For each file, a task signs the records and sends each key to the partition of its bucket, where
records with equal keys are paired. The pairs and the texts of their records, but no other texts,
are sent to bins, where the texts are compared. Scored pairs are partitioned by connected
component. dupgroup makes the same decisions for each component alone as for all pairs together.
For each file, another task applies the decisions. So scores, decisions and records are the same
as on one machine. Tasks exchange only blocks of lines. The program doppel does the work. Each
worker needs this program, this package, bash, sort and awk.

Files must have the same names on all machines. Running a task twice is harmless, because the
program's -o moves a file into place only when it is complete. A task that reads an object of
a store, such as s3://bucket/name, copies the object to a scratch file. A task stores its
result as NAME.part, and the driver renames all results after the last one is stored.
"""

import os
import re
import shutil
import sys
from contextlib import contextmanager, suppress
from glob import glob
from json import loads
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union
from zlib import crc32

from doppel import _objects
from doppel._components import components
from doppel._errors import Error
from doppel._messages import translated
from doppel._options import ORDERS, RANKS
from doppel._partitions import Block, Telling, binned, blocks, columns, least, led, notes
from doppel._pipe import piped, room, write
from doppel._plan import OVERLAP, Option, flags
from doppel._program import run

_BLOCK = 1 << 20


class Result(NamedTuple):
    """The result of a job."""

    records: int
    kept: int
    dropped: int
    notes: List[str]
    """Messages of the program, such as those about bad records under keep_going."""
    frame: Any = None
    """The kept rows in OUT as a DataFrame, if data is a DataFrame or a table."""


def fuzzy(spark: Any, data: Any, out: str, *, text: str = "text", threshold: float = 0.8,
          parts: Optional[int] = None, keep_going: bool = False, pairs: Optional[str] = None,
          decisions: Optional[str] = None, at_once: int = 50_000_000, mode: str = "errorifexists",
          mark: Optional[str] = None, **options: Option) -> Result:  # fmt: skip
    """Drop near-duplicates from files, a DataFrame or a table.

    spark is a SparkSession. data is a directory, a pattern such as "/data/*.parquet" or
    "s3://bucket/in/*.parquet", or a list of names of files, in any format that doppel reads. As in
    Spark, files whose names begin with _ or . are not read. data may also be a DataFrame or the name
    of a table; its rows are then first written below out, as Parquet, and the kept rows are also
    returned as the DataFrame Result.frame, which reads out.

    out is the directory for the kept records: those of each file are written to a file of the
    same name, below the directory of data, completely or not at all. Names of partitions, such as
    lang=a/part-0.parquet, are kept. Raises Error if out, pairs or decisions contains files, unless
    mode is "overwrite": these files are then replaced or, when the job has succeeded, removed. mark
    names a new column, for a DataFrame or table: out then contains all rows, and the column is true
    for those that are kept. The scored pairs and the decisions of each file are written, in the
    order of ids, to the directories given by pairs and decisions. The id of a
    record in an object begins with the object's name without the scheme. Stores are accessed by
    fsspec and its libraries, which find the credentials.

    parts is the number of parts into which keys and pairs are divided; by default, it is the
    number of files, but at least spark's default parallelism. If no more than at_once records are
    in pairs, a single task finds the components, with some 60 bytes of memory for each of these
    records. Otherwise all tasks find the components, in rounds. Options are those of doppel
    fuzzy, except those that need all records in one process, such as against. rank may be a column
    only for a DataFrame or table, whose rows are then sorted by Spark. If keep_going is true, bad
    records are skipped and reported in the notes of the result. Raises Error with the program's
    message, and TypeError for options of another kind, before the first task if it can be known.
    """
    added = {"keep": mark} if mark else {}
    return _fuzzy(spark, data, (out, pairs, decisions), text, threshold, parts, keep_going, at_once, mode, added, options)


def labels(spark: Any, data: Any, out: str, *, text: str = "text", threshold: float = 0.8, policy: str = "components",
           column: str = "group", parts: Optional[int] = None, at_once: int = 50_000_000, mode: str = "errorifexists",
           **options: Option) -> Result:  # fmt: skip
    """Write all rows of a DataFrame or table, with a number for each row that is the same for the
    rows of a group, as doppel.labels returns it. column is the name of this column; the other
    parameters, the result and the exceptions are those of fuzzy."""
    given = {"policy": policy, **options}
    return _fuzzy(spark, data, (out, None, None), text, threshold, parts, False, at_once, mode, {"group": column}, given)


_Places = Tuple[Optional[str], Optional[str], Optional[str]]


def _fuzzy(spark: Any, data: Any, places: _Places, text: str, threshold: float, parts: Optional[int], keep_going: bool,
           at_once: int, mode: str, added: Dict[str, str], options: Dict[str, Option]) -> Result:  # fmt: skip
    """Run fuzzy. added names new columns of a DataFrame by their content: keep or group."""
    from pyspark import StorageLevel  # type: ignore[import-not-found,unused-ignore]

    given: Dict[str, Option] = {"threshold": threshold, **options}
    with _plain(), _files(spark, "fuzzy", data, places, text, mode, added, given) as (files, table):
        job = _Job(spark, "fuzzy", files, table.places if table else places, parts, keep_going, text, given, mode)
        scored = job.scored(job.candidates()).persist(StorageLevel.DISK_ONLY)
        try:
            result = job.apply(job.decisions(scored, at_once), scored if places[1] else None)
        finally:
            scored.unpersist()
        return result._replace(frame=table.result(job) if table else None)


def exact(spark: Any, data: Any, out: str, *, text: Optional[str] = None,
          parts: Optional[int] = None, keep_going: bool = False, decisions: Optional[str] = None,
          mode: str = "errorifexists", mark: Optional[str] = None, **options: Option) -> Result:  # fmt: skip
    """Drop records that are equal to an earlier record or, if text is given, that have the same
    text as an earlier record. The other parameters are those of fuzzy; options are normalize, key,
    cluster_size, force_field, repeat, and rank, which is "first", "last" or a column."""
    places, added = (out, None, decisions), {"keep": mark} if mark else {}
    with _plain(), _files(spark, "exact", data, places, text, mode, added, options) as (files, table):
        job = _Job(spark, "exact", files, table.places if table else places, parts, keep_going, text, options, mode)
        decide = [job.tool("pairs"), ["sed", "s/$/\t1.0000/"], job.tool("decide")]
        result = job.apply(job.keys().mapPartitions(job.each(*decide)), None)
        return result._replace(frame=table.result(job) if table else None)


def overlap(spark: Any, data: Union[str, Sequence[str]], test: Union[str, Sequence[str]], table: str, *,
            text: str = "text", test_field: Union[str, Sequence[str]] = "text", keep_going: bool = False,
            **options: Option) -> Result:  # fmt: skip
    """Find the test items that are in training files, and write the table of doppel overlap -H
    to a file.

    spark, data, text, keep_going and the exceptions are those of fuzzy. test is the name of a file
    of items, or a list of such names; every worker must be able to read these files. test_field is
    the name of a field of the items, or a list of such names. Each file of data is read once, by a
    task that finds which parts of the items the file contains. The driver merges the results.
    Options are those of doppel overlap. The values of table, decisions, spoiled, common and report
    are the names of the files that the driver writes. Records that contaminate an item are counted
    as dropped.
    """
    tests = [test] if isinstance(test, str) else list(test)
    if t := next(filter(_objects.remote, [*tests, table]), None):
        raise Error(f"{t}: is an object; test items and the table must be files")
    if wrong := next((name for name in options if name in OVERLAP - {"csv", "header", "show"}), None):
        raise TypeError(f"{wrong} is not an option of doppel.spark.overlap")
    fields = [test_field] if isinstance(test_field, str) else list(test_field)
    given = {"test": [os.path.abspath(t) for t in tests], "test_field": fields, **options}
    with _plain():
        job = _Job(spark, "overlap", data, (), None, keep_going, text, given)
        return job.merged(os.path.abspath(table))


# Options that need all records in one process.
_ALONE = frozenset("against against_field against_id annotate estimate expect groups ids index no_wait only_against removed report save scores split timed verify".split())


_RANKS = {"fuzzy": tuple(RANKS), "exact": ORDERS}
_OF_KEPT = frozenset("cluster_size force_field repeat split least to codec level tree".split())
_INSTEAD = {"groups": "doppel.spark.labels writes the group of each row", "ids": "decisions has the ids"}


def _check(job: str, options: Dict[str, Option], mode: str) -> None:
    """Raise TypeError or ValueError for options that a job on many machines does not have."""
    if mode not in ("errorifexists", "overwrite"):
        raise ValueError(f"mode={mode!r}: want 'errorifexists' or 'overwrite'")
    for name in options:
        if name in _ALONE - ({"split"} if job == "exact" else set()):
            instead = _INSTEAD.get(name, f"it needs one machine, and doppel.{job}")
            raise TypeError(f"{name} is not an option of doppel.spark.{job}: {instead}")


@contextmanager
def _files(spark: Any, job: str, data: Any, places: _Places, text: Optional[str], mode: str, added: Dict[str, str],
           options: Dict[str, Option]) -> Iterator[Tuple[Any, Optional["_Table"]]]:  # fmt: skip
    """Yield the files of data, and the _Table that has them if data is a DataFrame or a table. A
    rank by a column is removed from options."""
    _check(job, options, mode)
    frame = data if hasattr(data, "schema") and hasattr(data, "write") else None
    if isinstance(data, str) and not _objects.remote(data) and not glob(data) and "/" not in data and spark.catalog.tableExists(data):
        frame = spark.table(data)
    if frame is None:
        if added:
            raise TypeError(f"{next(iter(added.values()))}: a new column needs a DataFrame or a table, not files; want spark.read.parquet(data)")
        if options.get("rank", "first") not in _RANKS[job]:
            raise TypeError(f"rank={options['rank']!r}: a rank by a column needs a DataFrame or a table, not files; want spark.read.parquet(data)")
        yield data, None
        return
    table = _Table(spark, frame, places, added)
    table.check(job, text, mode, options)
    try:
        table.write(options.pop("rank", "first") if options.get("rank", "first") not in _RANKS[job] else None)
        yield table.rows, table
    finally:
        table.remove()


class _Table:
    """The rows of a DataFrame, as Parquet below the directory of results, where all workers can
    read them."""

    def __init__(self, spark: Any, frame: Any, places: _Places, added: Dict[str, str]):
        out, pairs, decisions = places
        assert out
        self.out, self.rows, self.added = os.path.abspath(out), os.path.join(os.path.abspath(out), "_rows"), added
        self.places: _Places = (None, pairs, decisions or f"{self.out}/_decisions") if added else places
        self.frame, self.session, self._scratch, self._old = frame, spark, [self.rows, f"{self.out}/_decisions"], _present(self.out)

    def check(self, job: str, text: Optional[str], mode: str, options: Dict[str, Option]) -> None:
        """Raise Error or TypeError for what is known to be wrong before the first task."""
        if _objects.remote(self.places[0] or self.out):
            raise Error(f"{self.places[0]}: is in a store; for a DataFrame or a table want a directory that all workers share")
        if os.path.exists(self.rows):
            raise Error(f"{self.rows}: left by another job, which may be running; want another directory for results")
        if mode != "overwrite" and self._old:
            raise Error(f"{self.out}: is not empty; mode='overwrite' replaces its files")
        if self.added and (wrong := next((name for name in options if name in _OF_KEPT), None)):
            raise TypeError(f"{wrong} applies to kept rows only, and all rows are written with a new column")
        if self.added and options.get("missing") == "drop":
            raise TypeError("missing='drop' applies to kept rows only, and all rows are written with a new column; want missing='keep'")
        names = self.frame.columns
        if name := next((name for name in self.added.values() if name in names), None):
            raise Error(f"column {name!r} exists already; want another name")
        ranked = options.get("rank", "first") not in _RANKS[job]
        for what, name in (("text", text), ("rank", _ranking(options["rank"])[0] if ranked else None)):
            if name is not None and name not in names and (what == "rank" or re.split(r"[.\[]", name.replace("\\", ""))[0] not in names):
                raise Error(f"{what}: no column {name!r}; the columns are: {', '.join(names)}")
        given = {name: value for name, value in options.items() if name != "rank" or not ranked}
        with translated(job, []):
            run([job, "--print=json", "--parts=1", *flags(job, given), "--", f"{self.rows}/rows.parquet"])

    def write(self, rank: Any) -> None:
        """Write the rows, in the order of the rank if it is not None, so that the first of two
        similar rows is the better one."""
        from pyspark.sql import functions as F  # type: ignore[import-not-found,unused-ignore]

        frame = self.frame
        if rank is not None:
            name, way = _ranking(rank)
            value = F.col("`" + name.replace("`", "``") + "`")
            if dict(frame.dtypes)[name] in ("double", "float"):
                value = F.when(~F.isnan(value), value)
            frame = frame.orderBy(value.desc_nulls_last() if way == "desc" else value.asc_nulls_last())
        frame.write.parquet(f"file://{self.rows}")

    def result(self, job: "_Job") -> Any:
        """Return the DataFrame of the results: the kept rows, or all rows with the new column."""
        if self.added:
            (content, name), decisions = next(iter(self.added.items())), self.places[2]
            self._marked(job, content, name, f"file://{decisions}").write.mode("append").parquet(f"file://{self.out}")
            for old in self._old:
                with suppress(FileNotFoundError):
                    os.unlink(old)
        return self.session.read.parquet(f"file://{self.out}")

    def _marked(self, job: "_Job", content: str, name: str, decisions: str) -> Any:
        """Return all rows with a new column. The group of a row is the number of the row that is
        kept for it: that of its file, times 2^33, plus that of the row in the file."""
        from pyspark.sql import functions as F

        numbers = F.create_map(*(F.lit(x) for n, f in enumerate(job.files) for x in (os.path.basename(f), n << 33)))
        file, row, kept = "doppel file", "doppel row", "doppel kept"
        read = self.session.read.csv(decisions, sep="\t", quote="", schema="verdict string, id string, kept string, score string, reason string")

        def number(id: Any) -> Any:
            return numbers[F.regexp_extract(id, "([^/]*):[0-9]+$", 1)] + F.regexp_extract(id, ":([0-9]+)$", 1).cast("long")

        dropped = read.where("verdict = 'drop'").select(number(F.col("id")).alias(row), number(F.col("kept")).alias(kept))
        place = F.struct(F.col("_metadata.file_name").alias(file), F.col("_metadata.row_index").alias(row))
        rows = self.session.read.parquet(f"file://{self.rows}").select("*", place.alias(file))
        rows = rows.withColumn(row, numbers[F.col(f"`{file}`.`{file}`")] + F.col(f"`{file}`.`{row}`"))
        value = F.col(f"`{kept}`").isNull() if content == "keep" else F.coalesce(F.col(f"`{kept}`"), F.col(f"`{row}`"))
        return rows.join(dropped, on=row, how="left").withColumn(name, value).select(*(f"`{c.replace('`', '``')}`" for c in [*self.frame.columns, name]))

    def remove(self) -> None:
        """Remove what is not a result."""
        for scratch in self._scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def _ranking(rank: Any) -> Tuple[str, str]:
    """Return the column of a rank, and its order.

    >>> _ranking("n:desc"), _ranking("n"), _ranking(("n:desc", "asc"))
    (('n', 'desc'), ('n', 'asc'), ('n:desc', 'asc'))
    """
    if isinstance(rank, tuple):
        return rank[0], rank[1]
    name, _, way = str(rank).rpartition(":")
    return (name, way) if way in ("asc", "desc") and name else (str(rank), "asc")


@contextmanager
def _plain() -> Iterator[None]:
    """Raise an error of Spark as an Error with the message of the program or of Python alone."""
    try:
        yield
    except Error:
        raise
    except Exception as e:
        text = str(e)
        if re.search(r"No module named '?doppel|PYTHON_VERSION_MISMATCH", text):
            what = "has another version" if "PYTHON_VERSION_MISMATCH" in text else "has no package doppel"
            raise Error(f"PYSPARK_PYTHON={os.environ.get('PYSPARK_PYTHON', 'python3')}: the workers' Python {what}; want the Python of the driver") from None
        if found := re.findall(r"doppel\._errors\.\w+: ((?:.+\n?)+)", text):
            raise Error("\n".join(line for line in found[-1].splitlines() if not re.match(r"\s+at |\w+: hint: ", line)).strip()) from None
        raise


_PART = ".part"  # suffix of the names of result objects until all of them are stored
_Done = Tuple[Dict[str, int], List[_objects.Object]]  # counts of records, and stored objects


def _listed(data: Union[str, Sequence[str]]) -> List[_objects.Object]:
    if not isinstance(data, str):
        return _objects.described(filter(_objects.remote, data))
    return _objects.listed(data) if _objects.remote(data) else []


def _local(data: Union[str, Sequence[str]]) -> List[str]:
    """Return the absolute names of local files, and of those below local directories that Spark reads."""
    found: List[str] = []
    for name in glob(data) if isinstance(data, str) else data:
        if _objects.remote(name):
            continue
        top = os.path.abspath(name)
        if os.path.isdir(top):
            files = (os.path.join(where, f) for where, _, files in os.walk(top) for f in files)
            found += (f for f in files if not _objects.hidden(os.path.relpath(f, top)))
        elif not isinstance(data, str) or not _objects.hidden(os.path.basename(top)):
            found.append(top)
    return found


def _root(data: str) -> str:
    """Return the directory below which the names of files are kept."""
    name = _objects.path(data) if _objects.remote(data) else os.path.abspath(data)
    fixed = re.split(r"[*?\[]", name)[0]
    return name if os.path.isdir(name) or fixed == name and "." not in os.path.basename(name) else os.path.dirname(fixed)


def _whole(data: str) -> bool:
    """Return whether data is a directory, not a pattern or a file."""
    return _root(data) == (_objects.path(data) if _objects.remote(data) else os.path.abspath(data))


def _names(data: Union[str, Sequence[str]], files: List[str]) -> List[str]:
    """Return the names of files below the directory of data, or without directories for a list of
    files whose names differ."""
    bases = [os.path.basename(f) for f in files]
    if not isinstance(data, str):
        if len(set(bases)) == len(bases):
            return bases
        root = os.path.commonpath(list(map(os.path.dirname, files)))
    else:
        root = _root(data)
    return [os.path.relpath(f, root) if f.startswith(root + "/") else b for f, b in zip(files, bases)]


def _present(place: str) -> Set[str]:
    """Return the files in a directory for results."""
    return set(_objects.below(place) if _objects.remote(place) else _local([place]) if os.path.isdir(place) else [])


class _Job:
    """A job's files and commands. The workers get copies of the job without the Spark context."""

    def __init__(self, spark: Any, name: str, data: Union[str, Sequence[str]], places: Sequence[Optional[str]],
                 parts: Optional[int], keep_going: bool, text: Optional[str], options: Dict[str, Option],
                 mode: str = "errorifexists"):  # fmt: skip
        self.objects = {_objects.path(o.name): o for o in _listed(data)}
        names = [*self.objects, *_local(data)]
        self.files = sorted(names, key=lambda f: os.fsencode(f + ":"))  # in the order of ids
        if not self.files:
            raise Error(f"{data}: no such file, directory or table, or no file in it")
        self.names = _names(data, self.files)
        if len(set(self.files)) < len(self.files):
            raise Error(f"{data}: a file is named twice")
        if f := next((f for f in self.files if set(f) & set("\t\n\r\\")), None):
            raise Error(f"{f!r}: the name contains a tab, a line end or a backslash")
        self.numbers = {os.fsencode(f): n for n, f in enumerate(self.files)}
        self.keep_going, self.context = keep_going, spark.sparkContext
        self.parts = parts or max(len(self.files), self.context.defaultParallelism)
        given = flags(name, options) + [f"--field={text}"] * bool(text) + ["--keep-going"] * keep_going
        in_parts = [] if name == "overlap" else [f"--parts={self.parts}"]
        plan = run([name, "--print=json", *in_parts, *given, "--", *self.files])
        self.plan: Dict[str, List[str]] = loads(plan)["parts"]
        self.told = self.context.accumulator(frozenset(), Telling())
        self.places = [d and (d.rstrip("/") if _objects.remote(d) else os.path.abspath(d)) for d in places]
        for place in filter(None, self.places):
            at = _objects.path(place) if _objects.remote(place) else place
            if any(f.startswith(at + "/") and os.path.dirname(f) != f"{at}/_rows" for f in self.files):
                raise Error(f"{place}: is the directory of the data; want another directory for results")
            if isinstance(data, str) and at.startswith(f"{_root(data)}/") and _whole(data):
                raise Error(f"{place}: is in the directory of the data; want another directory for results")
        self.old = {place: _present(place) for place in filter(None, self.places)}
        if mode != "overwrite" and (full := next((p for p, present in self.old.items() if present), None)):
            raise Error(f"{full}: is not empty; mode='overwrite' replaces its files")
        if text is not None and not keep_going and self.files[0] not in self.objects:
            self._check_text(given)
        for place in filter(None, self.places):
            if _objects.remote(place):
                _objects.prove(place)
            else:
                os.makedirs(place, exist_ok=True)

    def _check_text(self, given: List[str]) -> None:
        """Raise Error if the first record of the first file has no text, before any task is started."""
        read = [g for g in given if g.startswith(("--csv", "--separator", "--quote", "--encoding"))]
        first = run(["reccat", "--head=1", "--to=jsonl", *read, "--", self.files[0]])
        fields = [g for g in given if g.startswith(("--field", "--missing"))]
        with translated("sign", []):
            try:  # with another name, since the suffix of the file's name would select its format
                run(["recsign", "--method=exact", f"--name={self.files[0]} ", *fields, "-"], first)
            except Error as e:
                raise Error(str(e).replace(f"{self.files[0]} :", f"{self.files[0]}:")) from None

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "context": None}

    def tool(self, stage: str, *more: str) -> List[str]:
        words = self.plan[stage]
        return ["doppel", *words[words[0] == "doppel" :], *more]

    # The next four methods return distributed collections. partitionBy(n, int) sends each item to
    # the partition whose number is the item's key.

    def keys(self) -> Any:
        files = self.context.parallelize(range(len(self.files)), len(self.files))
        return files.flatMap(self._sign).partitionBy(self.parts, int).values()

    def candidates(self) -> Any:
        """Return blocks of pairs, keyed by bin. The function binned chooses the bins so that pairs
        of similar records tend to share a bin."""
        lines = self.keys().mapPartitions(self.each(self.tool("pairs"))).map(columns)
        by_b = lines.map(lambda p: (p[1], p[0])).partitionBy(self.parts, crc32).mapPartitions(least)
        by_a = by_b.partitionBy(self.parts, crc32).mapPartitions(binned)
        return by_a.partitionBy(self.parts, int).values().mapPartitionsWithIndex(blocks)

    def scored(self, pairs: Any) -> Any:
        """Return the lines of scored pairs."""
        wanted = pairs.flatMap(self._wanted).partitionBy(len(self.files), int).values()
        texts = wanted.mapPartitionsWithIndex(self._texts)
        both = pairs.mapValues(lambda b: (b, b"")).union(texts).partitionBy(self.parts, int)
        return both.values().mapPartitions(self._score)

    def decisions(self, scored: Any, at_once: int) -> Any:
        """Return the lines of decisions. First, each component within a part becomes a star, which
        has an edge from its first record to each other record. If the stars of all parts have no
        more than at_once edges, a single task then joins them; otherwise all tasks do, in rounds.
        """
        decide = self.tool("decide", "--policy=components", "--rank=first")
        star = self.each(
            [word for word in decide if word != "--apart"],  # without --apart, a star has all records of a component
            ["awk", "-F\t", '$1 == "drop" { print $3 "\t" $2 "\t1" }'],
        )
        stars = scored.mapPartitions(star)
        if stars.count() > at_once:
            leaders = components(stars, self.parts, self.each).map(columns)
        else:
            # coalesce is not used, because Spark regards the order of its result as random and
            # cannot rerun a lost task.
            at_one = stars.map(lambda e: (0, e)).partitionBy(1, int).values()
            leaders = at_one.mapPartitions(star).map(lambda e: columns(e)[1::-1])
        lines = scored.map(lambda s: (s[: s.index(b"\t")], (b"", s)))
        by_a = lines.union(leaders.map(lambda e: (e[0], (e[1], b"")))).partitionBy(self.parts, crc32)
        by_component = by_a.mapPartitions(led).partitionBy(self.parts, int).values()
        return by_component.mapPartitions(self.each(self.tool("decide")))

    def apply(self, decided: Any, scored: Any) -> Result:
        lines = decided.map(lambda d: (self.place(columns(d)[1])[0], (b"d", d)))
        if scored:
            lines = lines.union(scored.map(lambda s: (self.place(columns(s)[0])[0], (b"s", s))))
        by_file = lines.partitionBy(len(self.files), int).values()
        done = by_file.mapPartitionsWithIndex(lambda n, part: [self._apply(n, part)]).collect()
        _objects.rename((o, o.name[: -len(_PART)]) for _, stored in done for o in stored)
        self._remove_old()
        counts = [c for c, _ in done]
        kept, dropped = (sum(c[key] for c in counts) for key in ("kept", "dropped"))
        return Result(kept + dropped, kept, dropped, notes(self.told.value))

    def _remove_old(self) -> None:
        """Remove the files of an earlier job that this job has not replaced."""
        out, *others = self.places
        for place, old in self.old.items():
            end = "" if place == out else ".tsv"
            stale = old - {f"{place}/{name}{end}" for name in self.names}
            if _objects.remote(place):
                _objects.remove(stale)
            else:
                for name in stale:
                    with suppress(FileNotFoundError):
                        os.unlink(name)

    def merged(self, table: str) -> Result:
        from pyspark import StorageLevel  # type: ignore[import-not-found,unused-ignore]

        files = self.context.parallelize(range(len(self.files)), len(self.files))
        found = files.flatMap(self._found).persist(StorageLevel.DISK_ONLY)
        told: List[str] = []
        try:
            found.count()
            with room() as r:
                saved = [f"{r}/{n}.zst" for n in range(len(self.files))]
                for n, block in found.toLocalIterator():
                    with open(saved[n], "ab") as f:
                        f.write(block)
                merge = self.tool("decide", f"--output={table}", "--stats=json", "--", *saved)
                list(piped([merge], None, told, table if self.keep_going else None))
        finally:
            found.unpersist()
        stats = loads(next(line for line in told if line.startswith('{"records":')))
        records, dropped = stats["records"], stats["overlapping_records"]
        return Result(records, records - dropped, dropped, notes(self.told.value))

    # The methods below run in the tasks.

    def _sign(self, n: int) -> Iterator[Block]:
        with self.shard(n) as r:
            keys = self.tool("keys", f"--parts={self.parts}", f"--into={r}/keys")
            list(self.lines([self.tool("sign", "--", self.files[n]), keys], proof=f"{r}/keys", cwd=f"{r}/shard"))
            with open(f"{r}/keys.parts") as index:
                sizes = [int(line) for line in index]
            with open(f"{r}/keys", "rb") as f:
                for part, left in enumerate(sizes):
                    while left > 0:
                        # readlines(n) returns lines until their total size exceeds n. With
                        # n = left - 1 it stops after the line that reaches the end of the part.
                        block = b"".join(f.readlines(min(left, _BLOCK) - 1))
                        if not 0 < len(block) <= left:
                            raise Error(f"{self.files[n]}: part {part + 1} of the keys does not end with a line")
                        left -= len(block)
                        yield part, block
                if f.read(1):
                    raise Error(f"{self.files[n]}: keys after the last part")

    def _found(self, n: int) -> Iterator[Block]:
        with self.shard(n) as r:
            saved = f"{r}/found.zst"
            find = self.tool("sign", f"--save={saved}", "--", self.files[n])
            list(self.lines([find], proof=saved, cwd=f"{r}/shard"))
            with open(saved, "rb") as f:
                while block := f.read(_BLOCK):
                    yield n, block

    def _wanted(self, pairs: Block) -> Iterator[Tuple[int, Tuple[bytes, int]]]:
        for id in {id for line in pairs[1].splitlines() for id in columns(line)}:
            yield self.place(id)[0], (id, pairs[0])

    def _texts(self, n: int, wanted: Iterable[Tuple[bytes, int]]) -> Iterator[Tuple[int, Tuple[bytes, bytes]]]:
        bins: Dict[bytes, Set[int]] = {}
        full: Dict[int, bytearray] = {}
        for id, bin in wanted:
            bins.setdefault(id, set()).add(bin)
        if not bins:
            return
        with self.shard(n) as r:
            write(f"{r}/ids", (id + b"\n" for id in bins))
            command = self.tool("texts", f"--keep={r}/ids", f"--stats={r}/stats", "--", self.files[n])
            for line in self.lines([command], proof=f"{r}/stats", cwd=f"{r}/shard"):
                for bin in bins[line[: line.index(b"\t")]]:
                    block = full.setdefault(bin, bytearray())
                    block += line
                    if len(block) >= _BLOCK:
                        yield bin, (b"", bytes(full.pop(bin)))
        yield from ((bin, (b"", bytes(block))) for bin, block in full.items())

    def _score(self, both: Iterable[Tuple[bytes, bytes]]) -> Iterator[bytes]:
        with room() as r:
            with open(f"{r}/pairs", "wb") as pairs, open(f"{r}/texts", "wb") as texts:
                for p, t in both:
                    pairs.write(p)
                    texts.write(t)
            yield from self.lines([["sort", f"{r}/pairs"], self.tool("verify", f"--texts={r}/texts")])

    def _apply(self, n: int, lines: Iterable[Tuple[bytes, bytes]]) -> _Done:
        out, pairs, decisions = self.places
        name, of = self.names[n], {b"d": [], b"s": []}  # type: Tuple[str, Dict[bytes, List[bytes]]]
        for kind, line in lines:
            of[kind].append(line)
        of[b"d"].sort(key=lambda d: self.place(columns(d)[1]))
        of[b"s"].sort(key=lambda s: list(map(self.place, columns(s)[:2])))
        stored = []
        with self.shard(n) as r:
            for to, kind in ((pairs, b"s"), (decisions, b"d")):
                if to and _objects.remote(to):
                    write(f"{r}/lines", of[kind])
                    stored.append(_objects.store(f"{r}/lines", f"{to}/{name}.tsv{_PART}"))
                elif to:
                    os.makedirs(os.path.dirname(f"{to}/{name}"), exist_ok=True)
                    write(f"{to}/{name}.tsv", of[kind])
            write(f"{r}/decisions", of[b"d"])
            kept = f"{out}/{name}" if out and not _objects.remote(out) else f"{r}/kept/{name}"
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            lists = [f"--decisions={r}/decisions", f"--stats={r}/stats", f"--output={kept}"]
            list(self.lines([self.tool("apply", *lists, "--", self.files[n])], proof=f"{r}/stats", cwd=f"{r}/shard"))
            if out and _objects.remote(out):
                stored.append(_objects.store(kept, f"{out}/{name}{_PART}"))
            with open(f"{r}/stats") as f:
                counts: Dict[str, int] = loads(f.read())
                return counts, stored

    @contextmanager
    def shard(self, n: int) -> Iterator[str]:
        """Yield a scratch directory that contains a directory named shard. Commands that run in
        this directory can open file n by its name. If the file is an object, it is copied there.
        """
        with room() as r:
            os.mkdir(f"{r}/shard")
            if o := self.objects.get(self.files[n]):
                copy = f"{r}/shard/{self.files[n]}"
                os.makedirs(os.path.dirname(copy))
                _objects.fetch(o, copy)
            yield r

    def place(self, id: bytes) -> Tuple[int, int, int]:
        """Parse an id, and return the number of the file, the ordinal of the record in the file,
        and the offset at which a part of the record starts, or 0 for a complete record."""
        name, _, ordinal = id.rpartition(b":")
        record, _, part = ordinal.partition(b"#")
        return self.numbers[name], int(record), int(part.partition(b"-")[0] or 0)

    def each(self, *commands: List[str]) -> Callable[[Iterable[bytes]], Iterator[bytes]]:
        return lambda blocks: self.lines(commands, blocks)

    def lines(self, commands: Sequence[List[str]], blocks: Any = None, proof: Optional[str] = None,
              cwd: Optional[str] = None) -> Iterator[bytes]:  # fmt: skip
        """Run commands on blocks, in a directory. With keep_going, exit status 2 is accepted if a
        file with the name in proof exists: bad records were then skipped, but nothing else failed.
        """
        from pyspark import TaskContext  # type: ignore[import-not-found,unused-ignore]

        told: List[str] = []
        yield from piped(commands, blocks, told, proof if self.keep_going else None, cwd)
        task: Any = TaskContext.get()
        self.told.add(frozenset((task.partitionId(), t) for t in told))


def main(words: Sequence[str]) -> None:
    """spark-submit spark.py fuzzy|exact DATA OUT [--parts=64 --threshold=0.8 ...]"""
    from pyspark.sql import SparkSession  # type: ignore[import-not-found,unused-ignore]

    jobs: Dict[str, Callable[..., Result]] = {"fuzzy": fuzzy, "exact": exact}
    if len(words) < 3 or words[0] not in jobs:
        sys.exit(f"usage: {main.__doc__}")
    options: Dict[str, Any] = {w[2:].split("=")[0].replace("-", "_"): w.partition("=")[2] or True for w in words[3:]}
    options.update({name: int(options[name]) for name in ("parts", "at_once") if name in options})
    result = jobs[words[0]](SparkSession.builder.appName("doppel").getOrCreate(), *words[1:3], **options)
    print(*result.notes, f"{result.records} records, {result.kept} kept, {result.dropped} dropped", sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
