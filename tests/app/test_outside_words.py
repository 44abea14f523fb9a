"""Words from outside stay words: hostile ones go in by every door, and come out alive on no page and in no file."""

import os
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from engine.tables import labels_csv
from tests.app.hostile import ALL, LIVE_HTML, features, labels, live, words
from tests.app.test_pages import PAGES
from ui import outside
from ui.compute import uploads
from ui.ensemble import ensemble_csv
from ui.figures import class_balance
from ui.figures.stills.drawing import still
from ui.report.making import gathered, report
from ui.scene import Scene
from ui.session.run_config import from_query
from ui.studies import score_tables
from ui.widgets import progress

any_words = st.one_of(words, st.text(max_size=60))
#: Every page meets one of the two kinds of files here, and both with CONCORD_ALL=1.
EVERY = 1 if os.environ.get("CONCORD_ALL") else 2
MEETINGS = [
    (page, make) for i, page in enumerate(PAGES) for j, make in enumerate((features, labels)) if (i + j) % EVERY == 0
]


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 30)


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words += data


@given(any_words)
def test_nothing_is_markup_in_markdown(text):
    made = Tags(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(f"a {outside.markdown(text)} b"))
    assert {tag for tag, _ in made.tags} <= {"p"}
    escaped = outside.markdown(text)
    assert not re.search(r"(?<!\\)(\$|:(?=[A-Za-z]))", escaped.replace("\\\\", ""))


#: What mdast-util-gfm-autolink-literal makes links of, after everything escaped is read.
_LINKED = re.compile(r"(?:https?://|www(?=\.))[-.\w]+|[-.\w+]+@[-\w]+(?:\.[-\w]+)+", re.IGNORECASE)


@given(st.one_of(any_words, st.sampled_from(["see http://a.b/c", "HTTPS://a.b", "www.a.b", "me@a.b", "x:www.a.b@c.d"])))
def test_nothing_becomes_a_link_by_itself(text):
    made = Tags(MarkdownIt("commonmark").render(f"a {outside.markdown(text)} b"))
    assert not _LINKED.search(made.words)


#: What remark-emoji and Streamlit's own icons are made of, once everything escaped is read.
_NAMED = re.compile(r":[\w+/-]+:")


@given(
    st.one_of(
        any_words, st.sampled_from([":smile:", ":+1:", "a :material/home: b", ":heart_eyes:", "::100::", "1:2:3"])
    )
)
def test_nothing_becomes_an_icon(text):
    made = Tags(MarkdownIt("commonmark").render(f"a {outside.markdown(text)} b"))
    assert not _NAMED.search(made.words)


@pytest.mark.parametrize(
    "text", ["http&colon;//a.b", "www&period;a.b", "me&commat;a.b", "&copy; a", "&lt;b&gt;", "a&#58;b"]
)
def test_no_name_of_a_sign_is_read(text):
    assert Tags(MarkdownIt("commonmark").render(outside.markdown(text))).words.strip() == text


@given(any_words)
def test_nothing_is_a_tag_in_html(text):
    made = Tags(f'<p title="{outside.html(text)}">{outside.html(text)}</p>')
    assert [tag for tag, _ in made.tags] == ["p"]
    assert list(made.tags[0][1]) == ["title"]


@given(any_words)
def test_nothing_is_a_command_in_latex(text):
    made = outside.latex(text)
    for known in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
        made = made.replace(known, "")
    assert not re.search(r"(?<!\\)[&%$#_{}~^]|\\(?![&%$#_{}])", made)


@given(any_words)
def test_nothing_is_a_formula_in_a_table(text):
    made = outside.cell(text)
    assert not re.match(r"[=+\-@\t\r]", made) or _is_number(made)


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_names_in_messages_are_short():
    assert len(outside.name("x" * 10_000)) <= outside.LONGEST + 3


@pytest.mark.parametrize(("page", "make"), MEETINGS)
def test_files_come_out_of_no_page_alive(app, page, make):
    at = app(page, data=uploads.keep_file(*make(ALL)).id, m="4", k="2", pair="0.20", pick="0-2")
    assert not live(at)


@pytest.mark.long
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(
    word=words,
    page=st.sampled_from(["data", "consensus", "ensemble", "subspaces"]),
    make=st.sampled_from([features, labels]),
)
def test_any_mixture_of_words_stays_words(app, word, page, make):
    assert not live(app(page, data=uploads.keep_file(*make(word)).id, m="4", k="2", pair="0.20"))


def test_a_link_comes_out_of_no_page_alive(app):
    for name in ("data", "method", "seed", "theta", "zzz", ALL):
        at = app(**{name: ALL})
        assert at.warning
        assert not live(at)


def test_a_refusal_is_no_markup(app):
    at = app("data")
    broken = f"a,b\n1,2\n3,4,{ALL}\n{ALL}\n".encode()
    at.file_uploader(key="file_features").set_value((f"{ALL.replace('/', '')}.csv", broken, "text/csv")).run()
    assert at.error
    assert not live(at)
    at.file_uploader(key="file_features").set_value((features(ALL)[0], features(ALL)[1], "text/csv")).run()
    assert at.success
    assert not live(at)


def test_a_study_file_comes_out_of_no_page_alive(app):
    quoted = ALL.replace("\\", "\\\\")
    study = f"name = '''{ALL}'''\ndatasets = ['iris']\nmethods = ['lwea']\nn_clusterings = 4\nrepeats = 1\n"
    at = app("compare")
    for content in (study, study.replace("iris", quoted), study.replace("lwea", quoted), study + f"'{quoted}' = 1\n"):
        at.file_uploader(key="study_file").set_value(("study.toml", content.encode(), "")).run()
        assert not at.exception
        assert not live(at)


@pytest.mark.parametrize("make", [features, labels])
def test_files_that_leave_hold_no_markup_and_no_formula(make):
    config, _ = from_query({"data": uploads.keep_file(*make(ALL)).id, "m": "4", "k": "2"})
    session = gathered(config)
    text = report(session)
    assert not LIVE_HTML.search(text)
    assert {"script", "iframe", "object"}.isdisjoint(tag for tag, _ in Tags(text).tags)
    made = Scene(config).ensemble
    source = Scene(config).source
    tables = [
        labels_csv(session.consensus.labels, {ALL: np.ones(30)}, None, source.identifiers),
        ensemble_csv(made, source, [ALL, *"abc"]),
    ]
    for table in tables:
        for line in table.decode().splitlines()[1:]:
            assert all(not cell.startswith(("=", "@", '"=', '"@')) for cell in line.split(",")), line


def test_tables_of_a_comparison_hold_no_markup_and_no_formula():
    cells = score_tables.cells(np.full((1, 1, 2), 0.5))
    markdown = score_tables.as_markdown(cells, [ALL], [ALL])
    rendered = Tags(MarkdownIt("commonmark").enable("table").render(markdown)).tags
    assert {tag for tag, _ in rendered} <= {"table", "thead", "tbody", "tr", "th", "td", "strong", "p"}
    assert len([tag for tag, _ in rendered if tag == "th"]) == 2
    assert not LIVE_HTML.search(score_tables.as_html(cells, [ALL], [ALL]))
    assert "\\input{q}" not in score_tables.as_latex(cells, [ALL], [ALL], "NMI")


def test_a_drawing_that_leaves_holds_no_markup():
    drawn = still(class_balance(np.array([3, 4]), [ALL, "b"], "light"))
    assert not LIVE_HTML.search(drawn)
    assert "img" not in {tag for tag, _ in Tags(drawn).tags}
