import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_story_an_h_and_an_error_curve(visitor):
    visitor.open("/subspaces?data=two_gaussian_overlap&lac_inverse_h=5&seed=41").sees("At 1/h = 5 cluster 1")
    assert visitor.figure("weights")["y"][0] > 0.9
    visitor.presses("lac_inverse_h", "ArrowLeft", 3).sees("At 1/h = 0.5 cluster 1")
    visitor.page.wait_for_url("**lac_inverse_h=0.5**")
    visitor.page.get_by_role("button", name="Iris").click()
    visitor.sees("petal")
    visitor.page.get_by_role("button", name="Draw the error curve").click()
    visitor.sees("Over 10 draws LAC errs", timeout=120_000)
    shown = visitor.figure("error_curve", trace=1)
    assert len(shown["x"]) == 13


def test_an_error_curve_can_be_stopped_and_goes_on(visitor):
    visitor.open("/subspaces?data=digits&lac_inverse_h=5&seed=42").sees("At 1/h = 5 cluster 1")
    visitor.page.get_by_role("button", name="Draw the error curve").click()
    visitor.sees("Drawing the error curve: drawing", at_rest=False)
    visitor.page.get_by_role("button", name="Cancel").click(timeout=60_000)
    visitor.sees("What was finished is kept", at_rest=False)
    visitor.page.get_by_role("button", name="Continue").click()
    visitor.sees("Drawing the error curve: drawing", at_rest=False)
    visitor.page.get_by_role("button", name="Cancel").click(timeout=60_000)
    visitor.sees("What was finished is kept", at_rest=False)


def test_lac_ensembles_reach_a_soft_method(visitor):
    visitor.open("/consensus?data=iris&m=12&method=wspa").sees("WSPA needs soft memberships")
    visitor.page.get_by_role("button", name="Use LAC's clusterings").click()
    visitor.sees("WSPA joins")
    visitor.url_says("generator=lac")


def test_axes_that_follow_a_quick_hand_are_nobodys_choice(visitor):
    visitor.open("/subspaces?data=iris&m=31&seed=40").figure("ellipses")
    visitor.idle().at("lac_inverse_h").locator("input").first.focus()
    for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 3:
        visitor.page.keyboard.press(key)
        visitor.page.wait_for_timeout(40)
    visitor.page.wait_for_url("**lac_inverse_h=100**")
    visitor.page.wait_for_timeout(3000)
    assert "axes=" not in visitor.idle().page.url
