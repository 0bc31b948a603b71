"""The exceptions."""


class Error(Exception):
    """The program failed; the message is the program's."""


class DataError(Error, ValueError):
    """The data cannot be read: a null or a number for a text, or a missing column."""
