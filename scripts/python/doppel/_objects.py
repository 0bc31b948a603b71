"""Functions that list, fetch, store and rename objects of a store, such as s3://bucket/name.

fsspec accesses the stores: s3:// needs s3fs, gs:// needs gcsfs, abfss:// needs adlfs, and
hf:// needs huggingface_hub. These libraries find the credentials in the environment, in
profiles or from the machine's role; this module neither accepts nor prints credentials.

Each operation is retried with back-off until its result can be verified, since stores
refuse requests, truncate bodies, and may list objects before they can be read.
"""

import os
import random
import re
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from hashlib import md5
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Set, Tuple, TypeVar

from ._errors import Error

T = TypeVar("T")

_TRIES = 6
_PAUSE = 0.5  # seconds before the second try, doubled before each further try: at most 15.5 in total
# s3fs makes 5 tries, with pauses of 2 seconds in total; by default, botocore sends 5 requests for
# each of them, in 8 seconds. If botocore sends only one, an operation on S3 fails within half a
# minute.
_S3_CONFIG = {"retries": {"total_max_attempts": 1}}
_CONCURRENT = 16  # concurrent requests of the driver
_MULTIPART = 50 << 20  # size in bytes of the parts in which s3fs uploads a file
# The keys under which the libraries report the version of an object, in order of preference. Keys
# whose values are equal for equal bytes come first.
_VERSIONS = "ETag", "md5Hash", "etag", "blob_id", "last_commit", "mtime"


class Object(NamedTuple):
    """An object of a store, with the size and version that the store reports."""

    name: str
    size: int
    version: str


def remote(name: str) -> bool:
    """Return whether a name belongs to an object, not to a local file."""
    return bool(re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", name))


def path(name: str) -> str:
    """Return a name without its scheme: the relative path with which the ids of records begin.

    >>> path("s3://bucket/in//x.jsonl")
    'bucket/in/x.jsonl'
    """
    return os.path.normpath(name.partition("://")[2])


def listed(pattern: str) -> List[Object]:
    """Return the objects whose names match a pattern, and the objects below directories that match,
    in any order. As in Spark, names that begin with _ or . are left out."""

    def attempt() -> List[Object]:
        fs, inner = _opened(pattern)
        # fsspec removes the scheme, as well as the account in abfss:// names, but the names
        # returned must have both.
        fixed = re.split(r"[*?\[]", pattern)[0].rpartition("/")[0]
        skip = len(fs._strip_protocol(fixed))
        found: Dict[str, Dict[str, Any]] = fs.glob(inner, detail=True)
        for directory in [p for p, i in found.items() if i["type"] == "directory"]:
            found.update(fs.find(directory, detail=True))
        return [_object(fixed + p[skip:], i) for p, i in found.items() if i["type"] == "file" and not hidden(p[skip:])]

    return _retried(pattern, "cannot list", attempt, (FileNotFoundError,))


def hidden(name: str) -> bool:
    """Return whether Spark does not read a file with this relative name.

    >>> [hidden(n) for n in ("lang=a/part-0", "_SUCCESS", "x/.part-0.crc", "_x=1/part-0")]
    [False, True, True, False]
    """
    return any(part[:1] == "." or part[:1] == "_" and "=" not in part for part in name.split("/"))


def below(directory: str) -> List[str]:
    """Return the names of the objects in a directory, or none if there is no such directory."""

    def attempt() -> List[str]:
        fs, inner = _opened(directory)
        found: List[str] = fs.find(inner) if fs.exists(inner) else []
        return [directory + p[len(inner) :] for p in found if not hidden(p[len(inner) :].lstrip("/"))]

    return _retried(directory, "cannot list", attempt, (FileNotFoundError,))


def remove(names: Iterable[str]) -> None:
    """Remove objects."""
    _concurrently(lambda name: _remove(Object(name, 0, "")), names)


def described(names: Iterable[str]) -> List[Object]:
    """Return the objects with these names."""

    def attempt(name: str) -> Object:
        fs, inner = _opened(name)
        return _object(name, fs.info(inner))

    return _concurrently(lambda name: _retried(name, "cannot find", partial(attempt, name), (FileNotFoundError,)), names)


def fetch(o: Object, file: str) -> None:
    """Copy an object to a file, completely and in the version that was listed, or raise Error."""

    def attempt() -> None:
        fs, inner = _opened(o.name)
        fs.get_file(inner, file)
        size, now = os.path.getsize(file), _object(o.name, fs.info(inner))
        if now != o:
            raise Error(f"{o.name}: changed while the job ran")
        if size != o.size:
            raise OSError(f"{size} of {o.size} bytes arrived")

    _retried(o.name, "cannot read", attempt)


def store(file: str, name: str) -> Object:
    """Copy a file to an object, and verify the object's size and its checksum. If the store has no
    checksum that can be computed here, the object is fetched and its bytes are compared."""
    size, sums = os.path.getsize(file), _checksums(file)

    def attempt() -> Object:
        fs, inner = _opened(name)
        fs.put_file(file, inner)
        fs.invalidate_cache()
        info = fs.info(inner)
        if info["size"] != size:
            raise OSError(f"{info['size']} of {size} bytes were stored")
        if sums.isdisjoint(str(v).strip('"') for v in info.values()):
            fs.get_file(inner, f"{file}.stored")
            stored = _checksums(f"{file}.stored")
            os.unlink(f"{file}.stored")
            if stored != sums:
                raise OSError("the stored bytes differ")
        return _object(name, info)

    return _retried(name, "cannot write", attempt)


def prove(directory: str) -> None:
    """Raise Error unless objects can be written to the directory."""
    _remove(store(os.devnull, f"{directory}/doppel.part"))


def rename(objects: Iterable[Tuple[Object, str]]) -> None:
    """Rename objects. Stores have no rename: each object is copied, and removed after all
    copies exist."""

    def copy(o: Object, to: str) -> None:
        fs, inner = _opened(o.name)
        target = _opened(to)[1]
        if _object(o.name, fs.info(inner)) != o:
            raise Error(f"{o.name}: another job has written it")
        fs.cp_file(inner, target)
        fs.invalidate_cache()
        if (size := fs.info(target)["size"]) != o.size:
            raise OSError(f"{size} of {o.size} bytes were copied")

    pairs = list(objects)
    _concurrently(lambda p: _retried(p[1], "cannot write", partial(copy, *p)), pairs)
    _concurrently(lambda p: _remove(p[0]), pairs)


def _remove(o: Object) -> None:
    def attempt() -> None:
        fs, inner = _opened(o.name)
        with suppress(FileNotFoundError):  # an earlier try removed the object, but the response was lost
            fs.rm_file(inner)

    _retried(o.name, "cannot remove", attempt)


def _opened(name: str) -> Tuple[Any, str]:
    """Return the file system of an object, without cached listings, and the object's path there."""
    if re.match(r"[^:]*://[^/@]*:[^/]*@", name):
        raise Error(f"{name.partition('://')[0]}://…: credentials do not belong in a name; set them in the environment")
    if ".." in name.split("/"):
        raise Error(f"{name}: the name has a ..")
    options: Dict[str, Any] = {}
    try:
        from fsspec.config import conf  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from fsspec.core import url_to_fs  # type: ignore[import-not-found,import-untyped,unused-ignore]

        if re.match("s3a?:", name):  # change only the retries, and keep the user's other settings
            options["config_kwargs"] = {**conf.get("s3", {}).get("config_kwargs", {}), **_S3_CONFIG}
        fs, inner = url_to_fs(name, **options)
    except (ImportError, ValueError) as e:  # ValueError: fsspec does not know the scheme
        raise Error(f"{name}: {e}") from None
    fs.invalidate_cache()
    return fs, inner


def _object(name: str, info: Dict[str, Any]) -> Object:
    return Object(name, info["size"], next((str(info[v]) for v in _VERSIONS if info.get(v)), ""))


def _retried(name: str, failed: str, attempt: Callable[[], T], final: Tuple[Any, ...] = ()) -> T:
    """Call attempt until it succeeds, with back-off between tries, and return its result. If it
    keeps failing or cannot succeed, raise Error with the name of the object. The message omits the
    query of a URL, because the query may contain a signature."""
    for n in range(_TRIES):
        try:
            return attempt()
        except Error:
            raise
        except Exception as e:
            hopeless = isinstance(e, (PermissionError, TypeError, *final)) or re.search("Credential|Auth", type(e).__name__)
            if hopeless or n == _TRIES - 1:
                words = "no such object" if isinstance(e, FileNotFoundError) else re.sub(r"\?\S+", "?…", str(e))
                raise Error(f"{name}: {failed}: {words or type(e).__name__}") from None
        time.sleep(_PAUSE * 2**n * random.uniform(0.5, 1))
    raise AssertionError


def _concurrently(f: Callable[[Any], T], items: Iterable[Any]) -> List[T]:
    with ThreadPoolExecutor(_CONCURRENT) as pool:
        return list(pool.map(f, items))


def _checksums(file: str) -> Set[str]:
    """Return the forms in which stores give the MD5 of a file: in hexadecimal, in base64, and
    as the MD5 of the MD5s of its parts.

    >>> sorted(_checksums(os.devnull))
    ['1B2M2Y8AsgTpgAmY7PhCfg==', 'd41d8cd98f00b204e9800998ecf8427e']
    """
    whole, parts = md5(), []
    with open(file, "rb") as f:
        while part := f.read(_MULTIPART):
            whole.update(part)
            parts.append(md5(part).digest())
    sums = {whole.hexdigest(), b64encode(whole.digest()).decode()}
    return sums | {f"{md5(b''.join(parts)).hexdigest()}-{len(parts)}"} if len(parts) > 1 else sums
