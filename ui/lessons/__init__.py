"""Lessons: plain files that put the app into state after state, ask before they tell, and claim what is tested."""

from ui.session.settings import Setting
from ui.session.url_values import read_name, read_switch, whole

SETTINGS = (
    Setting("lesson", "", read_name, "The lesson one is in."),
    Setting("step", 1, whole(1, 99), "Its step, from 1.", reset_by=("lesson",)),
    Setting("notes", False, read_switch, "Whether a second window shows the presenter's notes."),
    Setting("lecture", False, read_switch, "Whether the lesson is shown large, for a room."),
)
