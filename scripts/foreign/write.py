"""Writes Parquet files with the library that the first argument names, and the expected rows.

Usage: write.py WRITER DIRECTORY

The files are WRITER-CASE.parquet. The rows that the tools should read from them are in CASE.jsonl,
or in WRITER-CASE.jsonl if the writer cannot store all values of a case. The expected rows are made
from the same Python values as the files, by the function form, which knows only doppel-records(5).
"""

import base64
import datetime as dt
import decimal
import json
import math
import random
import sys
import uuid

UTC = dt.timezone.utc


def form(value, kind=None):
    """Returns a value as doppel-records(5) says that it is written in JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dt.datetime):
        text = value.replace(tzinfo=None).isoformat()
        return (text.rstrip("0") if "." in text else text) + "Z"
    if isinstance(value, (dt.date, uuid.UUID, decimal.Decimal)):
        return str(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {k: form(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [form(v) for v in value]
    return value


def lists():
    """Rows with lists, maps and lists of lists, for pages of a few values, so that rows continue on
    the next page."""
    r = random.Random(5)

    def some(most, make):
        return None if r.random() < 0.1 else [make(i) for i in range(r.randrange(most + 1))]

    rows = []
    for i in range(90):
        rows.append({
            "id": i,
            "words": some(30 if i % 17 == 0 else 6, lambda _: None if r.random() < 0.1 else "word %d" % r.randrange(20)),
            "counts": None if i % 9 == 0 else {"k%d" % k: r.randrange(9) if r.random() < 0.9 else None for k in range(r.randrange(3))},
            "grid": some(3, lambda _: some(4, lambda _: r.randrange(9))),
            "turns": some(3, lambda k: {"role": "ab"[k % 2], "parts": ["part %d" % n for n in range(r.randrange(3))]}),
            "meta": None if i % 5 == 0 else {"done": i % 2 == 0, "deep": None if i % 3 == 0 else {"x": i if i % 4 else None}},
        })
    return rows


def flat():
    """Rows without lists, with nulls and with texts that fit in a dictionary and texts that do not."""
    r = random.Random(6)
    rows = []
    for i in range(60):
        rows.append({
            "id": i,
            "text": None if i % 11 == 5 else "".join(r.choice("abcdäß€ \n") for _ in range(r.randrange(12))),
            "lang": r.choice(["de", "en", "fr"]),
            "score": None if i % 7 == 3 else round(r.random() * 100, 3),
            "sure": None if i % 13 == 1 else r.random() < 0.6,
            "day": None if i % 10 == 9 else dt.date(2023, 12, 25) + dt.timedelta(days=i),
            "at": dt.datetime(2024, 2, 28, 23, 59, 58, 250000) + dt.timedelta(seconds=i * 3600.5),
        })
    return rows


def pyarrow(directory, label):
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = pa.int64()
    schema = pa.schema([
        ("id", number), ("words", pa.list_(pa.string())), ("counts", pa.map_(pa.string(), pa.int32())),
        ("grid", pa.list_(pa.list_(number))),
        ("turns", pa.list_(pa.struct([("role", pa.string()), ("parts", pa.list_(pa.string()))]))),
        ("meta", pa.struct([("done", pa.bool_()), ("deep", pa.struct([("x", number)]))])),
    ])
    rows = [dict(row, counts=row["counts"] and list(row["counts"].items()) if row["counts"] != {} else []) for row in lists()]
    table = pa.Table.from_pylist(rows, schema=schema)
    small = dict(data_page_size=200, write_batch_size=7, version="2.6")
    pq.write_table(table, f"{directory}/{label}-lists.parquet", row_group_size=50, **small)
    pq.write_table(table, f"{directory}/{label}-v2-lists.parquet", data_page_version="2.0", use_dictionary=False, **small)
    schema = pa.schema([
        ("id", number), ("text", pa.string()), ("lang", pa.dictionary(pa.int8(), pa.string())), ("score", pa.float64()),
        ("sure", pa.bool_()), ("day", pa.date32()), ("at", pa.timestamp("us", "UTC")),
    ])
    table = pa.Table.from_pylist(flat(), schema=schema)
    pq.write_table(table, f"{directory}/{label}-flat.parquet", **small)
    pq.write_table(table, f"{directory}/{label}-v2-flat.parquet", data_page_version="2.0", compression="zstd", **small)
    return pa.__version__


def encrypted(directory, label):
    """Writes files of which no column, or only the column open, can be read without a key."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow.parquet import encryption as crypt

    class Keys(crypt.KmsClient):
        """Encrypts each key by its name."""

        def __init__(self, _):
            crypt.KmsClient.__init__(self)

        def wrap_key(self, key_bytes, master_key_identifier):
            return base64.b64encode(master_key_identifier.encode() + key_bytes)

        def unwrap_key(self, wrapped_key, master_key_identifier):
            return base64.b64decode(wrapped_key)[len(master_key_identifier.encode()):]

    table = pa.table({"open": ["a", "b", "a"], "secret": ["x", "y", "z"]})
    for name, plain in ("footer", False), ("columns", True):
        config = crypt.EncryptionConfiguration(footer_key="f", column_keys={"c": ["secret"]}, plaintext_footer=plain)
        properties = crypt.CryptoFactory(Keys).file_encryption_properties(crypt.KmsConnectionConfig(), config)
        with pq.ParquetWriter(f"{directory}/encrypted-{name}.pq", table.schema, encryption_properties=properties) as out:
            out.write_table(table)
    return pa.__version__


def pandas(directory, label):
    import pandas as pd
    import pyarrow

    frame = pd.DataFrame(flat())
    frame["sure"] = frame["sure"].astype("boolean")
    frame.index = pd.Index([3 * i for i in range(len(frame))], name="key")  # becomes the last column
    frame.to_parquet(f"{directory}/{label}-index.parquet", engine="pyarrow")
    expect(directory, f"{label}-index", [dict(row, key=3 * i) for i, row in enumerate(flat())])
    return f"{pd.__version__} with pyarrow {pyarrow.__version__}"


def fastparquet(directory, label):
    import fastparquet
    import pandas as pd

    frame = pd.DataFrame(flat())
    frame["sure"] = frame["sure"].astype("boolean")
    frame["day"] = frame["day"].map(str).replace("None", None)
    frame["lang"] = frame["lang"].astype("category")
    frame["at"] = frame["at"].astype("datetime64[us]")
    for codec in "SNAPPY", "GZIP", None:
        name = f"{label}-{codec or 'plain'}".lower()
        fastparquet.write(f"{directory}/{name}-flat.parquet", frame, compression=codec, row_group_offsets=25,
                          object_encoding={"text": "utf8", "day": "utf8"})
    return fastparquet.__version__


def duckdb(directory, label):
    import duckdb

    for case, rows in ("lists", lists()), ("flat", flat()):
        with open(f"{directory}/rows", "w") as out:
            for row in rows:
                out.write(json.dumps(form(row)) + "\n")
        types = {"id": "BIGINT", "words": "VARCHAR[]", "counts": "MAP(VARCHAR, INTEGER)", "grid": "BIGINT[][]",
                 "turns": "STRUCT(role VARCHAR, parts VARCHAR[])[]", "meta": "STRUCT(done BOOLEAN, deep STRUCT(x BIGINT))"}
        if case == "flat":
            types = {"id": "BIGINT", "text": "VARCHAR", "lang": "VARCHAR", "score": "DOUBLE", "sure": "BOOLEAN",
                     "day": "DATE", "at": "TIMESTAMP"}
        columns = ", ".join(f"\"{name}\": '{kind}'" for name, kind in types.items())
        source = f"read_json('{directory}/rows', format='newline_delimited', columns={{{columns}}})"
        for version in "V1", "V2":
            duckdb.sql(f"SET threads=1; COPY (FROM {source}) TO '{directory}/{label}-{version.lower()}-{case}.parquet' "
                       f"(FORMAT parquet, PARQUET_VERSION {version}, COMPRESSION zstd, ROW_GROUP_SIZE 2048)")
    import os
    os.remove(f"{directory}/rows")
    return duckdb.__version__


def polars(directory, label):
    import polars as pl

    schema = {"id": pl.Int64, "words": pl.List(pl.String), "grid": pl.List(pl.List(pl.Int64)),
              "turns": pl.List(pl.Struct({"role": pl.String, "parts": pl.List(pl.String)})),
              "meta": pl.Struct({"done": pl.Boolean, "deep": pl.Struct({"x": pl.Int64})})}
    rows = [{k: v for k, v in row.items() if k in schema} for row in lists()]
    frame = pl.DataFrame(rows, schema=schema)
    frame.write_parquet(f"{directory}/{label}-nomap.parquet", compression="lz4", data_page_size=200, row_group_size=50)
    expect(directory, f"{label}-nomap", rows)
    schema = {"id": pl.Int64, "text": pl.String, "lang": pl.Categorical, "score": pl.Float64, "sure": pl.Boolean,
              "day": pl.Date, "at": pl.Datetime("us", "UTC")}
    rows = [dict(row, at=row["at"].replace(tzinfo=UTC)) for row in flat()]
    pl.DataFrame(rows, schema=schema).write_parquet(f"{directory}/{label}-flat.parquet", compression="zstd", data_page_size=200)
    return pl.__version__


def values():
    """Rows with the types that the other cases lack."""
    columns = {
        "small": ["1.5", "-0.1", "0.0", "99.9", None],
        "large": ["0.00", "-12345678901234567.89", "99.10", None, "0.01"],
        "count": [0, 2**63, 2**64 - 1, None, 7],
        "short": [0.1, -2.0, None, 1e10, 0.5],
        "clock": [None, dt.time(0, 0, 1), dt.time(23, 59, 59, 999999), dt.time(0), dt.time(12)],
        "raw": [b"", b"text", b"\xff\x00", None, b"caf\xc3\xa9"],
        "name": [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1), None, uuid.UUID(int=1), uuid.UUID(bytes=b"0123456789abcdef")],
    }
    for name in "small", "large":
        columns[name] = [text and decimal.Decimal(text) for text in columns[name]]
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def types(directory, label):
    """Writes the values with pyarrow, DuckDB and polars. A time is a number of microseconds, in polars
    of nanoseconds."""
    import duckdb
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    def clocks(rows, unit=1):
        def number(t):
            return t and unit * (((t.hour * 60 + t.minute) * 60 + t.second) * 10**6 + t.microsecond) if t != dt.time(0) else 0
        return [dict(row, clock=number(row["clock"])) for row in rows]

    rows = values()
    schema = pa.schema([
        ("small", pa.decimal128(3, 1)), ("large", pa.decimal256(40, 2)), ("count", pa.uint64()), ("short", pa.float32()),
        ("clock", pa.time64("us")), ("raw", pa.binary()), ("name", pa.uuid()), ("half", pa.float16()), ("fixed", pa.binary(3)),
    ])
    halves = [0.5, -2.0, None, 65504.0, 0.25]
    more = [dict(row, half=h, fixed=f) for row, h, f in zip(rows, halves, [b"abc", None, b"\x00\xff\x01", b"   ", b"abd"])]
    columns = {n: [row[n].bytes if n == "name" and row[n] else row[n] for row in more] for n in schema.names}
    pq.write_table(pa.table(columns, schema=schema), f"{directory}/pyarrow-types.parquet", store_decimal_as_integer=True)
    expect(directory, "pyarrow-types", clocks(more))
    kinds = {"small": "DECIMAL(3, 1)", "large": "DECIMAL(38, 2)", "count": "UBIGINT", "short": "FLOAT", "clock": "TIME", "raw": "BLOB", "name": "UUID"}
    con = duckdb.connect()
    con.execute("CREATE TABLE t (" + ", ".join(f'"{n}" {kind}' for n, kind in kinds.items()) + ")")
    for row in rows:
        con.execute("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", list(row.values()))
    con.execute(f"COPY t TO '{directory}/duckdb-types.parquet' (FORMAT parquet)")
    expect(directory, "duckdb-types", clocks(rows))
    for row in rows:
        del row["name"]
    schema = {"small": pl.Decimal(3, 1), "large": pl.Decimal(38, 2), "count": pl.UInt64, "short": pl.Float32, "clock": pl.Time, "raw": pl.Binary}
    pl.DataFrame(rows, schema=schema).write_parquet(f"{directory}/polars-types.parquet")
    expect(directory, "polars-types", clocks(rows, 1000))
    return f"{duckdb.__version__} of duckdb, {pl.__version__} of polars, {pa.__version__} of pyarrow"


def shards(directory, label):
    """Writes three files of one dataset whose schemas differ: columns are required in one and optional
    in another, or have only nulls, and so no type. The files have two rows in common."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def pair(nullable):
        return pa.struct([pa.field("x", pa.int64(), nullable), pa.field("y", pa.string(), nullable)])

    strings = pa.list_(pa.string())
    schemas = [
        [("text", pa.string(), False), ("n", pa.int64(), False), ("tags", strings), ("pair", pair(True), False), ("at", pa.null()), ("end", pa.string())],
        [("text", pa.string()), ("n", pa.int64()), ("tags", pa.null()), ("pair", pair(False)), ("at", pa.timestamp("us")), ("end", pa.string())],
        [("text", pa.string()), ("n", pa.null()), ("tags", strings), ("pair", pa.null()), ("at", pa.null()), ("end", pa.null())],
    ]
    first = {"text": "a", "n": 1, "tags": None, "pair": {"x": 1, "y": "q"}, "at": None, "end": "z"}
    bare = {"text": "b", "n": None, "tags": None, "pair": None, "at": None, "end": None}
    rows = [
        [first, {"text": "c", "n": 2, "tags": ["u", None], "pair": {"x": None, "y": None}, "at": None, "end": None}],
        [first, bare, {"text": None, "n": None, "tags": None, "pair": None, "at": dt.datetime(2020, 1, 1), "end": "k"}],
        [bare, {"text": None, "n": None, "tags": ["v"], "pair": None, "at": None, "end": None}],
    ]
    for name, schema, some in zip("abc", schemas, rows):
        table = pa.Table.from_pylist(some, schema=pa.schema([pa.field(*column) for column in schema]))
        pq.write_table(table, f"{directory}/shards-{name}.parquet")
        expect(directory, f"shards-{name}", some)
    return pa.__version__


def expect(directory, case, rows):
    with open(f"{directory}/{case}.jsonl", "w") as out:
        for row in rows:
            out.write(json.dumps(form(row), ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    writer, directory, label = sys.argv[1:]
    for name, rows in ("lists", lists()), ("flat", flat()):
        expect(directory, name, rows)
    print(f"{label}\t{globals()[writer](directory, label)}")
