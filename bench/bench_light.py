"""How much of the code one move of a slider enters: `python -m bench.bench_light [--old FOLDER]`.

A visitor without a browser opens Consensus, moves theta twice and then reruns the page without a change. Counted are
files and functions of ours that a run enters (each once), and calls. `--old` counts another checkout beside it.
"""

import argparse
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What belongs to us.
_OURS = ("engine", "data", "ui", "pages", "app.py")


class Entered:
    """Functions that are entered while this is a thread's profile."""

    def __init__(self, root: Path):
        self._roots = tuple(str(root / one) for one in _OURS)
        self.calls: Counter = Counter()

    def __call__(self, frame, event, _) -> None:
        """Note a call."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self._roots) and code.co_name != "<module>":
            self.calls[code.co_filename, code.co_qualname] += 1

    def told(self) -> str:
        """Files, functions and calls, and the function that is called most."""
        files = len({file for file, _ in self.calls})
        (_, most), times = self.calls.most_common(1)[0]
        words = f"{files:4d} files {len(self.calls):5d} functions {self.calls.total():7,d} calls"
        return f"{words}, most of them `{most}` ({times:,})"


def counted(root: Path) -> None:
    """Print one line a run."""
    from streamlit.testing.v1 import AppTest

    at = AppTest.from_file(str(root / "ui" / "frame" / "main.py"), default_timeout=60)
    at.query_params["data"] = "moons"
    at.run()
    at.switch_page(str(next((root / "pages").glob("*_consensus.py")))).run()
    for value in (0.2, 0.8):
        _told(root, f"theta moved to {value}", at.select_slider(key="param_theta").set_value(value).run)
        _told(root, "settled", at.run)
        _told(root, "an idle rerun", at.run)


def _told(root: Path, what: str, run) -> None:
    entered = Entered(root)
    threading.setprofile(entered)
    try:
        run()
    finally:
        threading.setprofile(None)
    print(f"  {what:22s} {entered.told()}")


def main() -> None:
    """Count here, and in another checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--at", type=Path, default=ROOT, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.old is None:
        counted(asked.at)
        return
    for name, root in (("before", asked.old.resolve()), ("after", ROOT)):
        print(name, flush=True)
        call = [sys.executable, str(Path(__file__).resolve()), "--at", str(root)]
        subprocess.run(call, cwd=root, env={**_environment(), "PYTHONPATH": str(root)}, check=True)


def _environment() -> dict[str, str]:
    return dict(os.environ)


if __name__ == "__main__":
    main()
