"""`python -m engine.experiments`, the old name of `python -m engine.studies`, goes on working."""

from ..studies.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
