"""Connected components of a graph that no machine holds, by large-star and small-star
(Kiveris et al., Connected Components in MapReduce and Beyond, SoCC 2014).

An edge is a line of two ids. In a large-star, each record is joined with all that it
is joined with; those behind it are joined with the least of them instead. In a
small-star the same is done with those before it. When both change nothing, what is left
is a star for each component, around its least id. Edges never become more, and rounds
are about the logarithm of the longest path: a chain of 100,000 took 18.

A partition is sorted, so that sort, which spills, holds it, and not Python. All edges of
one record are in one partition: verified pairs have no hub that would be too much for it.
"""

from typing import Any, Callable, Iterable, Iterator, List, Optional, Tuple
from zlib import crc32

from ._partitions import columns

Run = Callable[..., Callable[[Iterable[bytes]], Iterator[bytes]]]

_SORT = ["sort", "-u"]
# Lines "a b", sorted, in which all b of an a are next to each other, the least one first.
_LARGE = ["awk", "-F\t", '$1 "" != a "" { a = $1; least = $2 "" < a "" ? $2 : a } $2 "" > a "" { print $2 "\t" least }']
_SMALL = ["awk", "-F\t", '$1 "" != a "" { a = $1; least = $2; print } $2 "" != least "" { print $2 "\t" least }']


def components(edges: Any, parts: int, run: Run) -> Any:
    """Return, of an RDD of lines a, b, one of lines of each record that is not the least of
    its component and of the one that is. run makes a function on the lines of a partition
    of commands. Costs three shuffles of all edges a round."""
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
    """Return how many lines there are in two sets, and the sum of their checksums."""
    return a[0] + b[0], a[1] + b[1]
