"""What every room stands on: progress and cancel, threads, memory, errors, and what a machine may lack."""
