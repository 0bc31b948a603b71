"""What the drivers of databases share: the table that they read, and the form in
which they write it again, which is that of the input. CODEC is that of Parquet."""
import os

from records import data, parquet, scratch

codec = os.environ.get("CODEC") or "uncompressed"
codec = {"none": "uncompressed"}.get(codec, codec)
output = f"{scratch}/out.{data.rsplit('/', 1)[1].split('.', 1)[1] if not parquet else 'parquet'}"
columns = "{id: 'VARCHAR', text: 'VARCHAR'}"
lines = f"read_json('{data}', format='newline_delimited', columns={columns})"
table = f"read_parquet('{data}')" if parquet else lines
