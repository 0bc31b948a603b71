"""DuckDB: the first record of each text, found by SHA-256."""
import duckdb

from records import data, kept, parquet, scratch

columns = "{id: 'VARCHAR', text: 'VARCHAR'}"
lines = f"read_json('{data}', format='newline_delimited', columns={columns})"
table = f"read_parquet('{data}')" if parquet else lines
db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT)) AS n
            FROM {table})
          WHERE n = 1) TO '{kept}' (HEADER false)""")
