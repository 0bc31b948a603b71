"""The stages that the program would run, as the program itself prints them.

Because the program itself plans the stages, every option of doppel fuzzy has the same name here
and reaches its stage, and an invalid option is rejected with the program's message.
"""

import json
import os
from typing import FrozenSet, List, Mapping, Optional, Sequence, Union

from ._program import program, run

One = Union[str, int, float, os.PathLike]  # type: ignore[type-arg]
Option = Union[One, Sequence[One]]

# Options that this package sets, or that would change the form of the output.
_TAKEN = frozenset(
    "annotate count duplicates dry_run field files help id json keep_going lines output ordinals print progress "
    "no_progress parts removed stats text verbose version with_filename plan sizes sample machines cores".split()
)

# Options that would change the lines read here, or have no effect on them.
LINES = frozenset("codec decisions header ids least level split to".split())

# Options that apply to files, and not to rows.
ROWS = LINES | frozenset("across by cluster_size csv encoding force_field missing name quote repeat separator within".split())

# Options that the function overlap sets itself, or that apply to files or to runs on many machines.
OVERLAP = frozenset("encoding merge missing name quote save separator test".split())

# Options that have no effect on the pairs of rows.
PAIRS = frozenset("against against_field against_id counts groups keep only_against policy rank report save scores".split())


def flags(options: Mapping[str, Option], refused: FrozenSet[str] = frozenset()) -> List[str]:
    """Return options as flags. A list becomes one flag for each of its values.

    >>> flags({"recall": .95, "verify": True, "against": ["a", "b"]})
    ['--recall=0.95', '--verify=true', '--against=a', '--against=b']
    >>> flags({"to": "csv"}, LINES)
    Traceback (most recent call last):
    TypeError: to is not an option here
    """
    for name in options:
        if name in _TAKEN or name in refused:
            raise TypeError(f"{name} is not an option here")
    return [f"--{name.replace('_', '-')}={encoded(name, _value(one))}" for name, v in options.items() for one in _each(v)]


def encoded(name: str, value: str) -> str:
    """Return a value, or raise ValueError if a command line cannot contain it.

    >>> encoded("rank", "\\ud83d")
    Traceback (most recent call last):
    ValueError: rank: '\\ud83d' has a lone surrogate
    """
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {ascii(value)} has a lone surrogate") from None
    return value


def _each(v: Option) -> Sequence[One]:
    return v if isinstance(v, (list, tuple)) else [v]  # type: ignore[list-item]


def _value(v: One) -> str:
    if isinstance(v, bool):
        return str(v).lower()
    return os.fspath(v) if isinstance(v, os.PathLike) else str(v)


def stages(arguments: List[str], files: List[str], scored: bool) -> Optional[List[List[str]]]:
    """Return the commands of doppel fuzzy that write the decisions or, if scored is true, the
    scored pairs. The commands run the same program that planned them, whatever is on PATH. Return
    None if the decisions need more than one chain: only the function decide can make such
    decisions."""
    if scored:  # only this policy has a stage that writes the scored pairs
        arguments = [*arguments, "--policy=components"]
    plan = json.loads(run(["fuzzy", "--print=json", *arguments, "--", *files]))
    if len(plan["steps"]) != 2:  # the two steps are a chain that decides, and keepdrop
        return None
    commands: List[List[str]] = plan["steps"][0]["stages"]
    return [[program(), *c] for c in commands[: 3 if scored else None]]


def decide(job: str, arguments: List[str], files: List[str], output: str) -> None:
    """Run doppel fuzzy or exact completely, but write only the decisions; output names the file."""
    to = [f"--decisions={output}", f"--output={os.devnull}", "--stats=none"]
    run([job, *to, *arguments, "--", *files])
