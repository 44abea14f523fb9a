"""How fast a page answers a knob, alone and while a study runs: `python -m bench.bench_live` (needs chromium).

With `CONCORD_BEFORE` naming a checkout of an older state, every move whose picture it has is made there too, in turn.
"""

import os
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.harness import arguments, machine, publish, table
from bench.live_moves import SCENES, open_page, play
from bench.serving import Server, chromium
from bench.visitor import Visitor

PORT = 8655
#: Seconds until a server that was just started has nothing to do any more.
WARM = 25.0
STUDY = "/compare?compared=settings&data=digits&method=lwgp&draws=1000&m=10"


def milliseconds(values: np.ndarray) -> str:
    """Median and range."""
    low, middle, high = 1e3 * np.array([values.min(), np.median(values), values.max()])
    return f"{middle:.0f} ms ({low:.0f} to {high:.0f})"


def alone() -> list[list[str]]:
    """Every scene, on this state of the app and on an older one."""
    folders = [Path.cwd(), *([Path(os.environ["CONCORD_BEFORE"])] if "CONCORD_BEFORE" in os.environ else [])]
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        servers = [Server(folder, scratch, PORT + place) for place, folder in enumerate(folders)]
        for server in servers:  # its first visitor has it fill the kernel cache, in a process beside it
            open_page(browser, server, "/").context.close()
        time.sleep(WARM)
        try:
            return [row(scene.what, play(browser, servers, scene)) for scene in SCENES]
        finally:
            for server in servers:
                server.stop()


def row(what: str, measured: list[np.ndarray]) -> list[str]:
    """One line of the table; without an older state its columns stay empty."""
    now, *before = measured
    older = [milliseconds(before[0][:, column]) for column in (0, 1)] if before else ["-", "-"]
    return [what, milliseconds(now[:, 0]), older[0], milliseconds(now[:, 1]), older[1]]


def beside_a_study() -> list[list[str]]:
    """Moves of M on Start, idle and while another browser runs a study of thousands of tasks."""
    with tempfile.TemporaryDirectory() as scratch, chromium() as browser:
        server = Server(Path.cwd(), scratch, PORT)
        try:
            (idle,) = play(browser, [server], SCENES[0])
            study = open_page(browser, server, STUDY, "Here the score appears")
            study.get_by_role("button", name="Run").first.click()
            study.get_by_text("running tasks").first.wait_for(timeout=60_000)
            (busy,) = play(browser, [server], SCENES[0])
            assert study.get_by_text("running tasks").first.is_visible(), "the study ended too early"
        finally:
            server.stop()
    ratio = f"{np.median(busy[:, 0]) / np.median(idle[:, 0]):.1f}x"
    return [["idle", milliseconds(idle[:, 0]), ""], ["while a study runs", milliseconds(busy[:, 0]), ratio]]


class _Watching(Visitor):
    """A visitor that notes when the picture of a scene has come."""

    came = 0.0
    picture = ""

    def _note(self, delta) -> None:
        super()._note(delta)
        element = delta.new_element
        if element.WhichOneof("type") == "plotly_chart" and element.plotly_chart.id.endswith(self.picture):
            self.came = time.perf_counter()


def without_a_browser() -> list[list[str]]:
    """The same moves of theta on the map of 1,000 base clusterings, as far as the server has a part in them."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(Path.cwd(), scratch, PORT)
        try:
            for scene in SCENES:
                if scene.knob != "param_theta" or scene.picture != "partition_map_marks":
                    continue
                query = dict(one.split("=") for one in scene.path.partition("?")[2].split("&"))
                visitor = _Watching(server.address.removeprefix("http://"))
                visitor.picture = scene.picture
                while not visitor.has(scene.knob):  # until the base clusterings are there and compared
                    visitor.open("ensemble", **query)
                    visitor.hear(2)
                came, whole = [], []
                for step in range(12):
                    begun = time.perf_counter()
                    whole.append(visitor.move(scene.knob, 0.1 + 0.03 * step))
                    came.append(visitor.came - begun)
                    visitor.hear(0.4)
                visitor.close()
                assert not visitor.errors, visitor.errors
                rows.append([scene.what, *(milliseconds(np.array(one[2:])) for one in (came, whole))])
        finally:
            server.stop()
    return rows


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    header = ["a move", "to the new picture", "before", "server's processor time", "before"]
    words = [
        "# How fast a page answers",
        "One knob moved by one step, from the key press (click, end of a box) to the new picture in the browser, and "
        "the processor time the server used until it rested; before: in the older state.",
        machine(),
        table(header, alone()),
        "Without a browser: until the picture has left the server, and until the page is done with the move:",
        table(["a move", "the picture", "all of the page"], without_a_browser()),
        "Start, M, while LWGP on digits (theta x 8 x 1,000 draws) runs in another browser:",
        table(["when", "to the new picture", "ratio"], beside_a_study()),
    ]
    publish("\n\n".join(words), chosen.out)


if __name__ == "__main__":
    main()
