"""Lessons: plain files that put the app into state after state, ask before they tell, and claim what is tested."""

from engine.params import Int, Switch
from ui.session.settings import Setting, Written

SETTINGS = (
    Setting("lesson", "", Written(), "The lesson one is in."),
    Setting("step", 1, Int(low=1, high=99), "Its step, from 1.", reset_by=("lesson",)),
    Setting("notes", False, Switch(), "Whether a second window shows the presenter's notes."),
    Setting("lecture", False, Switch(), "Whether the lesson is shown large, for a room."),
)
