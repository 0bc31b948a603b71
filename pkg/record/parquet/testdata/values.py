"""Write values.parquet, with a column of each type of pyarrow, and values.jsonl, with the same rows
in the forms that doppel-records(5) promises. Usage: python values.py DIR"""

import base64, datetime as dt, decimal, json, struct, sys, uuid

import pyarrow as pa
import pyarrow.parquet as pq

UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1, tzinfo=UTC)


def stamp(n, unit):
    ns = n * {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[unit]
    s = (EPOCH + dt.timedelta(seconds=ns // 10**9)).strftime("%Y-%m-%dT%H:%M:%S")
    return s + (("." + f"{ns % 10**9:09d}").rstrip("0") if ns % 10**9 else "") + "Z"


def b64(b):
    return base64.b64encode(b).decode()


def short(x, form):  # the shortest decimal that is the same number in 32 bits
    for digits in range(1, 18):
        s = repr(float(f"{x:.{digits}g}"))
        if struct.pack(form, float(s)) == struct.pack(form, x):
            return float(s)


def plain(x):
    return x


D = decimal.Decimal
stamps = [0, -1, 1700000000123, 1]
columns = {  # name: type, values, form
    "bool": (pa.bool_(), [True, False, True, False], plain),
    **{f"int{n}": (getattr(pa, f"int{n}")(), [0, -(2 ** (n - 1)), 2 ** (n - 1) - 1, 7], plain) for n in (8, 16, 32, 64)},
    **{f"uint{n}": (getattr(pa, f"uint{n}")(), [0, 2**n - 1, 2 ** (n - 1), 7], plain) for n in (8, 16, 32, 64)},
    "half": (pa.float16(), [0.5, -2.0, 65504.0, 6.103515625e-05], lambda x: short(x, "<f")),
    "float": (pa.float32(), [0.1, -2.0, 1e20, 1e-7], lambda x: short(x, "<f")),
    "double": (pa.float64(), [0.1, -2.0, 1e20, 12345678.0], plain),
    "string": (pa.string(), ["a", 'quote " and \\', "é\n\t\x01", ""], plain),
    "large": (pa.large_string(), ["a", "b", "", "漢字"], plain),
    "binary": (pa.binary(), [b"text", b"\xff\x00", b"", b"more"], b64),
    "wide": (pa.large_binary(), [b"text", b"\xff\x00", b"", b"more"], b64),
    "fixed": (pa.binary(4), [b"text", b"\xff\x00ab", b"\0\0\0\0", b"more"], b64),
    "date32": (pa.date32(), [0, 18262, -1, 2932896], lambda n: (dt.date(1970, 1, 1) + dt.timedelta(days=n)).isoformat()),
    "date64": (pa.date64(), [0, 18262 * 86400000, -86400000, 86400000], lambda n: stamp(n, "ms")[:10]),
    "time32": (pa.time32("ms"), [0, 1, 86399999, 5], plain),
    "time64": (pa.time64("us"), [0, 1, 86399999999, 5], plain),
    "nanotime": (pa.time64("ns"), [0, 1, 86399999999999, 5], plain),
    **{f"stamp_{u}": (pa.timestamp(u), stamps, lambda n, u=u: stamp(n, u)) for u in ("ms", "us", "ns")},
    "stamp_s": (pa.timestamp("s"), [0, -1, 1700000000, 1], lambda n: stamp(n, "s")),
    "zone": (pa.timestamp("us", "Europe/Berlin"), stamps, lambda n: stamp(n, "us")),
    "duration": (pa.duration("us"), [0, -1, 5, 10**12], plain),
    "decimal": (pa.decimal128(9, 2), [D("0.00"), D("-12.50"), D("9999999.99"), D("0.07")], str),
    "decimal38": (pa.decimal128(38, 10), [D("0.0000000000"), D("-1.0000000001"), D("1234567890123456789.0000000000"), D("7.5000000000")], lambda d: f"{d:f}"),
    "decimal76": (pa.decimal256(76, 0), [D("0"), D("-1"), D("9" * 60), D("7")], lambda d: f"{d:f}"),
    "words": (pa.dictionary(pa.int32(), pa.string()), ["a", "b", "a", ""], plain),
    "uuid": (pa.uuid(), [bytes(16), bytes(range(16)), b"\xff" * 16, b"0123456789abcdef"], lambda b: str(uuid.UUID(bytes=b))),
    "json": (pa.json_(), ['{"a": 1}', "[]", "null", '"x"'], plain),
}


def main(where):
    arrays, rows = {}, [{} for _ in range(5)]
    for name, (kind, values, form) in columns.items():
        given = [*values, None]
        if isinstance(kind, pa.ExtensionType):
            arrays[name] = pa.ExtensionArray.from_storage(kind, pa.array(given, kind.storage_type))
        elif pa.types.is_temporal(kind):
            arrays[name] = pa.array(given, pa.int32() if kind.bit_width == 32 else pa.int64()).cast(kind)
        elif pa.types.is_float16(kind):
            import numpy

            arrays[name] = pa.array([None if v is None else numpy.float16(v) for v in given], kind)
        elif pa.types.is_dictionary(kind):
            arrays[name] = pa.array(given, pa.string()).dictionary_encode()
        else:
            arrays[name] = pa.array(given, kind)
        for row, value in zip(rows, given):
            row[name] = None if value is None else form(value)
    pq.write_table(pa.table(arrays), f"{where}/values.parquet", compression="none")
    with open(f"{where}/values.jsonl", "w") as f:
        for row in rows:
            f.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


main(sys.argv[1])
