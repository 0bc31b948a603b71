"""Runs DuckDB to list the id of the first record with each text; texts are compared by SHA-256."""
from records import kept
from tables import copy, numbered

copy(f"SELECT id FROM {numbered('id')} WHERE n = 1", kept, "HEADER false")
