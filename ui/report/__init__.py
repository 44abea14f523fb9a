"""The report of a session: one page that needs neither network nor script."""
