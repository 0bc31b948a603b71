"""The exceptions that the package raises."""


class Error(Exception):
    """Raised if the program failed; the message is the program's."""


class DataError(Error, ValueError):
    """Raised if a text is null or not a string, or if a column is missing."""
