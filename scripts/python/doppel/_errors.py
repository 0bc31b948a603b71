"""What is raised."""


class Error(Exception):
    """The program failed; the message is its own."""


class DataError(Error, ValueError):
    """The data cannot be read: a null or a number for a text, no such column."""
