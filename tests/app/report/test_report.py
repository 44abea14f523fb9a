"""The report: complete, harmless, and the same from the page and from the command."""

import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from engine import consensus_methods, run_consensus
from engine.runtime.errors import EngineError
from tests.app.compute.test_jobs import until
from tests.app.conftest import executed, words
from tests.strategies import random_labels
from ui.compute import uploads
from ui.consensus import downloads
from ui.export.script import beside, script
from ui.pictures import methods
from ui.report import making, tables
from ui.report.__main__ import main
from ui.report.making import gathered
from ui.scene import Scene
from ui.session.run_config import RunConfig, from_query
from ui.widgets import progress

ROOT = Path(__file__).parents[3]
SECTIONS = ["Data", "Ensemble", "Method", "Partition", "Matrix", "Tree", "Scores", "Confidence", "How many clusters"]
SECTIONS += ["Settings", "Script", "References"]


class Page(HTMLParser):
    """Tags, addresses and words of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.addresses, self.words, self.open = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        self.addresses += [name for name, _ in attrs if name.startswith("on")]
        self.open.append(tag)

    def handle_data(self, data):
        self.words.append((self.open[-1] if self.open else "", data))


@pytest.fixture(scope="module")
def wine():
    config, _ = from_query({"data": "wine", "m": "8", "seed": "3"})
    session = gathered(config)
    return session, making.report(session)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([1, 1], "2, of 1 object each"),
        ([2, 1], "2, of 2, 1 objects"),
        ([9], "1, of 9 objects"),
        ([3, *[2] * 21], f"22, of 3, {'2, ' * 18}2 objects; 2 more classes"),
    ],
)
def test_sizes_of_classes_are_told(sizes, said):
    assert tables.sizes_told(np.array(sizes)) == said


def test_nothing_is_ringed_where_no_classes_are_known():
    config, _ = from_query({"data": uploads.keep_file("four.csv", b"0,0\n0,1\n1,2\n1,2\n", "labels").id, "k": "2"})
    text = making.report(gathered(config))
    assert "ringed" not in text
    assert "The consensus</figcaption>" in text


def test_wide_pictures_take_the_width_of_the_paper(wine):
    """On half of it the words of a score strip would be 5 points high."""
    _, text = wine
    figures = re.findall(r"<figure( class=\"wide\")?><figcaption>(.*?)</figcaption><svg[^>]*? width=\"(\d+)", text)
    assert any("consensus as a bold line" in caption for _, caption, _ in figures)
    for wide, caption, pixels in figures:
        assert bool(wide) == (int(pixels) > 500), caption
    assert "figure.wide, figure:only-child { max-width: 100%; }" in text


def headings(text: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", text)


def test_objects_and_clusters_are_numbered_as_on_the_pages(wine):
    session, _ = wine
    assert [row[0] for row in tables.cluster_rows(session)] == ["1", "2", "3"]
    assert tables.called(session)[0] == "1"
    _, last = tables.members(session)[session.consensus.labels[-1]]
    assert "178" in last.split(", ")
    assert {row[1] for row in tables.least_sure(session)} <= {"1", "2", "3"}


def test_objects_are_numbered_as_on_the_pages_where_rows_were_dropped(app):
    rows = [f"{value},{value % 7},{'ab'[value > 9]}" for value in range(20)]
    rows[3] = ",1,a"
    file = uploads.keep_file("gap.csv", "\n".join(["u,v,class", *rows]).encode(), "features", missing="drop").id
    query = {"data": file, "m": "6", "k": "2"}
    session = gathered(from_query(query)[0])
    assert tables.called(session) == [str(number) for number in range(1, 20)]
    assert tables.called(session, in_file=True) == [str(row) for row in range(20) if row != 3]
    page = next(
        one.value for one in app("consensus", **query).dataframe if "support" in one.value and "cluster" in one.value
    )
    assert [row[0] for row in tables.least_sure(session)][: len(page)] == [str(one) for one in page.index]


def test_base_clusterings_that_are_switched_off_are_called_as_on_the_pages():
    config, _ = from_query({"data": "iris", "m": "4", "switched_off": "0.2"})
    assert ("Switched off", "1, 3") in tables.ensemble_rows(gathered(config))
    named = uploads.keep_file("named.csv", b"gmm,tree,ward\n" + b"0,1,0\n1,1,0\n0,0,1\n1,0,1\n", "labels").id
    config, _ = from_query({"data": named, "switched_off": "1", "k": "2"})
    assert ("Switched off", "tree") in tables.ensemble_rows(gathered(config))


def test_every_part_is_there(wine):
    session, text = wine
    assert headings(text) == SECTIONS
    assert text.count("<svg ") == 10
    assert "178 objects into 3 clusters" in text
    assert ": LWEA, 3 clusters</h1>" in text
    assert session.ensemble.fingerprint in text
    assert "@article{huang2018lwea," in text
    assert "Huang, Wang and Lai" in text
    assert re.search(r"<td>NMI \(max\)</td><td>0\.\d{3}</td>", text)
    assert session.asked.verdict.split(".")[0] in text


def test_it_needs_neither_network_nor_script(wine):
    page = Page(wine[1])
    assert "script" not in page.tags
    assert all(address.startswith("data:image/png;base64,") for address in page.addresses)
    assert "@import" not in wine[1]
    assert "url(" not in re.sub(r"url\(#c[\d-]+\)", "", wine[1])


def test_the_script_in_it_makes_the_same_labels(wine):
    scope = executed(script(wine[0], beside(wine[0])))
    assert (scope["labels"] == wine[0].consensus.labels).all()


def test_words_from_outside_stay_words():
    labels = random_labels(40, 5, 3)
    content = "\n".join(",".join(map(str, row)) for row in labels).encode()
    evil = "<img src=x onerror=alert(1)>&.csv"
    config, _ = from_query({"data": uploads.keep_file(evil, content, "labels").id, "k": "3"})
    session = gathered(config)
    text = making.report(session)
    page = Page(text)
    assert "img" not in page.tags
    assert "onerror" not in page.addresses
    assert any(evil in words for _, words in page.words)
    assert "No classes are known" in text
    assert "How many clusters" not in headings(text)  # k was given


def test_the_criteria_choose_where_nothing_is_known():
    labels = np.tile(np.repeat([0, 1, 2, 3], 15)[:, None], (1, 6))
    labels[np.random.default_rng(0).random(labels.shape) < 0.1] = 4
    content = "\n".join(",".join(map(str, row)) for row in labels).encode()
    config, _ = from_query({"data": uploads.keep_file("own.csv", content, "labels").id})
    session = gathered(config)
    assert session.consensus.n_clusters == max(2, session.asked.k)
    assert session.config.k == session.consensus.n_clusters
    assert "How many clusters" in headings(making.report(session))


def test_a_method_that_finds_k_is_asked_by_the_command_as_by_the_page():
    config, _ = from_query({"data": "communities", "generator": "leiden", "m": "4", "method": "ecg"})
    session = gathered(config)
    assert session.consensus.labels.tolist() == Scene(config).consensus.labels.tolist()
    assert f": ECG, {session.consensus.n_clusters} clusters</h1>" in making.report(session)


@pytest.mark.long
def test_which_method_is_there_once_it_was_asked():
    config, _ = from_query({"data": "iris", "m": "6", "k": "3", "budget": "1"})
    session = gathered(config, methods=True)
    text, found = making.report(session), session.method_choice
    part = text[text.index("<h2>Which method</h2>") : text.index("<h2>Settings</h2>")]
    said = unescape(re.sub("<[^>]*>", "", part))
    for told in (methods.verdict(found), *found.reasons, methods.Z_VALUES, *found.left_out.values()):
        assert told in said
    for row in found.rows:
        cells = (consensus_methods()[row.method].title, f"{row.expected_loss:.3f}", f"{row.agreement:.2f}")
        assert re.search(".*".join(f"<td>{re.escape(cell)}</td>" for cell in cells), part)
    opinions = len(found.opinions.medoids)
    assert part.count("<svg ") == 1 + (opinions if opinions > 1 else 0)
    assert methods.common_ground.picture.title in part
    assert "Which method" not in headings(making.report(gathered(config)))


def test_where_a_method_has_no_value_the_table_is_empty():
    config, _ = from_query({"data": "iris", "generator": "lac", "m": "3", "k": "3", "budget": "20"})
    names, rows = tables.method_columns(gathered(config, methods=True))
    told = {row[0]: dict(zip(names, row, strict=True)) for row in rows}
    assert (told["WBPA"]["lost in the league"], told["WBPA"]["95 %"]) == ("", "")
    assert not any("nan" in cell for row in rows for cell in row)


def test_the_only_base_clustering_has_no_mean():
    session = gathered(from_query({"data": "iris", "m": "1"})[0])
    assert "; its only base clustering 0." in making.summary(session)


@pytest.mark.long
def test_the_page_hands_on_what_was_asked(app, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    query, offered = {"data": "iris", "m": "6", "k": "3", "budget": "1"}, {}
    monkeypatch.setattr(downloads, "download", lambda name, make, file, key, *rest: offered.update({key: make}))
    app("consensus", **query)
    assert "Which method" not in headings(offered["get_report"]().decode())
    until(lambda: "Nine of ten" in words(app("which_method", **query)), 60)
    app("consensus", **query)
    assert "Which method" in headings(offered["get_report"]().decode())


@pytest.mark.parametrize("method", ["lwgp", "kcc", "got"])
def test_methods_without_a_tree_have_a_report_too(method):
    config, _ = from_query({"data": "iris", "m": "6", "method": method, "k": "3"})
    found = headings(making.report(gathered(config)))
    assert ("Tree" in found) == ("dendrogram" in run_consensus(method, gathered(config).ensemble, 3).trace)


def test_the_command_takes_an_anndata_file(tmp_path):
    cells, out = ROOT / "tests/golden/arrays/small.h5ad", tmp_path / "cells.html"
    assert main([str(cells), "--k", "3", "--m", "4", "--out", str(out)]) == 0
    assert "<h1>small.h5ad: LWEA, 3 clusters</h1>" in out.read_text()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("net.csv --edges --generator kmeans", "k-means needs features, and this is a graph; leiden takes it"),
        ("labels.csv --labels --generator lac", "holds base clusterings, and --generator makes some"),
        ("labels.csv --labels --scaling minmax", "no features that --scaling"),
        ("wine --labels", "wine is a data set of the catalog"),
    ],
)
def test_the_command_refuses_what_it_could_not_heed(words, why, tmp_path, monkeypatch, capsys):
    (tmp_path / "net.csv").write_text("source,target\n" + "".join(f"n{i},n{(i + 1) % 9}\n" for i in range(9)))
    (tmp_path / "labels.csv").write_text("0,0\n0,1\n1,1\n1,0\n" * 3)
    monkeypatch.chdir(tmp_path)
    assert main([*words.split(), "--out", "report.html"]) > 0
    assert why in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


@pytest.mark.long
def test_the_command_writes_it(tmp_path):
    out = tmp_path / "iris.html"
    rows = ["5.1,3.5,1.4", "4.9,3.0,1.4", "6.3,3.3,6.0", "5.8,2.7,5.1", "7.1,3.0,5.9", "5.0,3.4,1.5"] * 6
    shaken = [",".join(f"{float(v) + 0.01 * i:.2f}" for v in row.split(",")) for i, row in enumerate(rows)]
    (tmp_path / "own.csv").write_text("\n".join(shaken))
    command = [sys.executable, "-m", "engine.cli", "report", str(tmp_path / "own.csv"), "--out", str(out), "--m", "6"]
    done = subprocess.run([*command, "--k", "2"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert "WARNING" not in done.stderr
    assert "36 objects into 2 clusters" in out.read_text()
    assert str(tmp_path) not in out.read_text()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["iris.html", "own.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{folder}/none.csv"], "none.csv: there is no such file or folder"),
        (["iris", "--method", "guess"], "method must be one of"),
        (["iris", "--k", "3", "--param", "guess=1"], "parameters are name=value"),
        (["iris", "--k", "3", "--m", "4", "--out", "{folder}"], "is a folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments, words, tmp_path, capsys):
    assert main([word.format(folder=tmp_path) for word in arguments]) == 1
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1
    assert words in errors[0]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["report.txt", "report.csv"])
def test_a_report_is_named_as_what_it_is(name, tmp_path, capsys):
    assert main(["iris", "--k", "3", "--m", "4", "--out", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.endswith("is named as neither. Name it .html or .pdf\n")
    assert not list(tmp_path.iterdir())


def test_paper_needs_a_browser(wine, monkeypatch):
    monkeypatch.setattr(making, "browser", lambda: None)
    with pytest.raises(EngineError, match="needs Chromium"):
        making.printed(wine[1])


@pytest.mark.skipif(making.browser() is None, reason="no chromium on the path")
def test_it_is_printed_where_there_is_one(wine):
    assert making.printed(wine[1]).startswith(b"%PDF")


def test_the_page_offers_it(app):
    at = app("consensus", data="iris", m="5")
    assert "get_report" in {button.key for button in at.get("download_button")}


def test_parameters_are_called_as_on_pages_and_automatic_ones_say_what_they_come_to():
    session = gathered(RunConfig(data="iris", m=8, method="pta"))
    rows = dict(tables.method_rows(session))
    assert (rows["K"], rows["T"]) == (f"automatic: {session.n_neighbors}", f"automatic: {session.n_steps}")
    rows = dict(tables.method_rows(gathered(RunConfig(data="iris", m=8, method="ec_cms"))))
    assert rows["λ (lambda)"] == "0.4"
    assert rows["A (input matrix)"] == "lwca"


def test_a_file_that_is_said_to_hold_labels_is_read_as_labels_alone(tmp_path, capsys):
    (tmp_path / "graph.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 1\n")
    assert main([str(tmp_path / "graph.mtx"), "--labels", "--out", str(tmp_path / "r.html")]) == 1
    assert "are not read here" in capsys.readouterr().err
