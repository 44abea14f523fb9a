"""What stands around every page: shell, sidebar, warm start."""
