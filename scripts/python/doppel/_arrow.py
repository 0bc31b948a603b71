"""Decisions and pairs as Arrow tables, for callers with pyarrow."""

from typing import IO, Any, Optional, Type, Union, get_type_hints

_KINDS = {str: "string", int: "int64", float: "float64", Optional[float]: "float64"}


def table(lines: IO[bytes], row: Type[Any], foreign: bool) -> Any:
    """Return a pyarrow.Table from lines whose columns are the fields of row, a NamedTuple class.
    The value "-" becomes null. The column "kept" contains numbers, or texts if foreign
    is true, because a kept row may then be in a file named by the option "against"."""
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyarrow import csv

    kinds = {**_KINDS, Union[int, str, None]: "string" if foreign else "int64"}
    types = {name: pa.type_for_alias(kinds[kind]) for name, kind in get_type_hints(row).items()}
    if not lines.read(1):
        return pa.schema(list(types.items())).empty_table()
    lines.seek(0)
    return csv.read_csv(
        lines,
        read_options=csv.ReadOptions(column_names=list(types)),
        parse_options=csv.ParseOptions(delimiter="\t", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types, null_values=["-"], strings_can_be_null=True),
    )
