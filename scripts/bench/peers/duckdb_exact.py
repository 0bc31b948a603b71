"""DuckDB: the first record of each text, found by SHA-256."""
import duckdb

from records import data, kept, scratch

db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY sha256(text) ORDER BY CAST(id AS BIGINT)) AS n
            FROM read_json('{data}', format='newline_delimited', columns={{id: 'VARCHAR', text: 'VARCHAR'}}))
          WHERE n = 1) TO '{kept}' (HEADER false)""")
