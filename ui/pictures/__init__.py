"""The pictures of Concord by name: pages, lessons, reports and exports draw these, and nobody assembles another.

A picture is a function from a scene and a theme to a figure, with its line `@picture(title)`, in a file by topic here.
"""

from ui.pictures.catalog import Picture, Reading, drawn, picture, pictures, title_of

__all__ = ["Picture", "Reading", "drawn", "picture", "pictures", "title_of"]
