"""DuckDB: the ids of the records whose text stood before."""
import duckdb

from records import scratch
from tables import table

db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT)) AS n
            FROM {table})
          WHERE n > 1) TO '{scratch}/gone' (HEADER false)""")
