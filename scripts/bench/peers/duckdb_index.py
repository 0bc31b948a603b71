"""Runs DuckDB to list the ids of the records whose text is new, and to add the SHA-256 of their texts
to a table with a primary key, in a database in the directory SCRATCH."""
import duckdb

from records import scratch, write
from tables import table

db = duckdb.connect(f"{scratch}/seen.duckdb", config={"temp_directory": scratch})
db.execute("CREATE TABLE IF NOT EXISTS seen(sum BLOB PRIMARY KEY, id VARCHAR)")
db.execute(f"INSERT OR IGNORE INTO seen SELECT unhex(sha256(text)), id FROM {table('id', 'text')} RETURNING id")
write(name for name, in db.fetchall())
