"""A process that solves one task after the other: `python side_worker.py script.py`, whose `solve` does the work.

Each line of the input names files: of arrays in (NPY) by what they are called, and of an array out, whose bytes stand
there; its type and shape are the answer.
The process ends with its input, and with the first error, which is the last line it says.
"""

import json
import os
import runpy
import sys

import numpy as np


def main(script: str) -> None:
    """Answer until nobody asks any more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer
    solve = runpy.run_path(script)["solve"]
    for line in sys.stdin:
        given, found = json.loads(line)
        array = np.asarray(solve({name: np.load(file) for name, file in given.items()}), order="C")
        array.tofile(found)
        print(json.dumps([array.dtype.str, array.shape]), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
