"""200,000 objects, from a file to labels that one takes away."""

import io

import numpy as np
import pytest

from engine import Ensemble, metrics, run_consensus
from tests.browser.test_journeys import downloaded_labels, uploads
from tests.browser.test_matrices import draws_a_box, shape
from tests.browser.test_tree import click_widest_branch

pytestmark = [pytest.mark.browser, pytest.mark.long]

N, M, GROUPS = 200_000, 8, 6
#: Much longer than it takes alone; beside other tests on two cores it may be slow.
LONG = 240_000


def many_labels() -> np.ndarray:
    """Labels of objects on a line in six groups, cut at places of their own in every base clustering: (N, M) uint8."""
    rng = np.random.default_rng(3)
    place = rng.integers(GROUPS, size=N) * 100 + rng.normal(0, 14, N)
    cuts = [np.sort(rng.uniform(-50, 550, rng.integers(20, 60))) for _ in range(M)]
    return np.stack([np.searchsorted(cut, place) for cut in cuts], axis=1).astype(np.uint8)


@pytest.fixture(scope="module")
def labels():
    return many_labels()


def test_from_a_large_file_to_labels_one_can_take_away(visitor, labels):
    content = io.BytesIO()
    np.save(content, labels)
    visitor.open("/data").sees("Bring your own data")
    uploads(visitor, "labels", "large.npy", content.getvalue())
    visitor.sees("200,000 objects in 8 base clusterings made elsewhere", LONG)
    visitor.at("find_rows").locator("input").fill("123456")
    visitor.at("find_rows").locator("input").press("Enter")
    visitor.sees("1 of 200,000 objects found.")
    visitor.goes_to("Consensus")
    visitor.at("k_input").locator("input").fill(str(GROUPS))
    visitor.at("k_input").locator("input").press("Enter")
    visitor.sees(f"into {GROUPS} clusters", LONG).sees("objects a pixel", LONG)
    expected = run_consensus("lwea", Ensemble.from_labels(labels), GROUPS).labels
    assert metrics.ari(downloaded_labels(visitor), expected) == 1

    visitor.at("tree_click").get_by_text("opens it").click()
    visitor.sees("A click on a dot opens it")
    visitor.sees(f"inside a branch of {click_widest_branch(visitor):,} objects")

    visitor.goes_to("Matrices").sees("200,000 x 200,000 objects", LONG)
    visitor.at("matrix_left").scroll_into_view_if_needed()
    visitor.figure("matrix_left")
    draws_a_box(visitor, "matrix_left", (0.2, 0.2), (0.5, 0.6))
    visitor.page.wait_for_url("**zoom=**")
    visitor.page.wait_for_function("() => !document.body.innerText.includes('200,000 x 200,000 objects')")
    visitor.idle()
    assert shape(visitor, "matrix_left") == shape(visitor, "matrix_right")
