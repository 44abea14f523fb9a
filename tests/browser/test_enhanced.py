import pytest

pytestmark = [pytest.mark.browser, pytest.mark.long]

PIXELS = """() => { const gd = document.querySelector('.st-key-enhanced_film .js-plotly-plot');
                    const square = t => t.type === 'heatmap' && t.z.length > 20 && t.z[0].length > 20;
                    const last = gd._fullData.filter(square)[1];
                    return last.z.map(row => Array.from(row)).flat().reduce((a, b) => a + b, 0); }"""


def test_a_move_of_lambda_shows_another_matrix(visitor):
    visitor.open("/enhanced_matrix?data=iris&m=12&method=ec_cms").sees("connected parts")
    visitor.figure("enhanced_film")
    before = visitor.page.evaluate(PIXELS)
    visitor.presses("param_lam", "ArrowLeft", 8)
    visitor.page.wait_for_url("**lam=**")
    visitor.page.wait_for_function(f"before => ({PIXELS})() !== before", arg=before, timeout=60_000)
    visitor.idle()
