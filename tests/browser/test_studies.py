import os

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

DOT = """(index) => { const gd = document.querySelector('.st-key-tuning .js-plotly-plot');
             const t = gd._fullData.find(t => t.customdata && t.customdata.length), l = gd._fullLayout;
             const b = gd.getBoundingClientRect();
             const x = l.xaxis._offset + l.xaxis.d2p(t.x[index]), y = l.yaxis._offset + l.yaxis.d2p(t.y[index]);
             return [b.x + x, b.y + y]; }"""


def test_a_sweep_fills_and_a_click_loads_its_setting(visitor):
    visitor.open("/compare?compared=settings&data=iris&m=8&x=theta:0.1,0.4,2&draws=3").sees("Here the score appears")
    visitor.page.get_by_role("button", name="Run 9 tasks").click()
    visitor.sees("Best over 3 draws")
    visitor.figure("tuning")
    x, y = visitor.page.evaluate(DOT, 2)
    visitor.page.mouse.move(x - 4, y)
    visitor.page.mouse.move(x, y, steps=3)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(x, y)
    visitor.page.wait_for_url("**theta=2.0**")
    visitor.goes_to("Consensus").sees("LWEA joins")
    visitor.url_says("theta=2.0")


def test_a_heatmap_cell_loads_both_parameters(visitor):
    visitor.open("/compare?compared=settings&data=iris&m=8&method=pta&K=2&T=2&x=K:2,6&y=T:2,8&draws=2").sees(
        "Here the score appears"
    )
    visitor.page.get_by_role("button", name="Run 8 tasks").click()
    visitor.sees("Best over 2 draws")
    visitor.figure("tuning")
    place = visitor.page.evaluate(
        """() => { const gd = document.querySelector('.st-key-tuning .js-plotly-plot'), l = gd._fullLayout;
                   const b = gd.getBoundingClientRect();
                   const x = l.xaxis._offset + l.xaxis._length * .75, y = l.yaxis._offset + l.yaxis._length * .25;
                   return [b.x + x, b.y + y]; }"""
    )
    visitor.page.mouse.move(place[0] - 4, place[1])
    visitor.page.mouse.move(place[0], place[1], steps=3)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(*place)
    visitor.page.wait_for_url("**K=6**T=8**")


def test_methods_are_compared_and_reported(visitor):
    visitor.open("/compare?data=iris&m=8&methods=eac,lwea,lwgp&sets=iris,wine,moons&draws=3&seed=77")
    visitor.page.get_by_role("button", name="Run 27 tasks").click()
    visitor.sees("Friedman's test", timeout=120_000).sees("Who goes where?")
    assert visitor.figure("time_quality", trace=1)["x"]
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Report (HTML)").click()
    text = download.value.path().read_text()
    assert "Comparison of consensus methods" in text
    assert "Plotly.newPlot" in text


def test_a_study_can_be_cancelled_and_goes_on(visitor):
    visitor.open("/compare?compared=settings&data=digits&m=20&method=ptgp&x=T:1,2,3,4,5,6,7,8&draws=100&seed=5").sees(
        "Here the score appears"
    )
    visitor.page.get_by_role("button", name="Run 900 tasks").click()
    visitor.page.get_by_role("button", name="Cancel").click(timeout=60_000)
    visitor.sees("What was finished is kept")
    visitor.page.get_by_role("button", name="Continue").click()
    visitor.sees("Running the study: running tasks", at_rest=False)
    visitor.page.get_by_role("button", name="Cancel").click(timeout=60_000)  # leave no work to the tests that follow
    visitor.sees("What was finished is kept", at_rest=False)


def test_a_cancel_leaves_the_study_of_others_alone(visitor):
    visitor.open("/compare?compared=settings&data=digits&m=20&method=ptgp&x=T:1,2,3,4,5,6,7,8&draws=100&seed=6").sees(
        "Here the score appears"
    )
    visitor.page.get_by_role("button", name="Run 900 tasks").click()
    visitor.sees("Running the study: running tasks", at_rest=False)
    with visitor.page.context.browser.new_context() as context:
        other = type(visitor)(context.new_page(), "")
        other.open(visitor.page.url).sees("Running the study: running tasks", at_rest=False)
        visitor.page.get_by_role("button", name="Cancel").click(timeout=60_000)
        visitor.sees("stopped. What was finished is kept")
        other.page.wait_for_timeout(1500)
        other.sees("Running the study: running tasks", at_rest=False)
        visitor.page.get_by_role("button", name="Continue").click()
        visitor.sees("Running the study: running tasks", at_rest=False)
        for one in (other, visitor):  # leave no work to the tests that follow
            one.page.get_by_role("button", name="Cancel").click(timeout=60_000)
            one.sees("stopped. What was finished is kept", at_rest=False)


@pytest.mark.skipif("CONCORD_DATA" not in os.environ, reason="CONCORD_DATA names no folder of pools")
def test_a_published_table_runs_again(visitor):
    visitor.open("/published_tables?table=jia2023eccms-4&only=pools/ec-cms/Aggregation&draws=2&seed=3")
    visitor.page.get_by_text("Run a table again").click()
    visitor.sees("can be computed here")
    if not visitor.page.get_by_text("None is still to come").count():  # a second try finds the records of the first
        visitor.page.get_by_role("button", name="Run").first.click()
    visitor.sees("None is still to come", timeout=120_000).sees("numbers lie within the spread")
    inside, outside = (visitor.figure("again", trace)["y"] for trace in (1, 2))
    assert len(inside) + len(outside) >= 3
    assert all(0 < y < 1 for y in [*inside, *outside])


def test_the_k_of_the_pages_stays_chosen_when_it_is_another(visitor):
    """The browser sends the words of an entry with the next move, as it drew them."""
    visitor.open("/compare?compared=settings&data=iris&m=4&method=lwea&draws=2&policy=page")
    visitor.sees("k = 3, as on the pages.")
    visitor.at("data").locator("input").click()
    visitor.page.get_by_role("option", name="Moons", exact=True).click()
    visitor.sees("k = 2, as on the pages.")
    visitor.presses("draws", "ArrowRight")
    visitor.url_says("draws=3")
    visitor.url_says("policy=page")
    visitor.sees("Here the score appears")
