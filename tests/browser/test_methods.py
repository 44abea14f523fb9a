import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_method_is_filtered_for_chosen_and_run(visitor):
    visitor.open("/methods?data=iris&m=8").sees("What are the ways to agree?")
    visitor.sees(" expected; time grows with nM")
    visitor.open("/methods?data=iris&m=8&families=medians&takes=labels").sees("Median partitions")
    assert not visitor.page.get_by_text("LWEA", exact=True).count()
    visitor.at("choose_kcc").get_by_role("button").click()
    visitor.sees("See it on Consensus")
    visitor.url_says("method=kcc")
    visitor.page.get_by_text("See it on Consensus").first.click()
    visitor.sees("What is special in KCC")


def test_pictures_stand_beside_the_methods(visitor):
    visitor.open("/methods?data=iris&m=8&families=medians").sees("Median partitions")
    picture = visitor.page.get_by_alt_text("What KCC makes of the example")
    picture.wait_for(timeout=120_000)
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 200
