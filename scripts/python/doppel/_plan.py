"""The options of the functions, and the flags of the program that they become.

Every option of a command has the same name here, and its value is checked by the program. The types
are in _options.py, which is written from the flags of the program.
"""

from __future__ import annotations

import difflib
import inspect
import os
from typing import Any, Callable, FrozenSet, List, Mapping, Sequence, TypeVar, Union

One = Union[str, int, float, os.PathLike]  # type: ignore[type-arg]
Option = Union[One, Sequence[One]]

# Options that this package sets, or that would change the form of the output.
TAKEN = frozenset(
    "annotate count duplicates dry_run field files help id json keep_going lines output ordinals print progress "
    "no_progress parts removed manifest finished stats text verbose version with_filename plan sizes sample machines cores batch".split()
)

# Options that apply to files, and not to rows.
ROWS = frozenset("by codec csv decisions encoding estimate header index least level name no_partitions no_wait quote repeat separator split to tree".split())

# Options that overlap sets itself, or that apply to runs on many machines.
OVERLAP = frozenset("encoding merge name no_partitions quote save separator test csv header show".split())

# Options that have no effect on pairs.
PAIRS = frozenset(
    "against against_field against_id by cluster_size counts estimate force_field groups index keep no_wait only_against policy rank report repeat save scores timed".split()
)

Function = TypeVar("Function", bound=Callable[..., Any])


class _Shown(str):
    """A type or a default as help shows it, without quotes."""

    __repr__ = str.__str__


def typed(options: Any) -> Callable[[Function], Function]:
    """Return a decorator that adds the options to the signature of a function, for help and for
    completion in notebooks."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        own = list(signature.parameters.values())[:-1]
        kind, names = inspect.Parameter.KEYWORD_ONLY, [p.name for p in own]
        more = [(name, getattr(a, "__forward_arg__", a)) for name, a in options.__annotations__.items() if name not in names]
        parameters = [p.replace(annotation=_Shown(p.annotation)) for p in own]
        parameters += [inspect.Parameter(name, kind, default=_Shown("..."), annotation=_Shown(a)) for name, a in more]
        shown = signature.replace(parameters=parameters, return_annotation=_Shown(signature.return_annotation))
        function.__signature__ = shown  # type: ignore[attr-defined]
        return function

    return decorate


# Names that other libraries have for some of the options.
_ELSEWHERE = {
    "column": "text", "columns": "text", "field": "text", "subset": "text", "on": "text", "col": "text", "similarity": "threshold",
    "jaccard_threshold": "threshold", "keep": "rank", "sort": "rank", "order_by": "rank", "n_jobs": "jobs", "num_proc": "jobs", "num_perm": "slots",
    "ngram": "shingle", "ngram_size": "shingle", "by": "within", "groupby": "within", "reference": "against", "verbose": "progress",
}  # fmt: skip


def known(function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise TypeError, as Python does, if the function does not have one of the options."""
    names = list(inspect.signature(function).parameters)
    for name in options:
        if name not in names:
            near = [_ELSEWHERE[name]] if _ELSEWHERE.get(name) in names else difflib.get_close_matches(name, names, 1)
            raise TypeError(
                f"{function.__name__}() got an unexpected keyword argument {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
            )


def flags(job: str, options: Mapping[str, Any], refused: FrozenSet[str] = frozenset()) -> List[str]:
    """Return options as flags. A list becomes one flag for each of its values.

    >>> flags("fuzzy", {"recall": .95, "counts": True, "against": ["a", "b"]})
    ['--recall=0.95', '--counts=true', '--against=a', '--against=b']
    >>> flags("fuzzy", {"to": "csv"}, ROWS)
    Traceback (most recent call last):
    TypeError: to is not an option of fuzzy for rows
    """
    for name in options:
        if name in refused:
            raise TypeError(f"{name} is not an option of {job} for rows")
        if name in TAKEN:
            raise TypeError(f"{name} is not an option of {job}")
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
