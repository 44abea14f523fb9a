"""A small lesson to write, change and break."""

import pytest

LESSON = """\
title = "Do two runs agree?"
for = "For a test."
minutes = 1

[state]
data = "moons"
k_range = "10-20"
m = 5
seed = 7
method = "eac"

[[step]]
heading = "First"
page = "start"
shows = ["truth"]
text = "There are {objects} objects."
claims = ["objects == 500"]

[[step]]
heading = "Second"
page = "consensus"
shows = ["consensus", "strip"]
text = "The vote scores {score(eac)}, with 20 runs {score(eac, m=20)}."
note = "Only for me."
claims = ["score(eac, m=20) >= 95%"]
[step.knob]
name = "m"
values = [5, 20]
[step.asks]
question = "Which?"
answers = [
  { text = "This.", why = "Not {score(eac)}." },
  { text = "That.", right = true, why = "So it is." },
]
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with one good lesson."""
    (tmp_path / "mine.toml").write_text(LESSON)
    return tmp_path
