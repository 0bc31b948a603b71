"""What the drivers of databases share: the table that they read, and the form in
which they write it again, which is that of the input. CODEC is that of Parquet."""
import os

from records import data, parquet, scratch

codec = os.environ.get("CODEC") or "uncompressed"
codec = {"none": "uncompressed"}.get(codec, codec)
output = f"{scratch}/out.{data.rsplit('/', 1)[1].split('.', 1)[1] if not parquet else 'parquet'}"


def table(*names):
    """DuckDB's table of columns of the input."""
    columns = ", ".join(f"{name}: 'VARCHAR'" for name in names)
    lines = f"read_json('{data}', format='newline_delimited', columns={{{columns}}})"
    return f"read_parquet('{data}')" if parquet else lines


def numbered(columns):
    """DuckDB's table of columns, and n, which of the records with its text each is."""
    number = "row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT))"
    return f"(SELECT {columns}, {number} AS n FROM {table('id', 'text')})"


def copy(query, to, form):
    """Have DuckDB write what a query gives."""
    import duckdb

    duckdb.connect(config={"temp_directory": scratch}).execute(f"COPY ({query}) TO '{to}' ({form})")
