"""Dots are picked by a click too, where a loop may be drawn: Streamlit alone reports loops."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: Where a dot is drawn on the screen: the first trace of scattered dots that carry something.
DOT = """([key, i]) => {
    const gd = document.querySelector(`.st-key-${key} .js-plotly-plot`)
    const area = gd._fullLayout, box = gd.getBoundingClientRect()
    const dots = gd._fullData.find(t => t.type.startsWith("scatter") && t.mode === "markers" && t.customdata);
    return {x: box.x + area.xaxis._offset + area.xaxis.d2p(dots.x[i]),
            y: box.y + area.yaxis._offset + area.yaxis.d2p(dots.y[i])};
}"""


def click_a_dot(visitor, key: str, place: int) -> None:
    """Once the picture rests, the hand rests on the dot and clicks."""
    visitor.figure(key)
    visitor.idle().at(key).scroll_into_view_if_needed()
    visitor.page.wait_for_timeout(1500)
    spot = visitor.page.evaluate(DOT, [key, place])
    visitor.page.mouse.move(**spot)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(**spot)


def test_a_click_on_the_map_shows_a_base_clustering_and_leaves_it_out(visitor):
    messages = []
    visitor.page.on("websocket", lambda socket: socket.on("framereceived", lambda _: messages.append(len(messages))))
    visitor.open("/ensemble?data=iris&m=20&seed=1").sees("what is near is alike")
    visitor.figure("ensemble_k")
    whole = len(visitor.idle() and messages)
    click_a_dot(visitor, "partition_map", 3)
    visitor.sees("1 base clustering picked:")
    visitor.figure("picked_member")
    alone = len(visitor.idle() and messages) - whole
    assert 0 < alone < whole / 2, "a click on the map draws the map's part alone"
    visitor.at("drop_members").get_by_role("button").click()
    visitor.sees("All of them again").url_says("switched_off=").sees("20 base clusterings (1 left out: hollow) by")
    visitor.at("return_members").get_by_role("button").click()  # it is still picked
    visitor.sees("20 base clusterings by").at("all_members").wait_for(state="detached")


def test_a_click_on_an_object_picks_it_on_every_page(visitor):
    visitor.open("/data?data=moons&m=6").sees("500 objects")
    click_a_dot(visitor, "data_scatter", 7)
    visitor.sees("Picked: 1 object (").url_says("pick=")
