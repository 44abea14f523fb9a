import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

SHAPE = """key => { const z = document.querySelector(`.st-key-${key} .js-plotly-plot`)._fullData[0].z;
                    return [z.length, z[0].length]; }"""


def shape(visitor, key):
    visitor.figure(key)
    return visitor.page.evaluate(SHAPE, key)


def draws_a_box(visitor, key, start, end):
    """Drag over the plot area of a figure; start and end are shares of its width and height."""
    box = visitor.at(key).locator(".nsewdrag").first.bounding_box()
    corner = [(box["x"] + share[0] * box["width"], box["y"] + share[1] * box["height"]) for share in (start, end)]
    visitor.page.mouse.move(*corner[0])
    visitor.page.mouse.down()
    visitor.page.mouse.move(*corner[1], steps=6)
    visitor.page.mouse.up()


def test_a_box_zooms_both_matrices_and_a_button_resets(visitor):
    visitor.open("/matrices?data=wine&m=10").sees("178 x 178 objects")
    visitor.at("matrix_left").scroll_into_view_if_needed()
    draws_a_box(visitor, "matrix_left", (0.2, 0.2), (0.5, 0.6))
    visitor.page.wait_for_url("**zoom=**")
    visitor.idle().sees("true cells")
    visitor.page.wait_for_function("() => !document.body.innerText.includes('178 x 178 objects')")
    assert shape(visitor, "matrix_left") == shape(visitor, "matrix_right") != [178, 178]
    visitor.at("reset_zoom").get_by_role("button").click()
    visitor.sees("178 x 178 objects")


def test_an_order_is_one_click(visitor):
    visitor.open("/matrices?data=wine&m=10").sees("178 x 178 objects")
    visitor.figure("matrix_right")
    visitor.idle().at("order").get_by_text("by tree").click()
    visitor.page.wait_for_url("**order=tree**")
    visitor.page.wait_for_function(
        "() => document.querySelector('.st-key-matrix_left .js-plotly-plot')?._fullData?.some(t => t.name === 'tree')"
    )


def test_a_second_visitor_finds_the_same_page(visitor):
    """All results are there: the pictures are drawn in the session's first run."""
    for _ in range(2):
        visitor.open("/matrices?data=wine&m=10").sees("178 x 178 objects")
        visitor.page.wait_for_url("**method=lwea**")
        assert visitor.page.get_by_test_id("stException").count() == 0


def test_objects_picked_on_one_page_stay_picked_on_others(visitor):
    visitor.open("/consensus?data=iris&m=10").sees("LWEA joins")
    visitor.figure("consensus_labels")
    visitor.at("consensus_labels").scroll_into_view_if_needed()
    draws_a_loop(visitor, "consensus_labels")
    visitor.sees("Picked:")
    text = visitor.page.get_by_text("Picked:").first.inner_text()
    visitor.goes_to("Data").sees("Picked:")
    assert visitor.page.get_by_text("Picked:").first.inner_text() == text
    visitor.figure("data_scatter")
    opacity = visitor.page.evaluate(
        """() => { const gd = document.querySelector('.st-key-data_scatter .js-plotly-plot');
                   return Array.from(gd._fullData[0].marker.opacity); }"""
    )
    n = int(text.split(":")[1].split()[0])
    assert sum(value > 0.9 for value in opacity) == n
    visitor.at("clear_selection").get_by_role("button").click()
    visitor.page.wait_for_function("() => !document.body.innerText.includes('Picked:')")


def draws_a_loop(visitor, key):
    box = visitor.at(key).locator(".nsewdrag").first.bounding_box()
    place = [(0.05, 0.05), (0.55, 0.05), (0.55, 0.95), (0.05, 0.95), (0.05, 0.05)]
    path = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in place]
    visitor.page.mouse.move(*path[0])
    visitor.page.mouse.down()
    for point in path[1:]:
        visitor.page.mouse.move(*point, steps=8)
    visitor.page.mouse.up()


def test_the_panel_opens_on_any_page_and_follows_the_pair(visitor):
    visitor.open("/?data=moons&m=10").sees("The consensus scores")
    visitor.at("why").get_by_role("button").click()
    visitor.sees("Why are i and j together?").sees("base clusterings put them together")
    field = visitor.at("pair_j_dialog").locator("input")
    field.fill("499")
    field.press("Enter")
    visitor.sees("the truth has them in two classes")
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_role("dialog").wait_for(state="detached")
    visitor.idle()
    assert visitor.page.get_by_role("dialog").count() == 0
    visitor.url_says("pair=0.498")


def test_a_panel_that_had_to_be_worked_out_stays_open_with_its_answer(visitor):
    """The page runs anew once the work is done: the panel was gone with it."""
    visitor.open("/data?data=digits&m=100&method=ec_cms").sees("What is in the data?")
    visitor.at("why").get_by_role("button").click()
    panel = visitor.page.get_by_role("dialog")
    panel.get_by_role("button", name="Cancel").first.wait_for()
    panel.get_by_text("base clusterings put them together").first.wait_for(timeout=90_000)
    visitor.page.go_back()
    panel.wait_for(state="detached")


def test_a_cluster_in_the_cloud_picks_its_objects(visitor):
    visitor.open("/ensemble?data=iris&m=6").sees("Which clusters do the others confirm?")
    visitor.figure("cluster_cloud")
    visitor.at("cluster_cloud").scroll_into_view_if_needed()
    place = visitor.page.evaluate(
        """() => { const gd = document.querySelector('.st-key-cluster_cloud .js-plotly-plot');
                   const l = gd._fullLayout, t = gd._fullData[0], b = gd.getBoundingClientRect();
                   return [b.x + l.xaxis._offset + l.xaxis.l2p(l.xaxis.d2l(t.x[0])),
                           b.y + l.yaxis._offset + l.yaxis.l2p(t.y[0])]; }"""
    )
    visitor.page.mouse.move(place[0] - 3, place[1])
    visitor.page.mouse.move(*place, steps=3)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(*place)
    visitor.sees("of base clustering")


def test_switching_one_off_follows_everywhere(visitor):
    visitor.open("/ensemble?data=iris&m=6&switched_off=2").sees("Switch base clusterings off")
    visitor.goes_to("Consensus").sees("LWEA joins").sees("of 5 base clusterings")
    visitor.url_says("off=2")


def test_a_click_on_a_cell_asks_about_its_two_objects(visitor):
    visitor.open("/matrices?data=wine&m=10&zoom=0.20.100.130").sees("Click a cell")
    visitor.figure("matrix_right")
    visitor.at("matrix_right").scroll_into_view_if_needed()
    box = visitor.at("matrix_right").locator(".nsewdrag").first.bounding_box()
    place = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    visitor.page.mouse.move(place[0] - 4, place[1])
    visitor.page.mouse.move(*place, steps=3)
    visitor.page.wait_for_timeout(300)
    visitor.page.mouse.click(*place)
    visitor.page.wait_for_url("**pair=**")
    visitor.idle()
    i, j = visitor.page.url.split("pair=")[1].split("&")[0].split(".")
    assert visitor.at("pair_i_matrices").locator("input").input_value() == str(int(i) + 1)
    assert visitor.at("pair_j_matrices").locator("input").input_value() == str(int(j) + 1)


def test_what_stands_below_the_matrices_follows_their_knobs(visitor):
    words = visitor.page.get_by_test_id("stMain").get_by_test_id("stMarkdownContainer").all_inner_texts
    visitor.open("/matrices?data=wine&m=10&seed=3&method=lwea&left=lwca").sees("Links of the locally weighted")
    before = words()
    visitor.presses("param_theta", "ArrowRight", 4).url_says("theta=")
    visitor.page.wait_for_timeout(2500)
    moved = visitor.idle() and words()
    visitor.page.reload()
    visitor.sees("Links of the locally weighted").page.wait_for_timeout(1000)
    assert moved == words() != before
