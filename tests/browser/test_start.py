import re

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_the_first_screen_needs_no_click(visitor):
    visitor.open().sees("20 clusterings disagree").sees("The consensus scores")
    for key in ("start_base", "start_consensus", "start_truth"):
        assert len(visitor.figure(key)["x"]) == 500
    assert visitor.figure("start_base")["traces"] == 9
    assert "20 base clusterings" in visitor.figure("start_strip")["title"]


def test_the_slider_moves_the_strip_and_the_url(visitor):
    visitor.open().sees("The consensus scores")
    visitor.presses("start_m", "ArrowRight", 3).sees("23 clusterings disagree")
    visitor.page.wait_for_function(
        """() => document.querySelector('.st-key-start_strip .js-plotly-plot')
                 ?._fullLayout?.xaxis.title.text.includes('23 base')"""
    )
    visitor.page.wait_for_url(re.compile(r"[?&]m=23(&|$)"))


def test_no_press_is_lost_when_the_browser_is_behind(visitor):
    """The sidebar's M, not yet drawn anew, is reported with every press, and must not take the move back."""
    visitor.open().sees("The consensus scores")
    browser = visitor.page.context.new_cdp_session(visitor.page)
    browser.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    try:
        visitor.at("start_m").get_by_role("slider").first.focus()
        for _ in range(6):
            visitor.page.keyboard.press("ArrowRight")
            visitor.page.wait_for_timeout(150)
        visitor.sees("26 clusterings disagree")
    finally:
        browser.detach()  # which takes the brake off


def test_a_preset_is_one_click_away(visitor):
    visitor.open().sees("The consensus scores")
    visitor.at("preset_spirals").get_by_role("button").click()
    visitor.page.wait_for_url("**data=spirals**")
    visitor.idle().sees("The consensus scores")


def test_without_the_truth_the_rest_stays(visitor):
    visitor.open().sees("The consensus scores")
    visitor.at("show_truth").locator("label").click()
    visitor.page.wait_for_function("() => !document.querySelector('.st-key-start_truth')")
    assert len(visitor.figure("start_consensus")["x"]) == 500
