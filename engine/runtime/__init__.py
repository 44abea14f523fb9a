"""What every room stands on: progress and cancel, threads and processes, memory, errors, what a machine may lack."""
