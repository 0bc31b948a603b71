"""The types of the options of each function. Written by scripts/python/options."""

from __future__ import annotations

import os
from typing import Any, Hashable, List, Literal, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
Size = Union[int, str]
Columns = Union[Hashable, List[Hashable]]


class FuzzyOptions(TypedDict, total=False):
    recall: float
    bands: int
    rows: int
    hot: int
    shingle: str
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    key: Path
    slots: int
    seed: int
    policy: Literal["greedy", "components"]
    rank: Hashable
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    max_record: Size
    mem: Size
    jobs: int
    within: Columns
    across: Columns
    expect: int
    no_sync: bool
    cluster_size: Hashable
    force_field: bool
    repeat: str
    tree: bool
    to: str
    codec: Literal["none", "snappy", "lz4_raw", "zstd"]
    level: int
    keep: Literal["best", "none"]
    counts: bool
    split: str
    least: int
    against: Any
    against_field: Union[str, List[str]]
    against_id: str
    only_against: bool
    save: Path
    index: str
    no_wait: bool
    estimate: bool
    scores: Path
    decisions: Path
    groups: Path
    report: Path
    by: Union[str, List[str]]
    timed: bool


class ExactOptions(TypedDict, total=False):
    normalize: Literal["none", "conservative", "balanced", "aggressive", "url"]
    cluster_size: Hashable
    force_field: bool
    repeat: str
    verify: bool
    against: Any
    save: Path
    index: str
    no_wait: bool
    within: Columns
    key: Path
    split: str
    least: Size
    min_left: Size
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    max_record: Size
    expect: int
    name: str
    mem: Size
    jobs: int
    tree: bool
    to: str
    codec: Literal["none", "snappy", "lz4_raw", "zstd"]
    level: int
    no_sync: bool
    rank: Hashable
    across: Columns
    decisions: Path
    report: Path
    by: Union[str, List[str]]
    timed: bool


class DecisionsOptions(TypedDict, total=False):
    recall: float
    bands: int
    rows: int
    hot: int
    shingle: str
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    key: Path
    slots: int
    seed: int
    policy: Literal["greedy", "components"]
    rank: Hashable
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    max_record: Size
    mem: Size
    jobs: int
    within: Columns
    across: Columns
    expect: int
    no_sync: bool
    keep: Literal["best", "none"]
    counts: bool
    against: Any
    against_field: Union[str, List[str]]
    against_id: str
    only_against: bool
    save: Path
    scores: Path
    groups: Path
    report: Path
    timed: bool


class LabelsOptions(TypedDict, total=False):
    recall: float
    bands: int
    rows: int
    hot: int
    shingle: str
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    key: Path
    slots: int
    seed: int
    rank: Hashable
    missing: Literal["error", "keep", "drop"]
    no_partitions: bool
    max_record: Size
    mem: Size
    jobs: int
    within: Columns
    across: Columns
    expect: int
    no_sync: bool
    against: Any
    against_field: Union[str, List[str]]
    against_id: str
    only_against: bool


class PairsOptions(TypedDict, total=False):
    recall: float
    bands: int
    rows: int
    hot: int
    shingle: str
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    key: Path
    slots: int
    seed: int
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    max_record: Size
    mem: Size
    jobs: int
    within: Columns
    across: Columns
    expect: int
    no_sync: bool


class ReportOptions(TypedDict, total=False):
    recall: float
    bands: int
    rows: int
    hot: int
    shingle: str
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    key: Path
    slots: int
    seed: int
    policy: Literal["greedy", "components"]
    rank: Hashable
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    max_record: Size
    mem: Size
    jobs: int
    within: Columns
    across: Columns
    expect: int
    no_sync: bool
    keep: Literal["best", "none"]
    counts: bool
    against: Any
    against_field: Union[str, List[str]]
    against_id: str
    only_against: bool
    save: Path
    scores: Path
    groups: Path
    by: Union[str, List[str]]


class PassagesOptions(TypedDict, total=False):
    length: Size
    normalize: Literal["balanced", "conservative"]
    against: Any
    against_field: Union[str, List[str]]
    against_id: str
    against_records: Union[Path, List[Path]]
    keep: Literal["first", "none"]
    copies: int
    bridge: float
    snap: Literal["byte", "utf8", "word", "line"]
    within: Columns
    across: Columns
    min_left: Size
    counts: bool
    missing: Literal["error", "keep", "drop"]
    csv: bool
    separator: str
    quote: str
    encoding: str
    no_partitions: bool
    jobs: int
    tree: bool
    to: str
    codec: Literal["none", "snappy", "lz4_raw", "zstd"]
    level: int
    expect: int
    mem: Size
    no_sync: bool
    report: Path
    by: Union[str, List[str]]
    timed: bool


class OverlapOptions(TypedDict, total=False):
    window: str
    coverage: float
    df: int
    test_df: int
    normalize: Literal["none", "conservative", "balanced", "aggressive"]
    common: Path
    decisions: Path
    cut: bool
    spoiled: Path
    report: Path
    missing: Literal["error", "keep", "drop"]
    max_record: Size
    expect: int
    jobs: int
    no_sync: bool


# The ranks that name no column, the first of which is the default, and what each needs to know of a row.
RANKS = {"first": "nothing", "last": "nothing", "longest": "size"}
ORDERS = tuple(name for name, need in RANKS.items() if need == "nothing")
