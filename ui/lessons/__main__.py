"""Lessons from the command line: `python -m ui.lessons check [FOLDER]` and `print LESSON --out FILE.html`."""

import argparse
import logging
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Run a command; 1 if a lesson is broken, a claim fails, or there is no such lesson."""
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # there is no server here, and none is needed
    parser = argparse.ArgumentParser(prog="python -m ui.lessons", description="Check and print lessons.")
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="evaluate every state and claim over several seeds")
    checking.add_argument("folder", nargs="?", type=Path, help="of lessons, or the file of one; else the app's own")
    printing = commands.add_parser("print", help="make a handout: one HTML file that needs no network")
    printing.add_argument("lesson", help="name of a lesson, or path of its file")
    printing.add_argument("--out", type=Path, required=True, help="the file to write")
    asked = parser.parse_args(arguments)
    return _check(asked.folder) if asked.command == "check" else _print(asked.lesson, asked.out)


def _check(folder: Path | None) -> int:
    from ui.lessons.checking import check
    from ui.lessons.library import BUILT_IN, in_folder
    from ui.lessons.reading import read_file

    alone = folder is not None and folder.is_file()
    report = check([read_file(folder)] if alone else in_folder(folder or BUILT_IN, built_in=folder is None), _say)
    _say(report.words)
    return 1 if report.failures or not report.lessons else 0


def _print(name: str, out: Path) -> int:
    from ui.lessons.handout import handout
    from ui.lessons.lesson import Broken
    from ui.lessons.library import find
    from ui.lessons.reading import read_file

    if name.endswith(".toml") and not Path(name).is_file():
        _say(f"{name}: there is no such file")
        return 1
    lesson = read_file(Path(name)) if name.endswith(".toml") else find(name)
    if lesson is None or isinstance(lesson, Broken):
        _say(str(lesson or f"there is no lesson {name!r}"))
        return 1
    try:
        out.write_text(handout(lesson), encoding="utf-8")
    except OSError as error:
        _say(f"{out} cannot be written: {error.strerror}")
        return 1
    _say(f"{out}: {len(lesson.steps)} steps")
    return 0


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
