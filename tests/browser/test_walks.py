import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

GLOW = """() => { const gd = document.querySelector('.st-key-walk_film .js-plotly-plot');
                  const t = gd._fullData.find(t => t.name === 'glow'); return Array.from(t.marker.color); }"""


def test_a_walk_can_be_played(visitor):
    visitor.open("/walks?data=moons&m=20&method=pta&T=6&pair=3.30").sees("reach a cosine of")
    visitor.figure("walk_film")
    last = visitor.page.evaluate(GLOW)
    assert sum(value > 0 for value in last) > 3  # it opens where it says most
    visitor.at("walk_film").get_by_text("Play", exact=True).click()
    visitor.page.wait_for_function(f"() => ({GLOW})().filter(value => value > 0).length === 1", timeout=60_000)
    visitor.page.wait_for_function(f"() => ({GLOW})().filter(value => value > 0).length > 3", timeout=60_000)
    visitor.page.wait_for_function(
        """() => Array.from(document.querySelectorAll('.st-key-walk_film text.slider-label'))
                 .filter(t => /^step 6: [0-9]+ and [0-9]+ places > 1 %/.test(t.textContent))
                 .some(t => t.getBoundingClientRect().height > 8)""",
        timeout=60_000,
    )


CAPTION = """(words) => Array.from(document.querySelectorAll('.st-key-walk_film text.slider-label'))
                 .some(t => t.textContent.startsWith(words) && t.getBoundingClientRect().height > 8)"""


def test_a_walk_can_be_stepped(visitor):
    visitor.open("/walks?data=moons&m=20&method=pta&T=6&pair=3.30").sees("reach a cosine of")
    visitor.figure("walk_film")
    for button, place in (("Back", 5), ("Back", 4), ("Back", 3), ("Step", 4), ("Back", 3)):
        visitor.at("walk_film").get_by_text(button, exact=True).click()
        visitor.page.wait_for_function(CAPTION, arg=f"step {place}", timeout=60_000)


def test_K_prunes_the_graph_and_reaches_the_method(visitor):
    visitor.open("/walks?data=moons&m=20&method=pta").sees("K = 5 keeps")
    visitor.presses("param_K", "ArrowRight", 2).sees("K = 7 keeps")
    visitor.url_says("K=7")
    visitor.goes_to("Consensus").sees("PTA joins")
    visitor.url_says("K=7")


def test_what_is_computed_anew_dims_in_one_step(visitor):
    """A fade is sixty pictures of everything, and where no graphics card draws them, what follows waits."""
    visitor.open("/walks?data=moons&m=20&method=pta").sees("K = 5 keeps")
    visitor.page.evaluate(
        """() => { window.dims = new Set();
                   const note = one => { const style = getComputedStyle(one);
                       if (one.dataset.stale !== "true") return;
                       window.dims.add(`${style.transitionDuration} ${style.transitionDelay}`); };
                   new MutationObserver(changes => changes.forEach(one => note(one.target)))
                       .observe(document.body, {subtree: true, attributeFilter: ["data-stale"]}); }"""
    )
    visitor.presses("param_K", "ArrowRight").sees("K = 6 keeps")
    assert visitor.page.evaluate("() => [...window.dims]") == ["0s 1s"]


def test_a_click_on_a_node_looks_at_it(visitor):
    visitor.open("/walks?data=moons&m=20").sees("K = 5 keeps")
    visitor.figure("elite_graph")
    place = visitor.page.evaluate(
        """() => { const gd = document.querySelector('.st-key-elite_graph .js-plotly-plot');
                   const t = gd._fullData.find(t => t.name === 'nodes'), l = gd._fullLayout;
                   const i = t.marker.size.indexOf(Math.max(...t.marker.size)), b = gd.getBoundingClientRect();
                   const x = l.xaxis._offset + l.xaxis.l2p(t.x[i]), y = l.yaxis._offset + l.yaxis.l2p(t.y[i]);
                   return [b.x + x, b.y + y, i]; }"""
    )
    visitor.page.mouse.move(place[0] - 4, place[1])
    visitor.page.mouse.move(place[0], place[1], steps=3)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(place[0], place[1])
    visitor.sees(f"Microcluster {place[2] + 1:,}").sees("Picked:")
