"""How the engine talks while it works: progress out, a wish to stop in, intermediates out."""

from typing import Any


class Monitor:
    """Two verbs. The default neither reports, nor stops, nor keeps anything.

    A caller that wants to stop a run overrides `tick` and raises `engine.errors.Cancelled` there.
    """

    def tick(self, stage: str, done: int, total: int) -> None:
        """Report that `done` of `total` parts of `stage` are finished.

        Raises
        ------
        Cancelled
            Once the caller has asked to stop.
        """

    def record(self, name: str, value: Any) -> None:
        """Offer a named intermediate (see `engine.vocabulary`).

        Whoever keeps an array copies it: the engine goes on working in place. A function without
        arguments may be given instead of a value that costs something; it is called only if the value is kept.
        """


SILENT = Monitor()
