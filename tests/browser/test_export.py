"""Pictures leave the page as files."""

import contextlib
import csv
import io
import re
import struct
import zipfile

import numpy as np
import pytest

from bench.bench_exports import Visitor
from engine.runtime.errors import EngineError
from engine.tables import as_csv
from tests.app.scene.test_scene import STUDIES
from tests.browser.test_journeys import uploads
from tests.scenes import scene_of
from ui import figures
from ui.export.menu import as_pdf
from ui.pictures import drawn, pictures
from ui.report.making import gathered, report
from ui.scene.data_set import NotThereError
from ui.session.run_config import RunConfig

pytestmark = [pytest.mark.browser, pytest.mark.long]


def opened(visitor, key: str, *choices: str):
    """The menu of a picture, as somebody without a mouse opens it."""
    button = visitor.at(key).locator(".concord-take")
    button.wait_for(state="attached", timeout=60_000)
    button.focus()
    visitor.page.keyboard.press("Enter")
    menu = visitor.page.locator("dialog.concord-save[open]")
    for choice in choices:
        menu.get_by_label(choice).check()
    return menu


def saved(visitor, menu, words: str) -> tuple[str, bytes]:
    """Name and content of the file that a button of the menu makes."""
    with visitor.page.expect_download(timeout=60_000) as waiting:
        menu.get_by_role("button", name=words, exact=True).click()
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def sizes(svg: str) -> list[float]:
    """Sizes of the words on paper, in points."""
    width, box = re.search(r'width="(\d+)mm"[^>]*viewBox="0 0 (\d+) ', svg[:2000] + svg[:2000]).groups()
    point = float(width) / 25.4 * 72 / float(box)
    return [point * float(size) for size in re.findall(r"font-size: ([\d.]+)px", svg)]


def kinds_of_pictures():
    """A picture of each kind that no page of these journeys shows at once."""
    rng = np.random.default_rng(0)
    names, score = ["EAC", "LWEA", "LWGP", "PTA"], rng.random(4)
    left, right = rng.integers(0, 4, 90), rng.integers(0, 5, 90)
    grid = ([1, 2], [4, 8, 16], rng.random((2, 3)), rng.random((2, 3)))
    return {
        "ranks": figures.critical_difference_figure(np.array([4.0, 1.8, 2.2, 2.0]), names, 1.0, [(1, 3, 2)], "light"),
        "tuning": figures.tuning_heatmap(*grid, "light", "K", "T"),
        "flow": figures.flow_figure(left, right, "light"),
        "printed": figures.printed_figure(score, score, score / 9, score / 9, score > 0, names, "light"),
        "seconds": figures.time_quality_figure(score, score, names, "light"),
        "density": figures.density(rng.normal(size=(900, 2)), rng.integers(0, 4, 900), "light"),
    }


def pictures_of_a_scene():
    """All that pages, lessons and reports show of one setting."""
    scene = scene_of(data="wine", m="6", k="3", method="ec_cms")
    soft = scene.varied(generator="lac", method="wspa")
    for name in sorted(set(pictures()) - STUDIES):
        for one in (scene, soft):
            with contextlib.suppress(EngineError, NotThereError):  # said in words
                if (figure := drawn(name, one, "dark")) is not None:
                    yield name, figure
                    break


def test_every_picture_becomes_a_file(visitor):
    scripts, seen = Visitor(visitor.page), 0
    for name, figure in [*kinds_of_pictures().items(), *pictures_of_a_scene()]:
        text = scripts.draw(figure, "svg")["text"]
        assert "<svg" in text, name
        assert as_pdf(text).startswith(b"%PDF"), name
        seen += 1
    assert seen > 40


def clicked_meanwhile(visitor, menu, words: str, when: str) -> str:
    """What the menu says of a file in the end, where somebody went on working once it said `when`."""
    menu.get_by_role("button", name=words, exact=True).click()
    said = "document.querySelector('dialog.concord-save [role=status]').textContent"
    visitor.page.wait_for_function(f"() => /{when}/.test({said})", timeout=90_000, polling=10)
    visitor.page.evaluate(
        """() => { document.querySelector('dialog.concord-save').close();
                   document.querySelector('.st-key-dice button').click() }"""
    )
    done = "() => !document.querySelector('dialog.concord-save[aria-busy]')"
    visitor.page.wait_for_function(done, timeout=60_000)
    return visitor.page.evaluate(said)


def test_a_film_is_that_of_the_picture_it_was_asked_of_though_others_follow(visitor):
    """A click while it was drawn or converted lost the file, and nothing could be saved on this page any more."""
    visitor.open("/growing_trees?data=iris&m=20").figure("forest")
    for words, when in (("GIF", "^Converting"), ("PDF", "^Converting"), ("Frames (ZIP)", "^Frame 2 ")):
        menu, before = opened(visitor, "forest"), visitor.page.url
        with visitor.page.expect_download(timeout=90_000) as waiting:
            assert clicked_meanwhile(visitor, menu, words, when).startswith("Saved iris_forest_85mm.")
        assert waiting.value.path().stat().st_size > 4_000
        visitor.page.wait_for_url(lambda url, before=before: url != before)  # the run that follows may be late
        visitor.idle().figure("forest")


def test_what_is_not_to_be_seen_is_no_data(visitor):
    """The corners of a picture of pixels were exported as two objects."""
    scripts = Visitor(visitor.page)
    corners = figures.density(np.random.default_rng(0).normal(size=(900, 2)), np.zeros(900, int), "light").data[0]
    seen = scripts.page.evaluate(
        "traces => traces.map((one) => holdsData({ visible: true, ...one }))",
        [{"marker": corners["marker"]}, {"marker": {"opacity": 0.5}}, {}, {"meta": {"key": True}}],
    )
    assert seen == [False, True, True, False]


def test_a_picture_in_every_format(visitor):
    visitor.open("/consensus?data=iris&m=6").sees("It scores")
    menu = opened(visitor, "dendrogram")
    name, svg = saved(visitor, menu, "SVG")
    text = svg.decode()
    assert name == "iris_dendrogram_85mm.svg"
    assert "<title>The last" in text
    assert 'width="85mm"' in text
    assert min(sizes(text)) >= 6
    _, png = saved(visitor, menu, "PNG")
    assert struct.unpack(">I", png[16:20]) == (1004,)  # 85 mm at 300 dpi
    assert png[37:41] == b"pHYs"
    assert struct.unpack(">I", png[41:45]) == (11811,)
    _, pdf = saved(visitor, menu, "PDF")
    assert pdf.startswith(b"%PDF")
    name, table = saved(visitor, menu, "Data (CSV)")
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    assert name == "iris_dendrogram.csv"
    assert rows[0].keys() >= {"trace", "x", "y"}
    visitor.page.keyboard.press("Escape")
    assert visitor.page.evaluate("document.activeElement.className") == "concord-take"


def test_paper_is_light_also_where_the_page_is_dark(chromium, server):
    from tests.browser.conftest import Visitor

    context = chromium.new_context(color_scheme="dark", accept_downloads=True)
    visitor = Visitor(context.new_page(), server)
    visitor.open("/matrices?data=iris&m=6").sees("Which pairs")
    visitor.figure("matrix_left")
    visitor.figure("matrix_right")
    _, svg = saved(visitor, opened(visitor, "matrix_right", "180 mm", "transparent"), "SVG")
    context.close()
    text = svg.decode()
    assert 'width="180mm"' in text
    assert "rgb(163, 171, 181)" not in text  # the muted ink of the dark theme
    assert "rgb(95, 90, 82)" in text
    assert not re.search(r'<rect class="bg"[^>]*fill: rgb\(255, 255, 255\); fill-opacity: 1', text)
    assert min(sizes(text)) >= 6


def test_three_sheets_of_a_large_map_are_saved_as_one_picture(visitor):
    visitor.open("/ensemble?data=iris&m=200&switched_off=3.4").sees("◇ consensus, ☆ truth")
    below = visitor.page.locator(".st-key-partition_map")
    visitor.figure("partition_map")
    for key in ("partition_map_rings", "partition_map_marks"):
        visitor.figure(key)
        sheet = visitor.page.locator(f".st-key-{key}")
        look = sheet.evaluate("one => (({zIndex, pointerEvents}) => [zIndex, pointerEvents])(getComputedStyle(one))")
        assert look == ["1", "none"]  # above the dots, which answer the pointer
        assert sheet.bounding_box() == below.bounding_box()
    name, svg = saved(visitor, opened(visitor, "partition_map"), "SVG")
    text = svg.decode()
    assert name == "iris_partition_map_85mm.svg"
    assert re.search(r"<title>Map of 200 base clusterings.*2 left out.*On the map, with consensus and truth", text)
    assert all(re.search(rf'class="legendtext"[^>]*>{mark}<', text) for mark in ("left out", "consensus", "truth"))
    _, table = saved(visitor, visitor.page.locator("dialog.concord-save[open]"), "Data (CSV)")
    rows = list(csv.DictReader(io.StringIO(table.decode())))
    assert {"base clusterings", "left out", "consensus", "truth"} <= {row["trace"] for row in rows}
    assert rows[0]["text"].startswith("base clustering ")
    assert "id" not in rows[0]  # what a click is told, counted from 0
    assert visitor.at("partition_map_marks").locator(".concord-take").count() == 0


def test_base_clusterings_are_turned_over_a_page_at_a_time(visitor):
    visitor.open("/ensemble?data=iris&m=200").figure("ensemble_base")
    visitor.at("panel").get_by_text("17", exact=True).click()
    visitor.url_says("panel=17")
    title = "() => document.querySelector('.st-key-ensemble_base .js-plotly-plot').innerText.includes('200: k =')"
    visitor.page.wait_for_function(title)
    assert len(visitor.at("panel").get_by_text(re.compile(r"^\d+$")).all()) < 9  # not one for each of 17


def test_dots_of_webgl_are_circles_and_cells_hold_true_values(visitor):
    visitor.open("/matrices?data=iris&m=6").sees("Which pairs")
    visitor.figure("matrix_left")
    _, table = saved(visitor, opened(visitor, "matrix_left"), "Data (CSV)")
    cells = [row for row in csv.DictReader(io.StringIO(table.decode())) if row["trace"] == "heatmap 1"]
    assert max(float(row["value"]) for row in cells) == 1
    visitor.page.keyboard.press("Escape")
    visitor.goes_to("Consensus").sees("It scores")
    _, svg = saved(visitor, opened(visitor, "consensus_labels"), "SVG")
    assert len(re.findall(rb'<path [^>]*d="M[^"]*A', svg)) >= 150
    assert b"<image" not in svg


def data(visitor, key):
    """The rows of "Data (CSV)" of a figure."""
    visitor.figure(key)
    _, table = saved(visitor, opened(visitor, key), "Data (CSV)")
    visitor.page.keyboard.press("Escape")
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_data_are_what_is_shown_and_not_what_it_is_coloured_by(visitor):
    visitor.open("/walks?data=moons&m=6&method=pta&T=3&pair=3.30").sees("reach a cosine of")
    film = [float(row["value"]) for row in data(visitor, "walk_film") if row.get("value")]
    assert max(film) <= 1  # probabilities, not levels of brightness
    visitor.open("/ensemble?data=iris&m=6").sees("Who disagrees with whom?")
    assert min(float(row["x"]) for row in data(visitor, "partition_map")) > -10  # no row for the bar of colours
    visitor.open("/how_many?data=wine&m=6&k_max=5").sees("on every page")
    assert max(float(row["value"]) for row in data(visitor, "matrices_of_k")) == 1  # shares, not percent
    tracked = data(visitor, "tracking")
    for k in range(2, 6):  # clusters from 1 to k of all objects, not places in the palette
        row = [one for one in tracked if one["y"] == str(k)]
        assert {int(one["value"]) for one in row} == set(range(1, k + 1))
        assert sorted(int(one["x"]) for one in row) == list(range(1, 179))


def test_what_is_said_of_a_point_has_a_column_for_each_number(visitor):
    visitor.open("/how_many?data=iris&m=6&k_max=5").sees("on every page")
    bars = [row for row in data(visitor, "item_consensus") if row["trace"].startswith("bar")]
    assert sorted(int(row["id"]) for row in bars) == list(range(1, 151))
    assert {row["cluster"] for row in bars} <= {"1", "2", "3", "4", "5"}
    visitor.open("/subspaces?data=wine").sees("Weights")
    weights = data(visitor, "weights")
    assert len({row["x"] for row in weights}) == len({row["id"] for row in weights}) == 13, "the same names in all rows"
    visitor.open("/published_tables?table=huang2016pta-7").sees("printed")
    rows = data(visitor, "printed")
    assert {"error", "error in x"} <= set(rows[0]), "one a way, ours and the printed one"
    assert any(row["error"] not in ("", "0") for row in rows)


@pytest.mark.parametrize(
    ("path", "key", "n"),
    [
        ("/walks?data=moons&m=6&method=pta&T=3&pair=3.30", "walk_film", 4),
        ("/growing_trees?data=iris&m=20", "forest", 9),
        ("/enhanced_matrix?data=moons&m=6", "enhanced_film", 13),
    ],
)
def test_a_film_leaves_as_frames_and_as_an_animation(visitor, path, key, n):
    visitor.open(path).figure(key)
    menu = opened(visitor, key)
    name, archive = saved(visitor, menu, "Frames (ZIP)")
    with zipfile.ZipFile(io.BytesIO(archive)) as frames:
        assert frames.testzip() is None
        assert len(frames.namelist()) == n
        pictures = [frames.read(one) for one in frames.namelist()]
    assert all(one.startswith(b"\x89PNG") for one in pictures)
    assert len({one[16:24] for one in pictures}) == 1  # all of one size
    assert name.endswith(f"{key}_85mm.zip")
    _, film = saved(visitor, menu, "GIF")
    assert film.startswith(b"GIF89a")


def test_data_call_objects_as_their_file_does(visitor):
    names = [f'a "{n}" <b>' for n in range(12)]
    classes = ['one "half"' if n < 6 else "other" for n in range(12)]
    content = as_csv(
        {"id": names, "p": [n // 6 for n in range(12)], "q": [n // 4 for n in range(12)], "class": classes}
    )
    visitor.open("/data")
    uploads(visitor, "labels", 'na"med.csv', content)
    visitor.sees("12 objects").goes_to("Consensus").sees("joins")
    assert visitor.at("data").locator("input").input_value() == 'na"med.csv'
    assert 'one "half"' in visitor.at("confusion").locator(".js-plotly-plot").inner_text()
    assert [row["id"] for row in data(visitor, "consensus_labels")] == names


def test_a_word_that_looks_like_a_formula_is_none(visitor):
    visitor.open("/consensus?data=iris&m=6").sees("It scores")
    visitor.figure("dendrogram")
    words = '"\uff1d1+1,\\"x\\";@sum"'  # full-width, and where a spreadsheet parts at semicolons
    visitor.page.evaluate(f"document.querySelector('.st-key-dendrogram .js-plotly-plot').data[0].name = {words}")
    _, table = saved(visitor, opened(visitor, "dendrogram"), "Data (CSV)")
    assert table.decode().splitlines()[1].startswith('"\'\uff1d1+1,""x"";\'@sum",')


@pytest.mark.parametrize(
    ("path", "key"), [("/consensus?data=iris", "consensus_labels"), ("/?data=iris", "start_strip")]
)
def test_the_tag_stands_whole_over_its_picture(visitor, path, key):
    """What clips a picture must not clip it: each of its edges is where a pointer finds it."""
    visitor.open(path)
    picture = visitor.at(key).locator(".js-plotly-plot")
    picture.wait_for(timeout=60_000)
    visitor.at(key).locator(".concord-take").wait_for(state="attached")
    picture.scroll_into_view_if_needed()
    found = visitor.page.evaluate(
        """key => {
            const tag = document.querySelector(`.st-key-${key} .concord-take`), box = tag.getBoundingClientRect()
            const at = (y) => document.elementFromPoint((box.left + box.right) / 2, y) === tag
            return [at(box.top + 1.5), at(box.bottom - 1.5)]
        }""",
        key,
    )
    assert found == [True, True]


def test_on_paper_a_report_says_who_is_in_which_cluster(visitor):
    visitor.page.set_content(report(gathered(RunConfig(data="iris", m=4, k=3))))
    names = visitor.page.locator("details p")
    assert names.count() == 3
    assert not names.first.is_visible()
    visitor.page.emulate_media(media="print")
    assert all(names.nth(place).is_visible() for place in range(3))
