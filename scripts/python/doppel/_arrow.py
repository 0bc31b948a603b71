"""Decisions and pairs as Arrow tables, for whoever has pyarrow."""

from typing import IO, Any, Dict

_WHOLE, _SHARE = "int64", "float64"

DECISIONS = {"verdict": "string", "id": _WHOLE, "kept": _WHOLE, "score": _SHARE, "reason": "string"}
PAIRS = {
    "a": _WHOLE,
    "b": _WHOLE,
    "score": _SHARE,
    "a_in_b": _SHARE,
    "b_in_a": _SHARE,
    "a_size": _WHOLE,
    "b_size": _WHOLE,
}


def table(lines: IO[bytes], columns: Dict[str, str]) -> Any:
    """Return lines of columns as a pyarrow.Table, in which - is null."""
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow import csv

    types = {name: pa.type_for_alias(kind) for name, kind in columns.items()}
    if not lines.read(1):
        return pa.schema(list(types.items())).empty_table()
    lines.seek(0)
    return csv.read_csv(
        lines,
        read_options=csv.ReadOptions(column_names=list(columns)),
        parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types, null_values=["-"]),
    )
