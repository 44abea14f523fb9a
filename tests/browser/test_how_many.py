"""A person asks how many clusters there are, takes a k, and finds it on the other pages."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_k_is_taken_by_a_click_and_is_there_on_consensus(visitor):
    visitor.open("/how_many?data=wine&k_max=5").sees("votes say 3").sees("k = 3 for the consensus on every page")
    figure = visitor.figure("criteria")
    assert figure["title"] == "clusters k"
    assert any("RCSI" in text for text in figure["annotations"])
    visitor.page.get_by_role("radio", name="4", exact=True).click()
    visitor.sees("k = 4 for the consensus on every page").sees("From 4 to 5")
    visitor.url_says("k=4")
    visitor.goes_to("Consensus").sees("into 4 clusters")


PLACE = """() => {
    const gd = document.querySelector('.st-key-criteria .js-plotly-plot'), box = gd.getBoundingClientRect();
    const curve = gd._fullData.filter(t => t.mode === 'lines+markers')[0], axes = gd._fullLayout;
    const up = axes[curve.yaxis.replace('y', 'yaxis')];
    return [box.left + axes.xaxis._offset + axes.xaxis.d2p(5), box.top + up._offset + up.d2p(curve.y[3])];
}"""


def test_a_dot_that_is_clicked_is_the_k_of_every_page(visitor):
    visitor.open("/how_many?data=wine&k_max=6").sees("k = 3 for the consensus on every page")
    visitor.figure("criteria")
    visitor.at("criteria").locator(".js-plotly-plot").scroll_into_view_if_needed()
    visitor.page.mouse.click(*visitor.page.evaluate(PLACE))
    visitor.sees("k = 5 for the consensus on every page")
    visitor.page.wait_for_url("**k=5**")


def test_the_long_look_can_be_cancelled_and_goes_on(visitor):
    visitor.open("/how_many?data=digits&m=5&k_range=3-9&k_max=10").sees("A short look", timeout=120_000)
    visitor.at("full_k").get_by_role("button").click()
    visitor.at("cancel_long_look").get_by_role("button").click(timeout=60_000)
    visitor.sees("stopped. What was finished is kept.", at_rest=False)
    visitor.at("continue_long_look").get_by_role("button").click()
    visitor.sees("Looking longer", at_rest=False)
    visitor.at("cancel_long_look").get_by_role("button").click(timeout=60_000)
    visitor.sees("stopped. What was finished is kept.", at_rest=False)
