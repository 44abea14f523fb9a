"""Small help with plain words."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun in the right number.

    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def shortened(text: str, limit: int = 40) -> str:
    """Return text cut to `limit` characters, so that a message stays readable.

    >>> shortened("abcdefgh", limit=5)
    'ab...'
    """
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
