"""Server time and payload of a reorder and of a zoom on the Matrices page: `python -m bench.bench_matrices`."""

import json
import time

import numpy as np

from bench.harness import arguments, machine, publish, seconds_text, table
from engine import run_consensus
from ui.compute import generating
from ui.pictures import drawn
from ui.scene import Scene
from ui.session.run_config import RunConfig


def redraw(scene: Scene) -> int:
    """What the page does for a reorder or a zoom, both pictures; bytes of the figures sent."""
    figures = [drawn(f"matrix_{side}", scene, "light") for side in ("left", "right")]
    return sum(len(json.dumps(figure.as_it_is().to_dict())) for figure in figures)


def main() -> None:
    chosen = arguments()
    config = RunConfig(data="pools/lwea/MNIST", m=20, left="ca", right="lwca")
    first = Scene(config)
    made = generating.drawn(first.source, 20, 7)
    result = run_consensus("lwea", made, 10, record=("similarity",))
    known = {"ensemble": made, "consensus": result, "truth": None}
    rows = []
    for what, changes in (
        ("reorder by tree", {"order": "tree"}),
        ("reorder by consensus", {"order": "consensus"}),
        ("zoom to 1,000 x 1,000", {"zoom": (500, 1500, 500, 1500)}),
        ("zoom to 60 x 60", {"zoom": (500, 560, 500, 560)}),
    ):
        seconds, sent = [], 0
        for _ in range(7):
            scene = Scene(config.with_(**changes), first.run, **known)
            _ = scene.tree, scene.matrix_left, scene.matrix_right  # a move finds what takes long
            start = time.perf_counter()
            sent = redraw(scene)
            seconds.append(time.perf_counter() - start)
        rows.append([what, seconds_text(np.array(seconds)), f"{sent / 1e6:.2f} MB"])
    title = (
        f"# Matrices page\n\npool lwea/MNIST, N = 5,000, M = 20, n = {len(made.microclusters):,}; two pictures a move"
    )
    publish(f"{title}\n\n{machine()}\n\n{table(['what', 'server, median (range)', 'sent'], rows)}", chosen.out)


if __name__ == "__main__":
    main()
