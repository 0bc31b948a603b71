"""The stages that the program would run, as it prints them.

So that every option of doppel fuzzy is known here by its own name, reaches the
stage that it is for, and is refused in the program's words.
"""

import json
import os
from typing import List, Mapping, Union

from ._program import program, run

Option = Union[str, int, float, os.PathLike]  # type: ignore[type-arg]

# What this package says itself, or what would change the form of the output.
_TAKEN = frozenset(
    "annotate count duplicates dry_run field files help id json keep_going lines output ordinals print progress "
    "no_progress removed stats text verbose version with_filename".split()
)


def flags(options: Mapping[str, Option]) -> List[str]:
    """Return options as flags.

    >>> flags({"recall": .95, "normalize": "none", "verify": True})
    ['--recall=0.95', '--normalize=none', '--verify=true']
    """
    for name in options:
        if name in _TAKEN:
            raise TypeError(f"{name} is not an option here")
    return [f"--{name.replace('_', '-')}={_value(v)}" for name, v in options.items()]


def _value(v: Option) -> str:
    if isinstance(v, bool):
        return str(v).lower()
    return os.fspath(v) if isinstance(v, os.PathLike) else str(v)


def stages(arguments: List[str], files: List[str], scored: bool) -> List[List[str]]:
    """Return the commands of doppel fuzzy that decide, or if scored those from
    recsign to the scored pairs, to be run by the program that planned them,
    whatever else is on PATH."""
    if scored:  # of the two policies this one has a stage that writes them
        arguments = [*arguments, "--policy=components"]
    plan = json.loads(run(["fuzzy", "--print=json", *arguments, "--", *files]))
    commands: List[List[str]] = plan["steps"][0]["stages"]
    return [[program(), *c] for c in commands[: 3 if scored else None]]
