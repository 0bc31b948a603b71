"""Progress bars, by tqdm."""

from typing import Iterable, Iterator

from ._texts import Batch


def shown(batches: Iterable[Batch], rows: int, show: bool) -> Iterator[Batch]:
    """Pass on batches, and if show is set, show the number of rows passed on. rows is the
    total, or 0 if it is unknown."""
    if not show:
        yield from batches
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=rows or None, unit=" rows") as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))
