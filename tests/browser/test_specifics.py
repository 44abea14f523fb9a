import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

CELL = """([i, j]) => {
    const gd = document.querySelector('.st-key-cluster_similarity .js-plotly-plot');
    const t = gd._fullData.find(t => t.name === 'pairs');
    const n = Math.sqrt(t.x.length), xa = gd._fullLayout.xaxis, ya = gd._fullLayout.yaxis;
    const box = gd.getBoundingClientRect(), cell = i * n + j;
    return [box.x + xa._offset + xa.l2p(t.x[cell]), box.y + ya._offset + ya.l2p(t.y[cell])];
}"""


def test_a_click_on_a_cell_picks_what_two_clusters_share(visitor):
    visitor.open("/consensus?data=iris&m=6&method=gp_mgla").sees("Which clusters does it take for alike?")
    visitor.figure("cluster_similarity")
    visitor.at("cluster_similarity").scroll_into_view_if_needed()
    x, y = visitor.page.evaluate(CELL, [3, 3])
    visitor.page.mouse.move(x, y)
    visitor.page.wait_for_selector(".st-key-cluster_similarity .hoverlayer .hovertext")
    visitor.page.mouse.click(x, y)
    visitor.sees("from clusters 4 and 4")
    visitor.url_says("cluster_pair=3.3")


def test_the_objectives_follow_the_number_of_starts(visitor):
    visitor.open("/consensus?data=iris&m=6&method=kcc").sees("of 8 starts reached the best objective")
    visitor.presses("param_kcc_starts", "ArrowRight", 2).sees("of 10 starts reached the best objective")
