"""Functions and variables that the drivers of DuckDB and Polars share. They describe the table to
read and the output, which has the format of the input. The environment variable CODEC names the
compression codec of Parquet output."""
import os

from records import data, parquet, scratch

codec = os.environ.get("CODEC") or "uncompressed"
codec = {"none": "uncompressed"}.get(codec, codec)
output = f"{scratch}/out.{data.rsplit('/', 1)[1].split('.', 1)[1] if not parquet else 'parquet'}"


def table(*names):
    """Return a DuckDB expression for the input table with the named columns."""
    columns = ", ".join(f"{name}: 'VARCHAR'" for name in names)
    lines = f"read_json('{data}', format='newline_delimited', columns={{{columns}}})"
    return f"read_parquet('{data}')" if parquet else lines


def numbered(columns):
    """Return a DuckDB subquery with the given columns and a column n, which numbers, from 1, the
    records with the same text."""
    number = "row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT))"
    return f"(SELECT {columns}, {number} AS n FROM {table('id', 'text')})"


def copy(query, to, form):
    """Write the result of a query with DuckDB."""
    import duckdb

    duckdb.connect(config={"temp_directory": scratch}).execute(f"COPY ({query}) TO '{to}' ({form})")
