"""Progress by tqdm, for whoever asks for it."""

from typing import Iterable, Iterator

from ._texts import Batch


def shown(batches: Iterable[Batch], rows: int, show: bool) -> Iterator[Batch]:
    """Pass on batches, and show how many of the rows they hold if show is set;
    rows is 0 where that is not known."""
    if not show:
        yield from batches
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=rows or None, unit=" rows") as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch))
