"""DuckDB: the ids of the records with a text that occurred before."""
from records import scratch
from tables import copy, numbered

copy(f"SELECT id FROM {numbered('id')} WHERE n > 1", f"{scratch}/gone", "HEADER false")
