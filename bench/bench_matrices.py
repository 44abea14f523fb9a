"""Server time and payload of a reorder and of a zoom on the Matrices page: `python -m bench.bench_matrices`."""

import json
import time

import numpy as np

from bench.harness import arguments, machine, publish, seconds_text, table
from engine import run_consensus
from ui.compute import generating, pipeline
from ui.figures import add_side_tree, matrix_image
from ui.matrices import views as matrix_views
from ui.session.run_config import RunConfig


def redraw(config, made, result, joined, shown) -> int:
    """What the page does for a reorder or a zoom, both pictures; bytes of the figures sent."""
    order = matrix_views.object_order(config, made, result, joined)
    zoom = matrix_views.zoom_of(config, made.n_objects)
    labels, sent = result.labels, 0
    for one in shown:
        values = one.window(order, zoom)
        rows, cols = (
            labels[order[np.linspace(a, b - 1, n).astype(int)]]
            for a, b, n in ((*zoom[:2], values.shape[0]), (*zoom[2:], values.shape[1]))
        )
        figure = matrix_image(values, "light", name=one.title, row_labels=rows, column_labels=cols, extent=zoom)
        if config.order == "tree":
            spans = matrix_views.leaf_spans(made, joined)
            add_side_tree(figure, joined.merges, joined.similarities, *spans, zoom[:2], "light")
        sent += len(json.dumps(figure.to_plotly_json(), default=_binary))
    return sent


def _binary(value) -> str:
    """Arrays travel as base64 of their bytes: four characters for three bytes."""
    return "x" * (4 * np.asarray(value).nbytes // 3)


def main() -> None:
    chosen = arguments()
    config = RunConfig(data="pools/lwea/MNIST", m=20)
    made = generating.drawn(pipeline.dataset(config), 20, 7)
    result = run_consensus("lwea", made, 10, record=("similarity",))
    joined = result.trace["dendrogram"]
    shown = [matrix_views.named(config, made, result, name, name).future.result() for name in ("ca", "lwca")]
    rows = []
    for what, changes in (
        ("reorder by tree", {"order": "tree"}),
        ("reorder by consensus", {"order": "consensus"}),
        ("zoom to 1,000 x 1,000", {"zoom": (500, 1500, 500, 1500)}),
        ("zoom to 60 x 60", {"zoom": (500, 560, 500, 560)}),
    ):
        seconds, sent = [], 0
        for _ in range(7):
            start = time.perf_counter()
            sent = redraw(config.with_(**changes), made, result, joined, shown)
            seconds.append(time.perf_counter() - start)
        rows.append([what, seconds_text(np.array(seconds)), f"{sent / 1e6:.2f} MB"])
    title = (
        f"# Matrices page\n\npool lwea/MNIST, N = 5,000, M = 20, n = {len(made.microclusters):,}; two pictures a move"
    )
    publish(f"{title}\n\n{machine()}\n\n{table(['what', 'server, median (range)', 'sent'], rows)}", chosen.out)


if __name__ == "__main__":
    main()
