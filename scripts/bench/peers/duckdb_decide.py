"""Runs DuckDB to list the ids of the records whose text occurs in an earlier record."""
from records import scratch
from tables import copy, numbered

copy(f"SELECT id FROM {numbered('id')} WHERE n > 1", f"{scratch}/gone", "HEADER false")
