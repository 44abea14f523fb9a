"""The pictures a lesson may show, by name: each hands a scene to a figure that the pages draw, too."""

from ui.lessons.pictures import inside, objects, pairs, verdicts
from ui.lessons.pictures.catalog import Picture, drawn, pictures, title_of

__all__ = ["Picture", "drawn", "inside", "objects", "pairs", "pictures", "title_of", "verdicts"]
