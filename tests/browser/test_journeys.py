import csv
import io

import numpy as np
import pytest

from engine import Ensemble, run_consensus
from tests.strategies import random_labels, same_partition

pytestmark = pytest.mark.browser


def as_csv(matrix, header):
    return ("\n".join([",".join(header), *(",".join(map(str, row)) for row in matrix)]) + "\n").encode()


def uploads(visitor, kind, name, content):
    visitor.page.get_by_text("Bring your own data").click()
    if kind == "labels":
        visitor.page.get_by_text("Labels only: one base clustering a column").click()
        visitor.idle()
    field = visitor.at(f"file_{kind}").locator("input[type=file]")
    field.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})


def downloaded_labels(visitor):
    with visitor.page.expect_download() as waiting:
        visitor.at("get_labels").get_by_role("button").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    assert [int(row["object"]) for row in rows] == list(range(len(rows)))
    return np.array([int(row["label"]) for row in rows])


def test_from_features_to_labels_one_can_take_away(visitor):
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], 40)
    points = (rng.normal(size=(120, 3)) * 0.3 + groups[:, None] * 4).round(4)
    visitor.open("/data").sees("Bring your own data")
    uploads(visitor, "features", "three groups.csv", as_csv(points, ["a", "b", "c"]))
    visitor.sees("120 objects with 3 features").goes_to("Consensus")
    visitor.sees("into 3 clusters")
    visitor.url_says("data=upload-")
    assert same_partition(downloaded_labels(visitor), groups)


def test_labels_made_elsewhere_are_enough(visitor):
    labels = random_labels(90, 12, 4, seed=5)
    visitor.open("/data").sees("Bring your own data")
    uploads(visitor, "labels", "members.csv", as_csv(labels, [f"run{m}" for m in range(12)]))
    visitor.sees("12 base clusterings made elsewhere").goes_to("Consensus")
    visitor.at("k_input").locator("input").fill("4")
    visitor.at("k_input").locator("input").press("Enter")
    visitor.sees("into 4 clusters").idle()
    expected = run_consensus("lwea", Ensemble.from_labels(labels), 4, seed=7).labels
    assert (downloaded_labels(visitor) == expected).all()


def test_rubbish_is_refused_and_the_page_stays(visitor):
    visitor.open("/data").sees("500 objects with 2 features")
    uploads(visitor, "features", "picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(50))
    visitor.page.get_by_test_id("stAlert").first.wait_for()
    visitor.sees("500 objects with 2 features")
    assert len(visitor.figure("data_scatter")["x"]) == 500
    field = visitor.at("file_features").locator("input[type=file]")
    field.set_input_files({"name": "book.xlsx", "mimeType": "application/octet-stream", "buffer": b"PK"})
    visitor.sees("Files ending in .xlsx are not read here. Save it as one of .csv")


def test_missing_values_can_be_mended(visitor):
    visitor.open("/data").sees("Bring your own data")
    rows = [[i, i % 3] for i in range(30)]
    rows[4][1] = "nan"
    uploads(visitor, "features", "gap.csv", as_csv(rows, ["a", "b"]))
    visitor.sees("1 cell in 1 column cannot be used")
    visitor.page.get_by_text("drop those rows", exact=True).click()
    visitor.sees("29 objects with 2 features")


def test_names_in_a_file_are_shown_and_a_role_can_be_changed(visitor):
    visitor.open("/data").sees("Bring your own data")
    rows = [[f"plant{i}", i % 7 + i / 50, i % 5] for i in range(30)]
    uploads(visitor, "features", "plants.csv", as_csv(rows, ["who", "width", "height"]))
    visitor.sees("30 objects with 2 features")
    table = visitor.page.locator('[class*="st-key-column_roles"]').first
    visitor.page.wait_for_timeout(1500)  # the table is laid out anew once the file is in use
    table.locator(".dvn-scroller").click(position={"x": 340, "y": 122})  # the role of the third column
    for key in ("Enter", *["ArrowDown"] * 4, "Enter"):
        visitor.page.wait_for_timeout(500)
        visitor.page.keyboard.press(key)
    visitor.sees("30 objects with 1 feature.").sees("1 column left out: height.")


def test_a_copied_url_shows_the_same(visitor, chromium):
    visitor.open("/consensus?data=wine&m=12&seed=3&method=lwea&k=4&theta=0.2&scaling=minmax")
    visitor.sees("into 4 clusters").idle()
    first = visitor.figure("consensus_labels"), downloaded_labels(visitor)
    other = chromium.new_context().new_page()
    twin = type(visitor)(other, "")
    twin.open(visitor.page.url).sees("into 4 clusters").idle()
    second = twin.figure("consensus_labels"), downloaded_labels(twin)
    other.context.close()
    assert first[0] == second[0]
    assert (first[1] == second[1]).all()


def test_a_deep_link_has_the_sidebar(visitor):
    visitor.open("/consensus?data=iris").sees("into 3 clusters")
    assert visitor.at("data").is_visible()
    assert visitor.at("seed").locator("input").input_value() == "7"


def test_a_long_run_can_be_cancelled_and_continued(visitor):
    visitor.open("/consensus?data=digits&m=1000&seed=11&k_range=30-42").sees("of 1,000", at_rest=False)
    visitor.at("cancel_ensemble").get_by_role("button").click()
    visitor.sees("Making base clusterings: stopped.")
    visitor.at("continue_ensemble").get_by_role("button").click()
    visitor.sees("of 1,000", at_rest=False)
    visitor.at("cancel_ensemble").get_by_role("button").click()
    visitor.sees("Making base clusterings: stopped.")


def test_changing_the_method_keeps_theta_and_shows_its_widgets(visitor):
    visitor.open("/consensus?data=iris&method=lwea&theta=0.2").sees("LWEA joins")
    visitor.at("method").get_by_role("combobox").click()
    visitor.page.keyboard.type("LWGP")
    visitor.page.get_by_role("option", name="LWGP", exact=True).click()
    visitor.sees("LWGP joins")
    visitor.url_says("theta=0.2").idle()
    visitor.at("method").get_by_role("combobox").click()
    visitor.page.keyboard.type("EAC")
    visitor.page.get_by_role("option", name="EAC", exact=True).click()
    visitor.sees("EAC joins")
    visitor.url_says("theta=0.2")  # one knob for the whole app, whatever method is chosen
    visitor.at("param_linkage").get_by_text("single").click()
    visitor.page.wait_for_url("**linkage=single**")


def test_own_labels_of_too_few_objects_are_told_where_they_were_brought(visitor, tmp_path):
    own, good = tmp_path / "short_own.csv", tmp_path / "good_own.csv"
    own.write_text("mine\n" + "0\n1\n" * 50)
    good.write_text("mine\n" + "0\n1\n" * 89)
    visitor.open("/compare?data=wine&m=8").sees("labels of your own")
    visitor.at("own_labels").get_by_text("Beside them").click()
    visitor.page.locator(".st-key-own_file input[type=file]").set_input_files(own)
    told = visitor.page.get_by_text("it has 100 rows")
    told.wait_for()
    visitor.idle()
    assert told.count() == 1
    assert visitor.at("own_labels").locator("details[open]").count() == 1
    below = told.bounding_box()["y"] - visitor.at("own_labels").bounding_box()["y"]
    assert 0 < below < 400
    visitor.page.locator(".st-key-own_file input[type=file]").set_input_files(good)
    told.wait_for(state="detached")
    stands = visitor.idle().page.url
    visitor.page.locator(".st-key-own_file input[type=file]").set_input_files(own)
    told.wait_for()
    assert visitor.idle().page.url == stands  # what stood before stays
