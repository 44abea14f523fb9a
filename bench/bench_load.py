"""A class of visitors at once: `python -m bench.bench_load [--minutes 10] [--sessions 20] [--out FILE]`.

Visitors speak Streamlit's protocol over WebSockets (`bench.visitor`), from a process of their own on the same machine:
they open pages, move sliders, leave and come again, while one of them runs a study. Then everybody leaves.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil

from bench.harness import machine, publish, table
from bench.serving import Server
from bench.visitor import Visitor

#: Page, query, slider, and its ends where it is none over a list.
SCENES = (
    ("", {"data": "moons"}, "start_m", (4, 20)),
    ("", {"data": "spirals"}, "start_m", (4, 20)),
    ("consensus", {"data": "iris", "method": "lwea", "m": "20"}, "param_theta", (0, 1)),
    ("consensus", {"data": "wine", "method": "lwgp", "m": "10"}, "param_theta", (0, 1)),
    ("matrices", {"data": "wine", "m": "20"}, "param_theta", (0, 1)),
    ("walks", {"data": "iris", "m": "20", "method": "pta"}, "param_K", (3, 12)),
    ("ensemble", {"data": "iris", "m": "12"}, "m", (5, 15)),
)
STUDY = {"data": "digits", "method": "lwgp", "draws": "1000", "m": "10"}
MOVES, THINK = 6, (0.5, 2.0)
#: Seconds after which what the visitors left must be gone.
REST = 60.0
#: Seconds of a class before the one that is measured: kernels, modules, arenas of every thread and what pages keep for
#: all visitors are there then. Three visitors use not half of them, and a first use would count as a leak.
FIRST_USE = 180.0


@dataclass
class Log:
    """What the visitors saw: when, what, how long; and what went wrong."""

    begun: float = field(default_factory=time.perf_counter)
    moves: list[tuple[float, float]] = field(default_factory=list)
    openings: list[tuple[float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def note(self, kind: list[tuple[float, float]], seconds: float) -> None:
        """Note how long something took just now."""
        kind.append((time.perf_counter() - self.begun, seconds))


@dataclass
class Use:
    """What the server's process holds."""

    rss: float
    threads: int
    handles: int

    @classmethod
    def of(cls, server: Server) -> "Use":
        """What it holds now."""
        process = psutil.Process(server.process.pid)
        return cls(process.memory_info().rss / 2**20, process.num_threads(), process.num_fds())

    def row(self, when: str) -> list[str]:
        """A line of the table."""
        return [when, f"{self.rss:.0f} MB", str(self.threads), str(self.handles)]


def stay(address: str, seed: int, end: float, log: Log) -> None:
    """One visitor until the end: comes, looks at some pages, goes, and comes again."""
    chance = random.Random(seed)
    while time.perf_counter() < end:
        visitor = Visitor(address)
        try:
            for _ in range(chance.randint(2, 5)):
                look(visitor, chance, end, log)
        except (OSError, EOFError, TimeoutError) as error:
            log.errors.append(f"connection: {error!r}"[:200])
        log.errors += visitor.errors
        visitor.close()


def look(visitor: Visitor, chance: random.Random, end: float, log: Log) -> None:
    """One page and some moves of its slider."""
    page, query, slider, (low, high) = chance.choice(SCENES)
    log.note(log.openings, visitor.open(page, seed=str(chance.randrange(5)), **query))
    for _ in range(MOVES):
        time.sleep(chance.uniform(*THINK))
        if time.perf_counter() > end or not visitor.has(slider):
            return
        log.note(log.moves, visitor.move(slider, chance.random(), low, high))


def visitors(address: str, sessions: int, seconds: float, log: Log) -> None:
    """All of them at once."""
    end = time.perf_counter() + seconds
    threads = [threading.Thread(target=stay, args=(address, seed, end, log)) for seed in range(sessions)]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()


def run(sessions: int, minutes: float) -> tuple[Log, list[list[str]], float]:
    """Numbers of one run: what visitors saw, what the server held, and the mean load of the machine."""
    log, loads = Log(), []
    with tempfile.TemporaryDirectory() as scratch:
        server = Server(Path.cwd(), scratch)
        address = f"127.0.0.1:{server.port}"
        try:
            study = begun_study(address)
            visitors(address, sessions, FIRST_USE, Log())
            end_study(study)
            time.sleep(REST)
            uses = [Use.of(server).row("before, one minute after an equal class of three minutes and a study had left")]
            study = begun_study(address)
            log.begun = time.perf_counter()
            crowd = threading.Thread(target=visitors, args=(address, sessions, 60 * minutes, log))
            crowd.start()
            most = Use.of(server)
            while crowd.is_alive():
                crowd.join(5)
                now = Use.of(server)
                most = Use(*(max(a, b) for a, b in zip(vars(most).values(), vars(now).values(), strict=True)))
                loads.append(os.getloadavg()[0])
            uses.append(most.row(f"at most, with {sessions} visitors and a study"))
            log.errors += end_study(study)
            time.sleep(REST)
            uses.append(Use.of(server).row("one minute after all had left"))
        finally:
            server.stop()
    return log, uses, statistics.mean(loads)


def begun_study(address: str) -> Visitor:
    """A visitor who runs a study of some minutes."""
    visitor = Visitor(address)
    visitor.open("compare", compared="settings", **STUDY)
    visitor.press("run_study" if visitor.has("run_study") else "continue_study", wait=False)
    return visitor


def end_study(visitor: Visitor) -> list[str]:
    """Cancel the study, if it still runs, and leave; what went wrong."""
    visitor.hear(3)
    if visitor.has("cancel_study"):
        visitor.press("cancel_study", wait=False)
    visitor.close()
    return visitor.errors


def second_visitor(changes: int = 24) -> list[list[str]]:
    """Page changes of one visitor, idle and while another's computation of minutes runs."""
    places = [("consensus", {"data": "iris", "m": "20"}), ("ensemble", {"data": "iris", "m": "20"})]

    def change(visitor: Visitor) -> np.ndarray:
        return np.array([visitor.open(places[i % 2][0], **places[i % 2][1]) for i in range(changes)])  # type: ignore

    with tempfile.TemporaryDirectory() as scratch:
        server = Server(Path.cwd(), scratch)
        try:
            address = f"127.0.0.1:{server.port}"
            one, other = Visitor(address), Visitor(address)
            change(one)
            time.sleep(REST)  # the kernel cache is filled beside the server
            idle = change(one)
            other.open("compare", compared="settings", **STUDY)
            other.press("run_study", wait=False)
            time.sleep(3)
            busy = change(one)
            assert not one.errors, one.errors
        finally:
            server.stop()
    ratio = np.median(busy) / np.median(idle)
    return [["idle", _milliseconds(idle), ""], ["while it runs", _milliseconds(busy), f"{ratio:.2f}x"]]


def _milliseconds(values: np.ndarray) -> str:
    low, middle, high = 1e3 * np.quantile(values, (0, 0.5, 0.95))
    return f"{middle:.0f} ms ({low:.0f}; 95 %: {high:.0f})"


def _p95(values: list[float]) -> str:
    return f"{np.quantile(values, 0.95):.2f} s"


def report(sessions: int, minutes: float) -> str:
    """Everything, as a Markdown page."""
    before = os.getloadavg()[0]
    changes = second_visitor()
    log, uses, load = run(sessions, minutes)
    end = 60 * minutes
    fifths = [[s for at, s in log.moves if lo <= at / end < lo + 0.2] for lo in (0.0, 0.8)]
    rows = [
        [
            "moves",
            f"{len(log.moves):,}",
            f"{statistics.median(s for _, s in log.moves):.2f} s",
            _p95([s for _, s in log.moves]),
        ],
        ["moves in the first fifth", f"{len(fifths[0]):,}", f"{statistics.median(fifths[0]):.2f} s", _p95(fifths[0])],
        ["moves in the last fifth", f"{len(fifths[1]):,}", f"{statistics.median(fifths[1]):.2f} s", _p95(fifths[1])],
        [
            "pages opened",
            f"{len(log.openings):,}",
            f"{statistics.median(s for _, s in log.openings):.2f} s",
            _p95([s for _, s in log.openings]),
        ],
    ]
    kinds = "".join(f"\n- {words}" for words in sorted(set(log.errors))[:10])
    return f"""# A class at once

{sessions} visitors over WebSockets for {minutes:g} minutes, from a second process on the same machine, beside one
study: each opens pages, moves sliders (a move every {THINK[0]} to {THINK[1]} s), leaves and comes again. A move is over
when the page rests with its result. Load of the machine, other work included: {before:.1f} before, {load:.1f} on
average meanwhile.

{machine()}

Errors: {len(log.errors)}{kinds}

{table(["what", "count", "median", "95 %"], rows)}

{table(["the server", "memory (RSS)", "threads", "handles"], uses)}

A page change of one visitor, while another's study runs (LWGP on digits, 1,000 draws of every setting):

{table(["when", "a page change", "ratio"], changes)}"""


def main() -> None:
    """Measure in a process of its own, write the page, and fail on errors."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10.0, help="how long; an hour or more is a soak")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    text = report(asked.sessions, asked.minutes)
    publish(text, asked.out)
    sys.exit(0 if "Errors: 0\n" in text else 1)


if __name__ == "__main__":
    main()
