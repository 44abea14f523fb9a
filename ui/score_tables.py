"""Scores of methods on data sets as a table: mean and spread, the best in bold, what is tied with it marked."""

import csv
import html
import io
from dataclasses import dataclass

import numpy as np

from engine.experiments.statistics import spread, tied_with_best

#: Stands after a mean that no paired t-test tells from the best.
TIED = "≈"


@dataclass(frozen=True)
class Cell:
    """One method on one data set."""

    mean: float
    sd: float
    best: bool
    tied: bool

    @property
    def text(self) -> str:
        """Such as "0.823 ± 0.021"; a dash where there is no score yet."""
        return "–" if np.isnan(self.mean) else f"{self.mean:.3f} ± {self.sd:.3f}"


def cells(scores: np.ndarray) -> list[list[Cell]]:
    """Rows of cells from scores (methods, data sets, draws)."""
    columns = [_column(scores[:, j]) for j in range(scores.shape[1])]
    return [list(row) for row in zip(*columns, strict=True)]


def _column(scores: np.ndarray) -> list[Cell]:
    tied = tied_with_best(scores)
    spreads = [spread(row) for row in scores]
    means = np.array([one.mean for one in spreads])
    best = np.nanargmax(means) if np.isfinite(means).any() else -1
    return [Cell(one.mean, one.sd, i == best, bool(tied[i]) and i != best) for i, one in enumerate(spreads)]


def as_markdown(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> str:
    """A Markdown table."""
    lines = [["", *sets], ["---"] + ["---:"] * len(sets)]
    lines += [[f"**{name}**", *map(_marked, row)] for name, row in zip(methods, rows, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _marked(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else f"{cell.text} {TIED}" if cell.tied else cell.text
    return text.replace(" ", "\N{NO-BREAK SPACE}")  # a narrow page scrolls the table; it does not break numbers


def as_html(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> str:
    """An HTML table."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ["", *sets])
    body = "".join(
        f"<tr><th>{html.escape(name)}</th>" + "".join(map(_html_cell, row)) + "</tr>"
        for name, row in zip(methods, rows, strict=True)
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(cell: Cell) -> str:
    inner = f"<b>{cell.text}</b>" if cell.best else f"{cell.text} {TIED}" if cell.tied else cell.text
    return f"<td>{inner}</td>"


def as_csv(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> str:
    """A row a method and data set: mean, sd, whether it is the best, whether it is tied with it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["method", "dataset", "mean", "sd", "best", "tied"])
    for method, row in zip(methods, rows, strict=True):
        writer.writerows([method, name, cell.mean, cell.sd, cell.best, cell.tied]
                         for name, cell in zip(sets, row, strict=True))  # fmt: skip
    return out.getvalue()


def as_latex(rows: list[list[Cell]], methods: list[str], sets: list[str], measure: str) -> str:
    """A LaTeX table with booktabs."""
    lines = [f"% {measure}: mean and sd; bold = best, underlined = not told from it by a paired t-test (5 %)",
             r"\begin{tabular}{l" + "r" * len(sets) + "}", r"\toprule",
             " & ".join(["", *map(_escaped, sets)]) + r" \\", r"\midrule"]  # fmt: skip
    lines += [" & ".join([_escaped(name), *map(_latex_cell, row)]) + r" \\"
              for name, row in zip(methods, rows, strict=True)]  # fmt: skip
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _latex_cell(cell: Cell) -> str:
    if np.isnan(cell.mean):
        return "--"
    mean = f"{cell.mean:.3f}"
    wrapped = rf"\mathbf{{{mean}}}" if cell.best else rf"\underline{{{mean}}}" if cell.tied else mean
    return rf"${wrapped} \pm {cell.sd:.3f}$"


def _escaped(text: str) -> str:
    text = text.replace("\\", r"\textbackslash ")
    for plain in "_&%#$":
        text = text.replace(plain, "\\" + plain)
    return text
