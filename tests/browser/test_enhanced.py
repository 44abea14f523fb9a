import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

PIXELS = """() => { const gd = document.querySelector('.st-key-enhanced_enhanced .js-plotly-plot');
                    return gd._fullData[0].z.map(row => Array.from(row)).flat().reduce((a, b) => a + b, 0); }"""


def test_a_move_of_lambda_shows_another_matrix(visitor):
    visitor.open("/enhanced_matrix?data=iris&m=12&method=ec_cms").sees("connected parts")
    visitor.figure("enhanced_enhanced")
    before = visitor.page.evaluate(PIXELS)
    visitor.presses("param_lam", "ArrowLeft", 8)
    visitor.page.wait_for_url("**lam=**")
    visitor.page.wait_for_function(f"before => ({PIXELS})() !== before", arg=before, timeout=60_000)
    visitor.idle()
