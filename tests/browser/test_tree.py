"""The tree under a consensus: its branches open."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: Where the joint of the whole tree's widest branch but the root is drawn on the screen, and its objects.
JOINT = """() => {
    const gd = document.querySelector('.st-key-dendrogram .js-plotly-plot');
    const dots = gd._fullData.find(t => t.meta && t.meta.target);
    const objects = Array.from(dots.customdata, row => row[1]);
    const root = Math.max(...objects);
    const widest = Math.max(...objects.filter(n => n < root));
    const at = objects.indexOf(widest), area = gd._fullLayout, box = gd.getBoundingClientRect();
    return {objects: widest, x: box.x + area.xaxis._offset + area.xaxis.d2p(dots.x[at]),
            y: box.y + area.yaxis._offset + area.yaxis.d2p(dots.y[at])};
}"""


def click_widest_branch(visitor) -> int:
    """Click the joint of the widest branch, and say how many objects it has."""
    visitor.figure("dendrogram")
    visitor.idle().at("dendrogram").scroll_into_view_if_needed()
    visitor.page.wait_for_timeout(500)
    spot = visitor.page.evaluate(JOINT)
    visitor.page.mouse.move(spot["x"], spot["y"])
    visitor.page.wait_for_timeout(200)
    visitor.page.mouse.click(spot["x"], spot["y"])
    return spot["objects"]


def test_a_branch_opens_on_click_and_closes_again(visitor):
    visitor.open("/consensus?data=wine&m=10&method=lwea").sees("How they were joined")
    visitor.at("tree_click").get_by_text("opens it").click()
    visitor.sees("A click on a dot opens it")
    first = click_widest_branch(visitor)
    visitor.sees(f"inside a branch of {first} objects")
    second = click_widest_branch(visitor)
    assert second < first
    visitor.sees(f"inside a branch of {second} objects")
    visitor.at("tree_up").get_by_role("button").click()
    visitor.sees(f"inside a branch of {first} objects")
    visitor.at("tree_whole").get_by_role("button").click()
    visitor.page.wait_for_function("() => !document.body.innerText.includes('inside a branch')")


def test_another_tree_is_shown_whole(visitor):
    visitor.open("/consensus?data=wine&m=10&method=lwea").sees("How they were joined")
    visitor.at("tree_click").get_by_text("opens it").click()
    visitor.sees("A click on a dot opens it")
    click_widest_branch(visitor)
    visitor.sees("inside a branch")
    for _ in range(3):
        visitor.presses("param_theta", "ArrowRight")
    visitor.page.wait_for_function("() => !document.body.innerText.includes('inside a branch')")
    visitor.sees("How they were joined")
