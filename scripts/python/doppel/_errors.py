"""The exceptions that the package raises."""


class Error(Exception):
    """Raised if the program failed, with the program's error message."""


class DataError(Error, ValueError):
    """Raised if a text is null or not a string, or if a column is missing."""
