"""Runs DuckDB to write the first record with each text, in the format of the input."""
from records import parquet
from tables import codec, copy, numbered, output

form = f"FORMAT parquet, COMPRESSION {codec}" if parquet else "FORMAT json"
copy(f"SELECT * EXCLUDE n FROM {numbered('*')} WHERE n = 1", output, form)
