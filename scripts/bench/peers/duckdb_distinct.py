"""Runs DuckDB to write the DISTINCT texts, without their ids."""
from records import kept
from tables import copy, table

copy(f"SELECT DISTINCT text FROM {table('text')}", kept, "FORMAT json")
