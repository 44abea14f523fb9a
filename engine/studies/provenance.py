"""How base clusterings came about, in one short text that every record holds."""

import json

from ..generators import Recipe


def recipe_text(recipe: Recipe, scaling: str, drawn: bool = False, replacement: bool = False) -> str:
    """JSON that says how base clusterings are made: drawn from a pool, or the scaling and all parts of the recipe.

    >>> recipe_text(Recipe(), "standard", drawn=True)
    '{"generator": "pool"}'
    >>> recipe_text(Recipe.of(n_init=3), "minmax")
    '{"generator": "kmeans", "k_range": "sqrt", "init": "random", "n_init": 3, "scaling": "minmax"}'
    """
    if drawn:
        return json.dumps({"generator": "pool", "replacement": True} if replacement else {"generator": "pool"})
    return json.dumps({**recipe.essentials, "scaling": scaling})
