#!/usr/bin/env python3
"""Makes testdata/peers: files of one dataset, written by pyarrow, pandas, polars, DuckDB,
fastparquet and Spark, and the expected rows as JSON lines. The script needs these six
libraries, and Java for Spark:

    python3 peers.py peers

The expected values are those in this script; no library reads them back. rows.jsonl is
the dataset, and files.tsv lists the number of rows and the columns of each file. The test
computes the values of the column "long" itself.
"""
import datetime as dt
import decimal
import json
import os
import shutil
import sys

import duckdb
import fastparquet
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

out = sys.argv[1]
N = 60


def row(i):
    """Returns the i-th record as a JSON object. Every seventh record has nulls."""
    null = i % 7 == 6
    return {
        "id": i,
        "text": None if null else f"text {i * i} é",
        "lang": ["en", "de", "zh"][i % 3],
        "flag": None if i % 11 == 10 else i % 3 == 0 or 20 < i < 40,
        "sure": i < 30 or i % 5 == 0,
        "score": None if null else i + 0.25,
        "small": i - 30,
        "when": f"2024-02-{1 + i % 28:02d}T10:{i:02d}:30.123456Z",
        "day": f"2024-02-{1 + i % 28:02d}",
        "price": f"{i * 199 // 100}.{i * 199 % 100:02d}",
        "tags": None if null else [f"tag {k}" for k in range(i % 4)],
        "meta": {"text": f"meta {i}", "done": i % 2 == 0},
        "turns": [{"role": ["user", "bot"][k % 2], "ok": (i + k) % 3 == 0, "text": f"turn {i}.{k}"} for k in range(i % 3)],
        "counts": {f"k{k}": k * i for k in range(i % 3)},
        "nothing": None,
    }


SCHEMA = pa.schema([
    ("id", pa.int64()), ("text", pa.string()), ("lang", pa.string()), ("flag", pa.bool_()), pa.field("sure", pa.bool_(), nullable=False),
    ("score", pa.float64()), ("small", pa.int32()), ("when", pa.timestamp("us", tz="UTC")), ("day", pa.date32()),
    ("price", pa.decimal128(9, 2)), ("tags", pa.list_(pa.string())),
    ("meta", pa.struct([("text", pa.string()), ("done", pa.bool_())])),
    ("turns", pa.list_(pa.struct([("role", pa.string()), ("ok", pa.bool_()), ("text", pa.string())]))),
    ("counts", pa.map_(pa.string(), pa.int64())), ("nothing", pa.null()),
])
FLAT = ["id", "text", "lang", "flag", "sure", "score", "small", "when", "day", "price"]


def value(name, v):
    """Returns the Python value to pass to a library for a JSON value of the named column."""
    if v is None:
        return None
    if name == "when":
        return dt.datetime.fromisoformat(v.replace("Z", "+00:00"))
    if name == "day":
        return dt.date.fromisoformat(v)
    if name == "price":
        return decimal.Decimal(v)
    if name == "counts":
        return list(v.items())
    return v


def table(n=N, names=None):
    names = names or SCHEMA.names
    rows = [{k: value(k, row(i)[k]) for k in names} for i in range(n)]
    return pa.Table.from_pylist(rows, schema=pa.schema([SCHEMA.field(k) for k in names]))


def expect(name, n=N, names=None):
    files.append(f"{name}.parquet\t{n}\t{' '.join(names or SCHEMA.names)}\n")


def path(name):
    return os.path.join(out, name + ".parquet")


def spark(out):
    """Writes the files of Spark, in its current format and in the legacy one of Hive.

    The files lack the column of nulls, which Spark cannot write.
    """
    from pyspark.sql import SparkSession, types as t
    turn = t.StructType([t.StructField("role", t.StringType()), t.StructField("ok", t.BooleanType()), t.StructField("text", t.StringType())])
    meta = t.StructType([t.StructField("text", t.StringType()), t.StructField("done", t.BooleanType())])
    schema = t.StructType([
        t.StructField("id", t.LongType()), t.StructField("text", t.StringType()), t.StructField("lang", t.StringType()),
        t.StructField("flag", t.BooleanType()), t.StructField("sure", t.BooleanType(), False), t.StructField("score", t.DoubleType()),
        t.StructField("small", t.IntegerType()), t.StructField("when", t.TimestampType()), t.StructField("day", t.DateType()),
        t.StructField("price", t.DecimalType(9, 2)), t.StructField("tags", t.ArrayType(t.StringType())),
        t.StructField("meta", meta), t.StructField("turns", t.ArrayType(turn)), t.StructField("counts", t.MapType(t.StringType(), t.LongType())),
    ])
    names = schema.names
    session = SparkSession.builder.master("local[1]").config("spark.sql.session.timeZone", "UTC").config("spark.ui.enabled", "false").getOrCreate()
    for name, n, options in [
        ("spark", N, {}), ("spark-zstd", N, {"compression": "zstd"}), ("spark-lz4", N, {"compression": "lz4_raw"}), ("spark-empty", 0, {}),
        ("spark-legacy", N, {"spark.sql.parquet.writeLegacyFormat": "true", "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"}),
    ]:
        rows = [[dict(value(k, row(i)[k])) if k == "counts" else value(k, row(i)[k]) for k in names] for i in range(n)]
        for key, v in options.items():
            if key != "compression":
                session.conf.set(key, v)
        part = os.path.join(out, name)
        session.createDataFrame(rows, schema).coalesce(1).write.mode("overwrite").parquet(part, compression=options.get("compression", "snappy"))
        os.rename(next(p.path for p in os.scandir(part) if p.name.endswith(".parquet")), path(name))
        shutil.rmtree(part)
        expect(name, n, names)
    session.stop()


os.makedirs(out, exist_ok=True)
files = []

# pyarrow writes both versions of pages, each codec and each encoding.
for version, codecs in {"1.0": ["NONE", "GZIP", "LZ4"], "2.0": ["SNAPPY", "BROTLI", "ZSTD", "LZ4"]}.items():
    for codec in codecs:
        name = f"pyarrow-v{version[0]}-{codec.lower()}"
        pq.write_table(table(), path(name), compression=codec, data_page_version=version, data_page_size=200, write_batch_size=7)
        expect(name)
for name, options in {
    "pyarrow-plain": dict(use_dictionary=False),
    "pyarrow-groups": dict(row_group_size=17, write_page_index=True, data_page_version="2.0"),
    "pyarrow-checksum": dict(write_page_checksum=True),
    "pyarrow-delta": dict(use_dictionary=False, data_page_version="2.0", column_encoding={
        "id": "DELTA_BINARY_PACKED", "small": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY", "lang": "DELTA_LENGTH_BYTE_ARRAY",
        "score": "BYTE_STREAM_SPLIT", "turns.list.element.text": "DELTA_BYTE_ARRAY", "flag": "RLE", "sure": "RLE",
        "turns.list.element.ok": "RLE"}),
    "pyarrow-rle-v1": dict(use_dictionary=False, data_page_version="1.0", column_encoding={"flag": "RLE", "sure": "RLE", "turns.list.element.ok": "RLE"}),
    "pyarrow-old-lists": dict(use_compliant_nested_type=False),
}.items():
    pq.write_table(table(), path(name), **options)
    expect(name)
pq.write_table(table(0), path("pyarrow-empty"))
expect("pyarrow-empty", 0)
pq.write_table(table(names=FLAT), path("pyarrow-int96"), use_deprecated_int96_timestamps=True)
expect("pyarrow-int96", names=FLAT)
pq.write_table(table(names=FLAT), path("pyarrow-flat-lz4"), compression="LZ4", data_page_version="2.0")
expect("pyarrow-flat-lz4", names=FLAT)
# Long texts that compress well, so that a page grows more than threefold.
for codec in ["LZ4", "SNAPPY", "ZSTD"]:
    name = f"pyarrow-long-{codec.lower()}"
    pq.write_table(pa.table({"long": [f"{i} " + "and so on " * 400 for i in range(N)]}), path(name), compression=codec, use_dictionary=False)
    expect(name, names=["long"])

# pandas writes columns of Python objects and a column of Nones.
frame = pd.DataFrame([{k: value(k, v) for k, v in row(i).items() if k not in ("counts", "tags", "price", "day", "when")} for i in range(N)])
frame.to_parquet(path("pandas"), index=False)
expect("pandas", names=["id", "text", "lang", "flag", "sure", "score", "small", "meta", "turns", "nothing"])

# polars writes one file with each of its codecs.
for codec in ["zstd", "lz4", "snappy"]:
    names = [n for n in SCHEMA.names if n not in ("counts",)]
    pl.from_arrow(table(names=names)).write_parquet(path(f"polars-{codec}"), compression=codec)
    expect(f"polars-{codec}", names=names)

# DuckDB writes both versions of the format.
names = [n for n in SCHEMA.names if n != "nothing"]
arrow = table(names=names)
for version in ["V1", "V2"]:
    duckdb.sql("SET TimeZone='UTC'")
    duckdb.sql(f"COPY (SELECT * FROM arrow) TO '{path('duckdb-' + version.lower())}' (FORMAT parquet, PARQUET_VERSION {version})")
    expect(f"duckdb-{version.lower()}", names=names)

# fastparquet writes only columns that are not nested.
names = ["id", "text", "lang", "sure", "score", "small"]
flat = pd.DataFrame([{k: v for k, v in row(i).items() if k in names} for i in range(N)])
for codec in ["SNAPPY", "GZIP"]:
    fastparquet.write(path(f"fastparquet-{codec.lower()}"), flat, compression=codec, object_encoding="utf8", write_index=False)
    expect(f"fastparquet-{codec.lower()}", names=names)

spark(out)

with open(os.path.join(out, "files.tsv"), "w") as f:
    f.writelines(files)
with open(os.path.join(out, "rows.jsonl"), "w") as f:
    for i in range(N):
        f.write(json.dumps(row(i), ensure_ascii=False, separators=(",", ":")) + "\n")
