"""Writes Parquet files that current libraries no longer write, byte by byte, and the expected rows.

Usage: byhand.py DIRECTORY
"""

import json
import sys

INT, LONG, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12
INT32, BYTES = 1, 6  # physical types
REQUIRED, OPTIONAL = 0, 1
PLAIN, PLAIN_DICTIONARY, RLE = 0, 2, 3


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def value(kind, v):
    if kind in (INT, LONG):
        return varint(v << 1 if v >= 0 else (-v << 1) - 1)
    if kind == BINARY:
        return varint(len(v)) + v
    if kind == LIST:
        of, elements = v
        return bytes([len(elements) << 4 | of]) + b"".join(value(of, e) for e in elements)
    return v


def struct(*fields):
    """Returns a structure of Thrift's compact protocol. A field is its number, type and value."""
    out, last = b"", 0
    for number, kind, v in fields:
        delta = number - last
        out += bytes([delta << 4 | kind]) if delta < 16 else bytes([kind]) + varint(number << 1)
        out, last = out + value(kind, v), number
    return out + b"\0"


def page(kind, body, n, encoding):
    head = [(1, INT, 0 if kind == "data" else 2), (2, INT, len(body)), (3, INT, len(body))]
    if kind == "data":
        head.append((5, STRUCT, struct((1, INT, n), (2, INT, encoding), (3, INT, RLE), (4, INT, RLE))))
    else:
        head.append((7, STRUCT, struct((1, INT, n), (2, INT, encoding))))
    return struct(*head) + body


def write(name, rows, schema, columns, extra=(), by=b"byhand"):
    """Writes a file of one row group. Each column is its name, type, dictionary page and data page."""
    out, chunks = b"PAR1", []
    for column, kind, dictionary, data in columns:
        at, body = len(out), dictionary + data
        out += body
        meta = [(1, INT, kind), (2, LIST, (INT, [PLAIN])), (3, LIST, (BINARY, [column])), (4, INT, 0), (5, LONG, len(rows)),
                (6, LONG, len(body)), (7, LONG, len(body)), (9, LONG, at + len(dictionary))]
        if dictionary:
            meta.append((11, LONG, at))
        chunks.append(struct((2, LONG, at), (3, STRUCT, struct(*meta))))
    group = struct((1, LIST, (STRUCT, chunks)), (2, LONG, len(out)), (3, LONG, len(rows)))
    footer = struct((1, INT, 1), (2, LIST, (STRUCT, schema)), (3, LONG, len(rows)), (4, LIST, (STRUCT, [group])), *extra, (6, BINARY, by))
    with open(f"{name}.parquet", "wb") as f:
        f.write(out + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    with open(f"{name}.jsonl", "w") as f:
        for row in rows:
            f.write(json.dumps(row, separators=(",", ":")) + "\n")


def ints(values):
    return page("data", b"".join(v.to_bytes(4, "little") for v in values), len(values), PLAIN)


def texts(values):
    return b"".join(len(v).to_bytes(4, "little") + v.encode() for v in values)


def main(directory):
    root = struct((4, BINARY, b"schema"), (5, INT, 1))
    number = struct((1, INT, INT32), (3, INT, REQUIRED), (4, BINARY, b"id"))
    rows = [{"id": i} for i in range(5)]
    ids = [(b"id", INT32, b"", ints(range(5)))]

    # A key without a value, a field with the number 0, and a logical type that nobody knows.
    odd = struct((1, INT, INT32), (3, INT, REQUIRED), (4, BINARY, b"id"), (9, INT, 0), (10, STRUCT, struct((99, STRUCT, struct()))))
    keys = [struct((1, BINARY, b"bare")), struct((1, BINARY, b"a"), (2, BINARY, b"")), struct((1, BINARY, b"z"), (2, BINARY, b"1"))]
    write(f"{directory}/byhand-odd", rows, [root, odd], ids, extra=[(5, LIST, (STRUCT, keys))])

    # A root with a physical type, as segmentio/parquet-go wrote it in 2022.
    typed = struct((1, INT, 0), (4, BINARY, b"schema"), (5, INT, 1))
    write(f"{directory}/byhand-root", rows, [typed, number], ids)

    # Rows without columns.
    write(f"{directory}/byhand-nothing", [{}] * 5, [struct((4, BINARY, b"schema"), (5, INT, 0))], [])

    # The last run of indexes lacks the bytes after its last value, as Impala 1.2 wrote it: two groups of
    # eight values of two bits take four bytes, and eleven values take three.
    words = ["zero", "one", "two"]
    picked = [2, 0, 1, 1, 1, 1, 1, 1, 1, 2, 0]
    run = bytes([2 << 1 | 1, 2 | 0 << 2 | 1 << 4 | 1 << 6, 0x55, 1 | 2 << 2 | 0 << 4])
    word = struct((1, INT, BYTES), (3, INT, REQUIRED), (4, BINARY, b"word"), (6, INT, 0))
    two = struct((4, BINARY, b"schema"), (5, INT, 2))
    dictionary = page("dictionary", texts(words), 3, PLAIN)
    numbers = page("dictionary", b"".join(v.to_bytes(4, "little") for v in (7, 8, 9)), 3, PLAIN)
    data = page("data", b"\2" + run, len(picked), PLAIN_DICTIONARY)
    write(f"{directory}/byhand-short", [{"word": words[i], "id": 7 + i} for i in picked], [two, word, number],
          [(b"word", BYTES, dictionary, data), (b"id", INT32, numbers, data)], by=b"impala version 1.2.1")
    print("byhand\tno library")


main(sys.argv[1])
