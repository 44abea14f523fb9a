"""One criterion a file for a choice among methods; each ends in a `METHOD_CRITERION` that is found by looking."""
