"""Scores of methods on data sets as a table: mean and spread, the best in bold, what is tied with it marked."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from engine.statistics import spread, tied_with_best
from engine.studies.records import Record
from engine.studies.study import Study
from ui import outside
from ui.saying import score_words

#: What the CSV says of how a score was found.
_SAID = ("params", "n_clusterings", "k", "generator", "version")
#: Stands after a mean that no paired t-test tells from the best.
TIED = "≈"


@dataclass(frozen=True)
class Cell:
    """One method on one data set."""

    mean: float
    sd: float
    best: bool
    tied: bool
    draws: int = 1

    @property
    def text(self) -> str:
        """Such as "0.823 ± 0.021"; a dash where there is no score yet, and no spread where there are no draws."""
        if np.isnan(self.mean):
            return "–"
        return score_words(self.mean) if np.isnan(self.sd) else f"{score_words(self.mean)} ± {self.sd:.3f}"


def cells(scores: np.ndarray) -> list[list[Cell]]:
    """Rows of cells from scores (methods, data sets, draws)."""
    columns = [_column(scores[:, j]) for j in range(scores.shape[1])]
    return [list(row) for row in zip(*columns, strict=True)]


def _column(scores: np.ndarray) -> list[Cell]:
    tied = tied_with_best(scores)
    spreads = [spread(row) for row in scores]
    means = np.array([one.mean for one in spreads])
    printed = np.array([float(f"{mean:.3f}") for mean in means])  # what prints the same is the same to a reader
    best = printed == (np.nanmax(printed) if np.isfinite(means).any() else np.inf)
    several = [one.n > 1 for one in spreads]  # of one draw there is neither a spread nor a test
    return [
        Cell(
            one.mean,
            one.sd if several[i] else np.nan,
            bool(best[i]),
            bool(tied[i] and several[i] and not best[i]),
            one.n,
        )
        for i, one in enumerate(spreads)
    ]


def as_markdown(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> str:
    """A Markdown table."""
    lines = [["", *map(outside.name, sets)], ["---"] + ["---:"] * len(sets)]
    lines += [[f"**{outside.markdown(name)}**", *map(_marked, row)] for name, row in zip(methods, rows, strict=True)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _marked(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else f"{cell.text} {TIED}" if cell.tied else cell.text
    return text.replace(" ", "\N{NO-BREAK SPACE}")  # a narrow page scrolls the table; it does not break numbers


def as_html(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> str:
    """An HTML table."""
    styled = Styler(_frame(rows, methods, sets), uuid="scores", cell_ids=False)
    return styled.format(_html_cell).format_index(escape="html").format_index(escape="html", axis=1).to_html()


def of_pairs(table: pd.DataFrame) -> str:
    """A table of words or of p values in HTML, a row and a column a method."""
    styled = Styler(table, uuid=f"pairs{table.dtypes.iloc[0].kind}", cell_ids=False)
    return (
        styled.format(lambda one: one if isinstance(one, str) else score_words(one), na_rep="")
        .format_index(escape="html")
        .format_index(escape="html", axis=1)
        .to_html()
    )


def _html_cell(cell: Cell) -> str:
    return f"<b>{cell.text}</b>" if cell.best else f"{cell.text} {TIED}" if cell.tied else cell.text


def as_latex(rows: list[list[Cell]], methods: list[str], sets: list[str], said: str) -> str:
    """A LaTeX table with booktabs; `said` is what its numbers and marks are."""
    styled = Styler(_frame(rows, methods, sets)).format(_latex_cell)
    styled = styled.format_index(_latex_heading).format_index(outside.latex, axis=1)
    table = styled.to_latex(hrules=True, column_format="l" + "r" * len(sets))
    return f"% {' '.join(said.split()).replace(TIED, 'underlined')}\n{table}"


def _latex_heading(words: str) -> str:
    r"""What begins with a bracket or a star would be an option of the \\ or the rule above it."""
    return ("{}" if words[:1] in ("[", "*") else "") + outside.latex(words)


def _latex_cell(cell: Cell) -> str:
    if np.isnan(cell.mean):
        return "--"
    mean = score_words(cell.mean)
    wrapped = rf"\mathbf{{{mean}}}" if cell.best else rf"\underline{{{mean}}}" if cell.tied else mean
    return f"${wrapped}$" if np.isnan(cell.sd) else rf"${wrapped} \pm {cell.sd:.3f}$"


def _frame(rows: list[list[Cell]], methods: list[str], sets: list[str]) -> pd.DataFrame:
    """Cells in a table, each to be put into words by the language."""
    return pd.DataFrame(rows, methods, sets, dtype=object)


def as_csv(
    rows: list[list[Cell]],
    titles: list[str],
    study: Study,
    sets: list[str],
    records: Iterable[Record],
    measure: str,
    policy: str,
) -> str:
    """A row a method and data set: score, mean, sd, whether it is the best or tied, over how many draws, how found.

    `policy` is how k was chosen. Rows after those of the study's methods are labels of one's own, which no run found.
    """
    found = defaultdict[tuple[str, str], list[Record]](list)
    for record in records:
        found[record.method, record.dataset].append(record)
    none_ran = [""] * (len(titles) - len(study.methods))
    return pd.DataFrame(
        {
            "method": outside.cell(title),
            "dataset": outside.cell(shown),
            "measure": measure,
            **asdict(cell),
            "k_policy": policy if method else "",
            **_found_with(found[method, name]),
        }
        for method, title, row in zip([*study.methods, *none_ran], titles, rows, strict=True)
        for name, shown, cell in zip(study.datasets, sets, row, strict=True)
    ).to_csv(index=False, lineterminator="\n")


def _found_with(found: list[Record]) -> dict[str, str]:
    """What the records of a cell have in common; where they differ (the best k of each draw), all that they have."""
    said = {name: [getattr(record, name) for record in found] for name in _SAID}
    return {
        name: ", ".join(dict.fromkeys(str(one) for one in values if one is not None)) for name, values in said.items()
    }
