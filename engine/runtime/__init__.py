"""What every room stands on: progress and cancel, threads and processes, memory, errors, and what a machine may lack."""
