"""What the control groups of this process leave it (Linux; containers are bounded by them)."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_ROOT = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")


def free_in_cgroup(root: Path = _ROOT, membership: Path = _MEMBERSHIP) -> list[int]:
    """Bytes each bounded control group above this process leaves; empty where there are none.

    Parameters
    ----------
    root : Path
        Where the groups are mounted: version 2, or version 1 with a folder `memory`.
    membership : Path
        Lines "number:controllers:path" as in /proc/self/cgroup.

    Returns
    -------
    list of int
        Limit less use; files that were merely read count as free, as they do for the whole machine.
    """
    return [left for folder, version in _groups(root, membership) if (left := _left(folder, version)) is not None]


def _groups(root: Path, membership: Path) -> Iterator[tuple[Path, int]]:
    """Yield the folder of every group this process is in, innermost first, with the version of its files."""
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = (line.split(":", 2) + ["", ""])[:3]
        if controllers not in ("",) and "memory" not in controllers.split(","):
            continue
        base, version = (root / "memory", 1) if controllers else (root, 2)
        inner = PurePosixPath(path.lstrip("/"))
        for place in (inner, *inner.parents):
            yield base / place, version


_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def _left(folder: Path, version: int) -> int | None:
    """Limit less use of one group; None where it has no limit."""
    limit, use, reclaimable = _FILES[version]
    try:
        allowed, used = ((folder / name).read_text(encoding="utf-8").strip() for name in (limit, use))
        if not allowed.isdigit() or int(allowed) >= 2**60:  # version 1 writes nearly 2**63 for none
            return None
        return int(allowed) - int(used) + _counter(folder / "memory.stat", reclaimable)
    except OSError:
        return None


def _counter(path: Path, name: str) -> int:
    """One number of a file of lines "name number"; 0 where it is not there."""
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0
