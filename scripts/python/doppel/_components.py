"""Connected components of a graph too large for one machine, by large-star and small-star
(Kiveris et al., Connected Components in MapReduce and Beyond, SoCC 2014).

An edge is a line of two ids. A large-star connects each later neighbour of a record to
the least of the record and its neighbours; a small-star does the same with the earlier
neighbours. When neither changes anything, a star is left for each component, around its
least id. The number of edges never grows, and the number of rounds is about the logarithm
of the longest path: 18 for a path of 100,000 records.

The program sort, which spills to disk, sorts each partition, so a partition need not fit in
memory. All edges of a record are in one partition, but no record has so many verified pairs that
its partition becomes too large.
"""

from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple
from zlib import crc32

from ._partitions import columns

Run = Callable[..., Callable[[Iterable[bytes]], Iterator[bytes]]]

_SORT = ["sort", "-u"]
# Both commands read sorted lines "a b", so all lines with the same a are adjacent, and the line
# with the least b comes first.
_LARGE = ["awk", "-F\t", '$1 "" != a "" { a = $1; least = $2 "" < a "" ? $2 : a } $2 "" > a "" { print $2 "\t" least }']
_SMALL = ["awk", "-F\t", '$1 "" != a "" { a = $1; least = $2; print } $2 "" != least "" { print $2 "\t" least }']


def components(edges: Any, parts: int, run: Run) -> Any:
    """Return an RDD with a line for each record that is not the least of its component. The line
    contains the record and the least record of the component. edges is an RDD of lines that begin
    with the two ids of an edge. run returns a function that runs commands on the lines of a
    partition. Each round shuffles all edges three times."""
    from pyspark import StorageLevel  # type: ignore[import-not-found,unused-ignore]

    def parted(lines: Any, *commands: List[str]) -> Any:
        keyed = lines.map(lambda line: (line[: line.index(b"\t")], line))
        return keyed.partitionBy(parts, crc32).values().mapPartitions(run(_SORT, *commands))

    before: Optional[Tuple[int, int]] = None
    while True:
        stars = parted(parted(edges.flatMap(ways), _LARGE), _SMALL)
        stars = parted(stars).persist(StorageLevel.DISK_ONLY)
        now = stars.map(lambda line: (1, crc32(line))).fold((0, 0), added)
        if before:
            edges.unpersist()
        if now == before:
            return stars
        before, edges = now, stars


def ways(edge: bytes) -> List[bytes]:
    r"""Return both directions of an edge.

    >>> ways(b"a\tb\n")
    [b'a\tb\n', b'b\ta\n']
    """
    a, b = columns(edge)[:2]
    return [b"%b\t%b\n" % (a, b), b"%b\t%b\n" % (b, a)]


def added(a: Tuple[int, int], b: Tuple[int, int]) -> Tuple[int, int]:
    """Add two pairs. A pair is a number of lines and the sum of the checksums of these lines."""
    return a[0] + b[0], a[1] + b[1]
