"""Passages, with the program's offsets in bytes converted to offsets in characters."""

import re
from bisect import bisect_left
from typing import Dict, Iterable, List, Sequence, Set, Tuple, Union

from ._lines import Passage, part
from ._texts import encoded

Id = Union[int, str]  # a row, or the id of a record in a file named by the option "against"
Place = Tuple[Id, int]  # a row and an offset in bytes

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def passages(lines: Iterable[bytes], texts: Iterable[Sequence[str]]) -> List[Passage]:
    r"""Return the passages that are dropped by decisions on parts of texts.

    >>> passages([b"drop\t1#2-4\t0#0-2\t1.0000\tpassage>=2\n"], [["é", "ñé"]])
    [Passage(id=1, start=1, end=2, kept=0, kept_start=0, kept_end=1, reason='passage>=2')]
    """
    found = [line.decode().rstrip("\n").split("\t") for line in lines]
    at = _characters({place for f in found for name in f[1:3] for place in _places(name)}, texts)
    return [_passage(f, at) for f in found]


def _places(name: str) -> List[Place]:
    if name == "-":
        return []
    id, start, end = part(name)
    return [(id, start), (id, end)]


def _passage(fields: Sequence[str], at: Dict[Place, int]) -> Passage:
    start, end = _places(fields[1])
    assert isinstance(start[0], int)
    kept, kept_start, kept_end = None, None, None
    if first := _places(fields[2]):
        kept, kept_start, kept_end = first[0][0], at.get(first[0]), at.get(first[1])
    return Passage(start[0], at[start], at[end], kept, kept_start, kept_end, fields[4])


def _characters(places: Set[Place], texts: Iterable[Sequence[str]]) -> Dict[Place, int]:
    """Return, for each place, the number of characters before it in the text of its row."""
    wanted: Dict[Id, List[int]] = {}
    for id, offset in places:
        wanted.setdefault(id, []).append(offset)
    found: Dict[Place, int] = {}
    first = 0
    for batch in texts:
        for id in range(first, first + len(batch)):
            if id in wanted:
                _count(found, id, batch[id - first], wanted[id])
        first += len(batch)
    return found


def _count(found: Dict[Place, int], id: int, text: str, offsets: List[int]) -> None:
    found[id, -1] = len(text)
    if text.isascii():
        found.update(((id, o), o) for o in offsets if o >= 0)
        return
    raw = encoded(text)
    # encoded() makes a single character of the two characters of a surrogate pair.
    pairs = [m.start() - n for n, m in enumerate(_PAIR.finditer(text))]
    done = characters = 0
    for o in sorted(o for o in offsets if o >= 0):
        characters += len(raw[done:o].decode("utf-8", "surrogatepass"))
        found[id, o], done = characters + bisect_left(pairs, characters), o
