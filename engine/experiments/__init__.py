"""The old name of `engine.studies`."""
