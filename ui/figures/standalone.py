"""A figure as HTML that needs no network."""

from ui.figures.spec import Figure


def standalone(figure: Figure, first: bool) -> str:
    """A figure as a piece of HTML; the first of a file brings the library for all of them."""
    return figure.to_plotly().to_html(
        full_html=False, include_plotlyjs="inline" if first else False, config={"displaylogo": False}
    )
