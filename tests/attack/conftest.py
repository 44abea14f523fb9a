"""Every door has a tally, and the report says how much was tried at each."""

import pytest

from .shared import Tally

_NAMES = {"answered", "refused", "fell"}


@pytest.fixture
def tally(record_property):
    """Counts what came of each case; what fell is told at the end of the test."""
    return Tally(record_property)


def pytest_terminal_summary(terminalreporter):
    """A line a test: how many cases were answered, refused, or fell."""
    reports = [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, ())]
    lines = [
        f"{one.nodeid.rpartition('/')[2]}: {', '.join(f'{count:,} {name}' for name, count in counts)}"
        for one in reports
        if (counts := [(name, count) for name, count in one.user_properties if name in _NAMES])
    ]
    for line in sorted(lines):
        terminalreporter.write_line(line)
