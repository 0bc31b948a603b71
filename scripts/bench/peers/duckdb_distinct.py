"""DuckDB: the DISTINCT texts, without their ids."""
import duckdb

from records import data, kept, scratch

db = duckdb.connect(config={"temp_directory": scratch})
db.execute(f"""
    COPY (SELECT DISTINCT text FROM read_json('{data}', format='newline_delimited', columns={{text: 'VARCHAR'}}))
    TO '{kept}' (FORMAT json)""")
