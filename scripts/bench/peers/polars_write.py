"""Runs Polars in streaming mode to write the first record with each text, in the format of the
input."""
import polars

from records import data, parquet
from tables import codec, output

rows = polars.scan_parquet(data) if parquet else polars.scan_ndjson(data)
first = rows.unique("text", keep="first", maintain_order=True)
if parquet:
    first.sink_parquet(output, compression=codec, engine="streaming")
else:
    first.sink_ndjson(output, engine="streaming")
