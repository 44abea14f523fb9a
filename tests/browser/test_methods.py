import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]


def row(visitor, place: int) -> None:
    """Choose a row of the table: the table is a drawing, its boxes stand at its left edge."""
    box = visitor.at("methods_table").locator("canvas").first.bounding_box()
    visitor.page.mouse.click(box["x"] + 16, box["y"] + 36 + 35 * place + 17)


def test_a_method_is_filtered_for_chosen_and_run(visitor):
    visitor.open("/all_methods?data=iris&m=8").sees("What are the ways to agree?")
    visitor.sees(" expected")
    visitor.open("/all_methods?data=iris&m=8&families=medians&takes=labels&pictured=no").sees("Choose a row to read")
    row(visitor, 0)
    visitor.url_says("about=").at("method_details").get_by_text("Choose", exact=True).wait_for()
    visitor.open("/all_methods?data=iris&m=8&about=kcc").at("choose_kcc").get_by_role("button").click()
    visitor.url_says("method=kcc").idle()  # until then the way to its answer is closed
    visitor.page.get_by_text("See its answer").first.click()
    visitor.sees("What is special in KCC")
