# Writes the Parquet files in this directory: one table with the usual types of
# datasets, in the forms that pyarrow writes. Run: python3 arrow.py
import datetime
import decimal
import os

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 40
table = pa.table({
    "id": [f"r{i}" for i in range(ROWS)],
    "text": [f"some words here {i % 35} " * 4 for i in range(ROWS)],
    "tags": [[f"t{j}" for j in range(i % 4)] if i % 5 else None for i in range(ROWS)],
    "meta": pa.array([{"x": i, "y": str(i)} for i in range(ROWS)], pa.struct([("x", pa.int32()), ("y", pa.string())])),
    "entries": pa.array([[("k", i)] * (i % 3) for i in range(ROWS)], pa.map_(pa.string(), pa.int64())),
    "time": [datetime.datetime(2024, 1, 1, 0, i) for i in range(ROWS)],
    "price": pa.array([decimal.Decimal(i) for i in range(ROWS)], pa.decimal128(10, 2)),
    "flag": [i % 2 == 0 for i in range(ROWS)],
    "real": [i / 7 for i in range(ROWS)],
})
here = os.path.dirname(os.path.abspath(__file__))
for name, options in {
    "arrow-plain": {"compression": "none", "use_dictionary": False, "store_schema": False},
    "arrow-snappy": {"compression": "snappy", "row_group_size": 15},
    "arrow-gzip": {"compression": "gzip", "row_group_size": 25, "store_schema": False},
    "arrow-zstd": {"compression": "zstd", "data_page_size": 200, "write_page_index": True, "store_schema": False},
}.items():
    pq.write_table(table, os.path.join(here, name + ".parquet"), **options)
