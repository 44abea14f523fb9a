import numpy as np
import pytest

from tests.app.conftest import charts, words
from tests.scenes import scene_of
from tests.strategies import random_labels
from ui.compute import uploads
from ui.pictures import drawn
from ui.scene import Scene
from ui.session.run_config import from_query


def test_switched_off_base_clusterings_are_gone_everywhere(app):
    config, _ = from_query({"data": "iris", "m": "8", "switched_off": "0.3"})
    made = Scene(config).ensemble
    whole = Scene(config.with_(switched_off=())).ensemble
    assert made.n_clusterings == 6
    assert (made.labels == whole.labels[:, [1, 2, 4, 5, 6, 7]]).all()
    at = app("ensemble", data="iris", m="8", switched_off="0.3")
    table = at.dataframe[0].value
    assert table["on"].tolist() == [False, True, True, False, True, True, True, True]
    assert "(off)" not in words(at)


def test_the_table_holds_scores_and_agreement(app):
    table = app("ensemble", data="iris", m="6").dataframe[0].value
    assert table.shape == (6, 4)
    assert np.isfinite(table.to_numpy().astype(float)).all()


@pytest.mark.long
def test_influence_is_measured_on_small_data_and_offered_on_large(app):
    assert "Leaving one out changes the consensus" in words(app("ensemble", data="iris", m="5"))
    for large in ({"data": "digits", "m": "3"}, {"data": "iris", "m": "101"}):
        assert app("ensemble", **large, k_range="3-9").button(key="measure_influence")


def test_many_base_clusterings_are_paged(app):
    at = app("ensemble", data="moons", m="30", k_range="3-9")
    (pages,) = at.pagination
    assert (pages.num_pages, pages.value) == (3, 1)
    pages.set_value(3).run()
    assert charts(at)["ensemble_base"]["layout"]["annotations"][-1]["text"].startswith("30: k = ")
    assert app("ensemble", data="moons", m="30", k_range="3-9", panel="2").pagination[0].value == 2


def test_switching_all_off_is_not_possible(app):
    config, _ = from_query({"data": "iris", "m": "2", "switched_off": "0.1"})
    at = app("ensemble", data="iris", m="2", switched_off="0.1")
    assert "Without any there is no consensus, so all are on." in words(at)
    assert config.switched_off == (0, 1)
    assert "all are on" not in words(app("ensemble", data="iris", m="2", switched_off="1.5"))
    assert "all are on" not in words(app("ensemble", data="iris", m="2", switched_off="5"))


def test_long_names_have_room_over_small_multiples_and_are_whole_under_the_pointer():
    names = [*(f'a rather long name of "run" {m}' for m in range(13)), "gmm"]
    lines = [names, *random_labels(40, 14, 4).tolist()]
    content = "\n".join(",".join(f'"{word}"'.replace('"run"', '""run""') for word in line) for line in lines)
    scene = scene_of(data=uploads.keep_file("runs.csv", content.encode(), "labels").id, m="14", panel="2")
    figure = drawn("base_by_page", scene, "light")
    assert [note["text"].split(":")[0] for note in figure.layout["annotations"]] == ["a rathe…un&#34; 12", "gmm"]
    assert figure.layout["annotations"][0]["hovertext"].startswith("a rather long name of &#34;run&#34; 12: k = ")
    assert "hovertext" not in figure.layout["annotations"][1]
    assert 'a rather long name of "run" 12: k = ' in figure.layout["meta"]["alt"]
