"""Back and forth: one press is one page or one deliberate change, and content and URL never part."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def said(visitor):
    """Seed and M as the sidebar shows them, and as the URL does."""
    visitor.page.wait_for_function("() => location.search.includes('method=')")
    url = visitor.page.url
    seed = visitor.at("seed").locator("input").input_value()
    m = visitor.at("m").get_by_test_id("stSliderThumbValue").inner_text()
    assert f"seed={seed}" in url, (seed, url)
    assert f"m={m}&" in url, (m, url)
    return seed, m, url


def rolls(visitor):
    """Press the dice, and wait until the URL has another seed."""
    before = visitor.page.url
    visitor.at("dice").get_by_role("button").click()
    visitor.page.wait_for_function("before => location.href !== before", arg=before)
    return visitor.idle()


def goes_back(visitor, forward=False):
    before = visitor.page.url
    visitor.page.go_forward() if forward else visitor.page.go_back()
    visitor.page.wait_for_function("before => location.href !== before", arg=before)
    visitor.page.wait_for_timeout(400)
    return visitor.idle()


def test_dice_twice_M_once_and_back_four_times(visitor):
    visitor.page.goto("about:blank")
    visitor.open("/?data=iris&m=8&seed=3&theta=.20").sees("clusterings disagree")
    visitor.page.wait_for_function("() => location.search.includes('theta=0.2')")
    states = [said(visitor)]
    for _ in range(2):
        rolls(visitor)
        states.append(said(visitor))
    visitor.presses("m", "ArrowRight").sees("9 clusterings disagree")
    states.append(said(visitor))
    assert states[-1][1] == "9"
    for expected in states[-2::-1]:
        goes_back(visitor)
        assert said(visitor) == expected
    goes_back(visitor, forward=True)
    assert said(visitor) == states[1]
    goes_back(visitor)
    visitor.page.go_back()
    visitor.page.wait_for_url("about:blank")


def test_back_over_pages_and_changes(visitor):
    visitor.open("/?data=iris&m=8&seed=3").sees("clusterings disagree")
    first = said(visitor)
    visitor.goes_to("Consensus").sees("LWEA joins")
    on_consensus = said(visitor)
    assert "/consensus?" in on_consensus[2]
    rolls(visitor).sees("LWEA joins")
    assert said(visitor) != on_consensus
    goes_back(visitor).sees("LWEA joins")
    assert said(visitor) == on_consensus
    goes_back(visitor).sees("8 clusterings disagree")
    assert said(visitor) == first
