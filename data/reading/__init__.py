"""Who opens a file somebody made: a process of its own with limits, and what is said to it and handed over."""
