"""DuckDB: the first record of each text, in the form in which it came."""
import duckdb

from records import parquet, scratch
from tables import codec, output, table

form = f"FORMAT parquet, COMPRESSION {codec}" if parquet else "FORMAT json"
db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT * EXCLUDE n FROM (
            SELECT *, row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT)) AS n
            FROM {table})
          WHERE n = 1) TO '{output}' ({form})""")
