"""Functions that process the lines of a partition, independent of an engine such as Spark."""

import re
from itertools import islice
from typing import Dict, FrozenSet, Iterable, Iterator, List, Set, Tuple
from zlib import crc32

Block = Tuple[int, bytes]  # the number that selects the partition, and whole lines
Told = FrozenSet[Tuple[int, str]]  # messages, with the number of the partition


class Telling:
    """An AccumulatorParam of PySpark that forms the union of the messages of partitions, so the
    messages of a partition that is run twice count once."""

    def zero(self, _: Told) -> Told:
        return frozenset()

    def addInPlace(self, a: Told, b: Told) -> Told:
        return a | b


def columns(line: bytes) -> List[bytes]:
    """Return the columns of a line."""
    return line.rstrip(b"\n").split(b"\t")


def least(pairs: Iterable[Tuple[bytes, bytes]]) -> Iterator[Tuple[bytes, Tuple[bytes, bool]]]:
    """Yield each of the pairs (b, a) once as (a, (b, False)). For each b, also yield
    (b, (a, True)), where a is the least record paired with b.

    >>> sorted(least([(b"2", b"0"), (b"2", b"1"), (b"2", b"0")]))
    [(b'0', (b'2', False)), (b'1', (b'2', False)), (b'2', (b'0', True))]
    """
    seen: Set[Tuple[bytes, bytes]] = set(pairs)
    of: Dict[bytes, bytes] = {}
    for b, a in seen:
        of[b] = min(a, of.get(b, a))
        yield a, (b, False)
    yield from ((b, (a, True)) for b, a in of.items())


def binned(messages: Iterable[Tuple[bytes, Tuple[bytes, bool]]]) -> Iterator[Block]:
    """Yield the lines of pairs, each with the number that selects its partition. The number is
    derived from the least record that the first record of the pair is paired with, or from the
    first record itself if it is paired with no earlier one.

    >>> [line for _, line in binned([(b"2", (b"3", False)), (b"2", (b"0", True))])]
    [b'2\\t3\\n']
    """
    pairs, least = [], {}
    for a, (other, is_least) in messages:
        if is_least:
            least[a] = other
        else:
            pairs.append((a, other))
    yield from ((crc32(least.get(a, a)), b"%b\t%b\n" % (a, b)) for a, b in pairs)


def blocks(bin: int, lines: Iterable[bytes]) -> Iterator[Block]:
    """Yield the lines of a bin in blocks of up to 10,000 lines."""
    lines = iter(lines)
    while block := b"".join(islice(lines, 10000)):
        yield bin, block


def led(items: Iterable[Tuple[bytes, Tuple[bytes, bytes]]]) -> Iterator[Block]:
    """Yield lines, each with the number that selects its partition. The number is derived from
    the leader of the line's first id, or from that id itself if it has no leader. A leader is an
    id that represents a component."""
    leaders, lines = {}, []
    for id, (leader, line) in items:
        if leader:
            leaders[id] = leader
        else:
            lines.append((id, line))
    yield from ((crc32(leaders.get(id, id)), line) for id, line in lines)


def notes(told: Told) -> List[str]:
    """Return the messages, with all messages about hot buckets combined into one.

    >>> notes(frozenset((n, f"keypairs: {n} pairs in 1 hot bucket left out; the largest has {n} members") for n in (3, 4)))
    ['keypairs: 7 pairs in 2 hot buckets left out; the largest has 4 members']
    """
    hot = re.compile(r"keypairs: (\d+) pairs? in (\d+) hot buckets? left out; the largest has (\d+) members")
    found = [tuple(map(int, m.groups())) for _, line in told if (m := hot.match(line))]
    rest = sorted({line for _, line in told if not hot.match(line)})
    if found:
        n, buckets, largest = zip(*found)
        left = f"{sum(n)} pairs in {sum(buckets)} hot buckets left out"
        rest.append(f"keypairs: {left}; the largest has {max(largest)} members")
    return rest
