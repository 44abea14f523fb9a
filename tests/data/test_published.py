import re
from collections import Counter
from pathlib import Path

import pytest

import data
from data.published import read_published
from engine import consensus_methods
from tests.data.small_folder import PUBLISHED

TABLES = data.published_tables()
FOLDER = Path(data.__file__).with_name("published")
HEAD = "paper,table,column,row,dataset,method,params,measure,k_policy,n_clusterings,draws,mean,sd"
LINE = "huang2018lwea,V,IS Best-k,LWEA,,lwea,{},nmi_max,best,10,100,0.5,0.1"


def means(key, **wanted):
    """Printed means by (row, column) where the fields named have the values named."""
    scores = [s for s in TABLES[key].rows if s.mean is not None]
    return {(s.row, s.column): s.mean for s in scores if all(getattr(s, name) == v for name, v in wanted.items())}


def column(values, name):
    """One column of `means`, by row."""
    return {row: mean for (row, where), mean in values.items() if where == name}


def winners(values, where):
    """The rows with the highest mean of a column."""
    found = column(values, where)
    return {row for row, mean in found.items() if mean == max(found.values())}


@pytest.mark.parametrize(
    ("key", "table", "rows", "columns", "cells"),
    [
        ("huang2018lwea-5", "V", 13, 28, 220),
        ("huang2018lwea-7", "VII", 13, 30, 293),
        ("huang2016pta-7", "7", 10, 16, 10 * 16),
        ("huang2016pta-8", "8", 10, 16, 10 * 16),
        ("huang2016pta-9", "9", 24, 20, 24 * 20),
        ("jia2023eccms-4", "IV", 14, 8, 14 * 8),
        ("jia2023eccms-5", "V", 12, 6, 12 * 6),
        ("surveydata2026-benchmark", "benchmark", 22, 8, 169),
    ],
)
def test_tables_are_there(key, table, rows, columns, cells):
    found = TABLES[key]
    assert (found.key, found.table, len(found.rows)) == (key, table, cells)
    assert len({s.row for s in found.rows}) == rows
    assert len({s.column for s in found.rows}) == columns


def test_every_file_is_a_table():
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(TABLES)


def test_papers_are_in_the_bibliography():
    entries = (Path(__file__).parents[2] / "docs" / "references.bib").read_text()
    known = set(re.findall(r"@\w+\{(\w+),", entries))
    assert {table.paper for table in TABLES.values()} <= known


def test_methods_and_their_parameters_are_ours():
    for table in TABLES.values():
        for score in table.rows:
            if score.method:
                method = consensus_methods()[score.method]
                params = method.params.of(dict(score.params))
                assert dict(score.params).items() <= params.as_dict().items()
            else:
                assert not score.params


def test_every_row_of_a_comparison_has_its_method_but_for_those_nobody_can_run():
    without = {(key, s.row) for key, table in TABLES.items() for s in table.rows if not s.method}
    rsec = {("jia2023eccms-4", f"RSEC-{output}") for output in "HZ"}  # beyond 500 microclusters
    unnamed = {one for one in without if one[0] == "surveydata2026-benchmark" and " no. " in one[1]}
    walks = {one for one in without if one[0] in ("huang2016pta-7", "huang2016pta-8")}
    tuned = {("jia2023eccms-4", "Proposed"), ("jia2023eccms-5", "Proposed")}
    assert without == rsec | unnamed | walks | tuned


def test_what_is_left_out_and_what_is_here_make_the_whole_table():
    for table in TABLES.values():
        rows, columns = ({getattr(score, part) for score in table.rows} for part in ("row", "column"))
        there = [(score.row, score.column) for score in table.rows]
        gone = [(row, column) for row, some in table.left_out.items() for column in some]
        assert len(there) + len(gone) == len({*there, *gone}) == len(rows) * len(columns)
    assert sum(map(len, TABLES["huang2018lwea-5"].left_out.values())) == 144
    assert not TABLES["huang2016pta-9"].left_out


def test_data_sets_are_those_of_the_published_folder():
    named = {score.dataset for table in TABLES.values() for score in table.rows} - {""}
    assert named <= set(PUBLISHED)
    assert len(named) == 8 + 5 + 2


@pytest.mark.parametrize(("key", "pairs"), [("huang2018lwea-5", 27), ("huang2018lwea-7", 100), ("huang2016pta-9", 193)])
def test_the_best_k_is_never_worse_than_the_true_one(key, pairs):
    best, true = means(key, k_policy="best"), means(key, k_policy="true")
    matched = [
        (best[cell], true[cell[0], cell[1].replace("Best", "True")])
        for cell in best
        if (cell[0], cell[1].replace("Best", "True")) in true
    ]
    assert len(matched) == pairs
    assert all(high >= low for high, low in matched)


@pytest.mark.parametrize(
    ("key", "sets"),
    [
        ("huang2018lwea-5", "IS LR MNIST ODR Semeion Texture USPS"),
        ("huang2018lwea-7", "IS LR ODR Semeion Texture USPS"),
    ],
)
def test_lwea_and_lwgp_lead_where_their_paper_says_so(key, sets):
    values = means(key)
    for name in sets.split():
        for policy in ("Best-k", "True-k"):
            found = column(values, f"{name} {policy}")
            assert winners(values, f"{name} {policy}") <= {"LWEA", "LWGP"} or not {"LWEA", "LWGP"} <= set(found)


def test_ranks_of_table_9_are_those_the_paper_counts():
    values = means("huang2016pta-9")
    top = Counter()
    for name in {where for _, where in values}:
        found = column(values, name)
        third = sorted(found.values(), reverse=True)[2]
        top.update(row for row, mean in found.items() if mean >= third)
    assert top["PTGP"] == 19
    assert top["PTA-AL"] == 18
    assert max(n for row, n in top.items() if not row.startswith("PT")) == 4


def test_what_was_infeasible_has_no_mean():
    scores = {(s.row, s.column): s.mean for s in TABLES["huang2016pta-9"].rows}
    assert scores["CSPA", "KDD99-10P Best-k"] is None
    assert scores["HGPA", "KDD99-10P Best-k"] == 0.311
    assert sum(mean is None for mean in scores.values()) == 6 * 10 + 3 * 4 + 2 * 4 + 6 * 2 + 2


def test_neighbours_and_steps_of_tables_7_and_8():
    for key, method in (("huang2016pta-7", "pta"), ("huang2016pta-8", "ptgp")):
        all_links = [s for s in TABLES[key].rows if s.column.startswith("K=ALL")]
        assert len(all_links) == 10
        assert not any(s.method for s in all_links)
        for score in set(TABLES[key].rows) - set(all_links):
            assert score.method == method
            assert score.column == "K={K}, T={T}".format(**dict(score.params))


@pytest.mark.parametrize(
    ("row", "values"),  # as Tables VII and VIII of the paper repeat them
    [
        ("PTA-AL", (0.356, 0.340, 0.593, 0.136, 0.600, 0.658, 0.323, 0.081)),
        ("LWEA", (0.367, 0.430, 0.558, 0.130, 0.928, 0.705, 0.348, 0.084)),
        ("Proposed", (0.525, 0.754, 0.657, 0.179, 0.989, 0.723, 0.371, 0.105)),
    ],
)
def test_rows_of_ec_cms_that_the_paper_prints_twice(row, values):
    assert tuple(s.mean for s in TABLES["jia2023eccms-4"].rows if s.row == row) == values


def test_ec_cms_leads_on_all_eight_sets():
    values = means("jia2023eccms-4")
    assert all(winners(values, name) == {"Proposed"} for _, name in values)


@pytest.fixture
def read(tmp_path):
    """A function that reads a table with these lines in place of the file's."""

    def _read(*lines, key="huang2018lwea-5"):
        path = tmp_path / f"{key}.csv"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        read_published.cache_clear()
        return read_published(key, path)

    return _read


def test_a_line_is_read_as_it_stands(read):
    (score,) = read(HEAD, LINE.replace("{}", '"{""theta"": 0.2, ""a"": 1}"')).rows
    assert (score.row, score.column, score.mean, score.sd) == ("LWEA", "IS Best-k", 0.5, 0.1)
    assert score.params == (("a", 1), ("theta", 0.2))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nmi_max", "nmi", "measure must be one of"),
        (",best,", ",some,", "k_policy must be one of"),
        ("0.5,0.1", "1.5,0.1", "mean must be a number from 0 to 1"),
        ("0.5,0.1", "0.5,-0.1", "sd must be a number from 0 to 1"),
        ("0.5,0.1", "nan,0.1", "mean must be a number from 0 to 1"),
        ("0.5,0.1", "0.5", "there must be 13 values"),
        ("0.5,0.1", "0.5,0.1,1", "there must be 13 values"),
        (",10,", ",0,", "n_clusterings must be a whole number"),
        (",100,", ",many,", "draws must be a whole number"),
        ("{}", "[]", "params must be a JSON object"),
        ("IS Best-k", "", "column is empty"),
        ("huang2018lwea", "fred2005eac", "is of the paper 'fred2005eac'"),
    ],
)
def test_a_damaged_line_is_named(read, old, new, said):
    with pytest.raises(data.DataError, match=re.escape(said)):
        read(HEAD, LINE.replace(old, new))


def test_other_columns_two_tables_a_cell_twice_and_unknown_keys_are_refused(read, tmp_path):
    with pytest.raises(data.DataError, match="must have the columns"):
        read(HEAD.replace("sd", "spread"), LINE)
    with pytest.raises(data.DataError, match="one table of one paper; it has 2"):
        read(HEAD, LINE, LINE.replace(",V,", ",VI,"))
    with pytest.raises(data.DataError, match="one table of one paper; it has 0"):
        read(HEAD)
    with pytest.raises(data.DataError, match="IS Best-k twice"):
        read(HEAD, LINE, LINE)
    with pytest.raises(data.DataError, match="no published table 'x-1'"):
        read(HEAD, LINE, key="x-1")
    with pytest.raises(data.DataError, match="cannot be read"):
        read_published("huang2018lwea-5", tmp_path / "absent.csv")
