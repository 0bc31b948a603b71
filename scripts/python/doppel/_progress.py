"""Progress bars, drawn by tqdm."""

from typing import Iterable, Iterator

from ._texts import Batch


def shown(batches: Iterable[Batch], rows: int, show: bool) -> Iterator[Batch]:
    """Yield the batches. If show is true, a progress bar displays the number of rows yielded
    so far. rows is the total number of rows, or 0 if it is unknown."""
    if not show:
        yield from batches
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=rows or None, unit=" rows") as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))
