"""Row blocks in threads: progress, cancel and thread count in one place."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from queue import Empty, SimpleQueue

import numpy as np
import psutil
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from .errors import InvalidParameterError, shown
from .monitor import SILENT, Monitor

_here = threading.local()


def n_threads() -> int:
    """Threads the engine may use: the cores this process may run on, or `CONCORD_THREADS`; fewer where limited.

    InvalidParameterError if the variable is no whole number; 0 and nothing stand for all cores.
    """
    given = os.environ.get("CONCORD_THREADS", "").strip() or "0"
    if not given.isdecimal():
        raise InvalidParameterError(f"CONCORD_THREADS must be a whole number of threads. Got {shown(given)}")
    allowed = int(given) or _cores()
    return min(allowed, getattr(_here, "limit", allowed))


def _cores() -> int:
    """Cores this process may run on, or all there are where the system does not bind processes to cores."""
    if hasattr(os, "sched_getaffinity"):  # asked for every matrix: psutil reads a file of the system each time
        return len(os.sched_getaffinity(0))
    process = psutil.Process()
    return len(process.cpu_affinity()) if hasattr(process, "cpu_affinity") else psutil.cpu_count() or 1


@contextmanager
def limited_threads(limit: int) -> Iterator[None]:
    """Inside the block, calls of this thread use at most so many threads: others work beside it."""
    before = getattr(_here, "limit", None)
    _here.limit = limit
    try:
        yield
    finally:
        if before is None:
            del _here.limit
        else:
            _here.limit = before


def map_blocks(
    kernel: Callable[[int, int], object],
    n: int,
    monitor: Monitor = SILENT,
    stage: str = "computing",
    block: int | None = None,
) -> None:
    """Call `kernel(start, stop)` over consecutive blocks of range(n), in threads.

    Each block must write to rows of its own, so that the result does not depend on the number of threads.

    Parameters
    ----------
    kernel : callable
        Releases the GIL (`nogil=True`) or the threads wait for each other.
    n : int
        Number of rows.
    monitor : Monitor
        Told after every block, from the calling thread; when it raises, no further block starts.
    stage : str
        What is being done, in plain words.
    block : int, optional
        Rows a block; by default about 64 blocks of at least 64 rows: handing over fewer takes longer than most kernels.
    """
    size = block or max(64, -(-n // 64))
    starts = range(0, n, size)
    monitor.tick(stage, 0, len(starts))
    kept = getattr(_here, "pool", None)
    if len(starts) <= 1 or n_threads() == 1:
        for done, start in enumerate(starts, 1):
            kernel(start, min(start + size, n))
            monitor.tick(stage, done, len(starts))
        return
    with nullcontext(kept) if kept else ThreadPoolExecutor(n_threads(), initializer=_one_openmp_thread) as pool:
        pending = {pool.submit(kernel, start, min(start + size, n)) for start in starts}
        try:
            _report(pending, len(starts), monitor, stage)
        except BaseException:
            for future in pending:
                future.cancel()
            wait(pending)
            raise


def map_sums(
    add: Callable[[int, int, NDArray], object],
    n: int,
    like: NDArray,
    monitor: Monitor = SILENT,
    stage: str = "computing",
    block: int | None = None,
) -> NDArray:
    """What `add(start, stop, own)` adds to zeros of its own over consecutive blocks of range(n), summed: as `like`.

    Of whole numbers, whose sums are the same in any order. The rest is as for `map_blocks`.
    """
    sums, lock = np.zeros_like(like), threading.Lock()

    def kernel(start: int, stop: int) -> None:
        own = np.zeros_like(like)
        add(start, stop, own)
        with lock:
            np.add(sums, own, out=sums)

    map_blocks(kernel, n, monitor, stage, block)
    return sums


@contextmanager
def kept_threads() -> Iterator[None]:
    """Inside the block `map_blocks` starts no threads for every call of this thread, but keeps those it has.

    For many short calls in a row: starting threads takes longer than a small matrix does.
    """
    if n_threads() == 1 or getattr(_here, "pool", None):
        yield
        return
    with ThreadPoolExecutor(n_threads(), initializer=_one_openmp_thread) as pool:
        _here.pool = pool
        try:
            yield
        finally:
            _here.pool = None


def _report(pending: set[Future], total: int, monitor: Monitor, stage: str) -> None:
    """Tick as the futures end, and raise what they raise."""
    ended: SimpleQueue[Future] = SimpleQueue()
    for future in pending:
        future.add_done_callback(ended.put)
    done = 0
    while done < total:
        with suppress(Empty):
            ended.get(timeout=0.1).result()
            done += 1
        monitor.tick(stage, done, total)


_blas_lock = threading.Lock()
_blas_users = 0
_blas_limit = None


@contextmanager
def single_threaded_libraries() -> Iterator[None]:
    """BLAS and OpenMP on one thread inside the block, so that rounding cannot depend on the machine's cores.

    BLAS is limited for the whole process while any thread is inside; OpenMP for the calling thread.
    """
    global _blas_users, _blas_limit
    with _blas_lock:
        _blas_users += 1
        if _blas_users == 1:
            _take_over_blas()
            _blas_limit = _controller().limit(limits=1, user_api="blas")
    try:
        with _controller().limit(limits=1, user_api="openmp"):
            yield
    finally:
        with _blas_lock:
            _blas_users -= 1
            if _blas_users == 0 and _blas_limit is not None:
                _take_over_blas()
                _blas_limit.restore_original_limits()
                _blas_limit = None
                _take_over_blas()


def _take_over_blas() -> None:
    """Only the thread that first set OpenBLAS's limit may change it again; others are ignored without a word.

    Here a count decides who limits and who restores, and these are seldom the same thread.
    """
    for library in _controller().select(internal_api="openblas").lib_controllers:
        library.clear_controlling_thread(force=True)


def _controller() -> ThreadpoolController:
    """The libraries loaded so far. scikit-learn brings an OpenMP of its own, and is imported only where needed."""
    return _scan("sklearn.cluster" in sys.modules)


@cache
def _scan(with_sklearn: bool) -> ThreadpoolController:
    import scipy.linalg  # noqa: F401 - loads its BLAS

    return ThreadpoolController()


def _one_openmp_thread() -> None:
    """OpenMP keeps its thread count per calling thread: set it when a worker starts."""
    _controller().limit(limits=1, user_api="openmp")
