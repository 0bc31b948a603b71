"""DuckDB: the DISTINCT texts, without their ids."""
import duckdb

from records import data, kept, parquet, scratch

columns = "{text: 'VARCHAR'}"
lines = f"read_json('{data}', format='newline_delimited', columns={columns})"
table = f"read_parquet('{data}')" if parquet else lines
db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT DISTINCT text FROM {table})
    TO '{kept}' (FORMAT json)""")
