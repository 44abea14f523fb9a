"""Published tables: do the published numbers come out again?"""

import data
from ui.frame.shell import present
from ui.published_tables.panels import again, filters, left_out, run_already
from ui.scene import Scene
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Do the published numbers come out again?")
    say("Every dot is a number of a paper and what Concord found under the same protocol. On the line they agree.")
    filters(scene.config)
    run_already(scene.config)
    if scene.config.table:
        left_out(data.published_tables()[scene.config.table])
    again(scene.config)


LESSON = Lesson(
    "choose the method SPCE: where it lies off the line, its paper tuned it for each data set.",
    r"\left| \frac{1}{<R>} \sum_{r=1}^{<R>} s_r - \bar s_{\text{printed}} \right| \le "
    r"\max(\mathrm{sd}_{\text{ours}}, \mathrm{sd}_{\text{printed}}, 0.0005)",
    "A number counts as come out again if the mean over our R draws lies within the larger of both spreads, "
    "or of what three printed decimals round. R is here the number of draws of a run of your own.",
    numbers={"R": lambda chosen: chosen.draws},
)

present(page, LESSON)
