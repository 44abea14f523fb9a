"""A whole comparison as one HTML file that needs nothing else: table, figures, study, records."""

import html
from collections.abc import Sequence
from typing import Any

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2rem auto; padding: 0 1rem; color: #1c1b19; }
table { border-collapse: collapse; } th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child { text-align: left; } pre { background: #f4f2ec; padding: 1rem; overflow: auto; }
"""


def report(title: str, words: Sequence[str], table: str, figures: Sequence[tuple[str, Any]], study: str, csv: str):
    """The report as bytes.

    Parameters
    ----------
    title : str
    words : sequence of str
        Paragraphs.
    table : str
        HTML.
    figures : sequence of (str, plotly.graph_objects.Figure)
        Each with its caption.
    study, csv : str
        The study file, and the records.
    """
    parts = [f"<h1>{html.escape(title)}</h1>", *(f"<p>{html.escape(text)}</p>" for text in words), table]
    for place, (caption, figure) in enumerate(figures):
        drawn = figure.to_html(full_html=False, include_plotlyjs="inline" if place == 0 else False,
                               config={"displaylogo": False})  # fmt: skip
        parts += [f"<h2>{html.escape(caption)}</h2>", drawn]
    parts += ["<h2>The study</h2>", f"<pre>{html.escape(study)}</pre>"]
    parts += [f"<details><summary>All records (CSV)</summary><pre>{html.escape(csv)}</pre></details>"]
    head = f"<meta charset='utf-8'><title>{html.escape(title)}</title><style>{STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(parts)}</body></html>".encode()
