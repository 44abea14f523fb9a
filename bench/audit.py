"""Known weaknesses of the locked packages: `python -m bench.audit`; exit code 1 if there is one.

Asks pip-audit where it is installed and its data are in reach, and says so where they are not. The list in
.ci/advisories.toml is looked at always; it covers what stands in it, no more.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).parents[1]
LOCK, PINNED = ROOT / "requirements.lock", ROOT / ".ci" / "advisories.toml"
_SECONDS = 120


def locked(text: str) -> dict[str, Version]:
    """Packages of a lock file with their versions."""
    return {name: Version(number) for name, number in re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE)}


def pinned(versions: dict[str, Version], advisories: list[dict[str, str]]) -> list[str]:
    """What the pinned list has against these versions."""
    return [
        f"{one['package']} {versions[one['package']]}: {one['id']}, mended in {one['fixed']}"
        for one in advisories
        if one["package"] in versions and versions[one["package"]] < Version(one["fixed"])
    ]


def asked(lock: Path = LOCK) -> tuple[list[str], int]:
    """What pip-audit has against a lock file, and how many packages it could look up (0: its data are out of reach)."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"]
    try:
        done = subprocess.run(
            [*command, "--format", "json", "--requirement", str(lock)],
            capture_output=True,
            text=True,
            check=False,
            timeout=_SECONDS,
        )
        found = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, json.JSONDecodeError):  # no network, or no pip-audit
        return [], 0
    looked_up = [one for one in found if "vulns" in one]
    return [f"{one['name']} {one['version']}: {vuln['id']}" for one in looked_up for vuln in one["vulns"]], len(
        looked_up
    )


def main() -> int:
    """Say what is known; 1 if anything is."""
    content = tomllib.loads(PINNED.read_text(encoding="utf-8"))
    versions = locked(LOCK.read_text(encoding="utf-8"))
    weaknesses, n_looked_up = asked()
    print(
        f"pip-audit looked up {n_looked_up} of {len(versions)} packages"
        if n_looked_up
        else f"pip-audit's data are out of reach: only the pinned list of {content['written']} was looked at"
    )
    weaknesses += pinned(versions, content["advisory"])
    for weakness in weaknesses:
        print(weakness)
    return bool(weaknesses)


if __name__ == "__main__":
    sys.exit(main())
