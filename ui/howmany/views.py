"""What the criteria say, as their picture needs it."""

from typing import Any

from engine.choosing_k import ChosenK, find_criterion


def criterion_row(found: ChosenK, key: str) -> dict[str, Any]:
    """What `criteria_figure` draws of one criterion."""
    null = found.null.get(key)
    return {
        "title": find_criterion(key).title,
        "values": found.curves[key],
        "pick": found.picks.get(key),
        "counted": key in found.counted,
        "spread": found.spread.get(key) if key == "halves" else None,
        "null": None if null is None else (null.mean, null.sd),
    }
