"""The session's settings: declared once, read from the URL, written back to it."""
