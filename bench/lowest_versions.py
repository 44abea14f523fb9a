"""Does the package work with the lowest versions that pyproject.toml names? `python -m bench.lowest_versions`.

Installs the wheel, and exactly these versions, into an environment that is thrown away; runs the examples of README and
docs, the checks of the estimators, and the command on files that the optional readers open. Needs the package index.
"""

import re
import tempfile
import tomllib
from pathlib import Path

from bench.wheels import ROOT, check_the_estimators, environment, run, run_the_examples, wheel

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
#: Extras that are tried beside what is required; METIS, Mt-KaHyPar and the app have tests of their own.
EXTRAS = ("io", "studies", "dask")


def lowest(words: str) -> str:
    """The lowest version a requirement allows, as a pin.

    Examples
    --------
    >>> lowest("dask[distributed]>=2025.1")
    'dask[distributed]==2025.1'
    """
    return re.sub(">=", "==", words)


def pins() -> list[str]:
    """All that is tried, each at its lowest version."""
    extras = [words for extra in EXTRAS for words in PROJECT["optional-dependencies"][extra]]
    return [lowest(words) for words in dict.fromkeys([*PROJECT["dependencies"], *extras])]


def main() -> None:
    """Try them, and say what came out."""
    print("\n".join(pins()))
    with tempfile.TemporaryDirectory() as aside:
        places = {name: Path(aside) / name for name in ("tree", "dist", "scratch")}
        for place in places.values():
            place.mkdir()
        programs = environment(Path(aside) / "lowest", [wheel(places["tree"], places["dist"]), "pytest", *pins()])
        print(f"{run_the_examples(programs, places['scratch'])} examples of README and docs run")
        print(check_the_estimators(programs, places["scratch"]))
        print(f"{read_files(programs, places['scratch'])} files are read")
        print(f"{study(programs, places['scratch'])} records of a study are kept")


def read_files(programs: Path, scratch: Path) -> int:
    """Run the command on a file of every optional reader; how many there were."""
    sample = ROOT / "tests" / "golden" / "arrays" / "small.h5ad"
    (scratch / "labels.csv").write_text("name,a,b\n" + "".join(f"o{i},{i % 2},{i % 3}\n" for i in range(12)))
    parquet = "import pandas; pandas.read_csv('labels.csv').to_parquet('labels.parquet')"
    run(programs / "python", "-c", parquet, cwd=scratch)
    files = (sample, "labels.csv", "labels.parquet")
    for file in files:
        run(programs / "concord", "consensus", file, "--k", "2", cwd=scratch)
    return len(files)


def study(programs: Path, scratch: Path) -> int:
    """Run a small study; how many records its store then holds."""
    (scratch / "study.toml").write_text('datasets = ["iris"]\nmethods = ["lwea"]\nrepeats = 2\n')
    run(programs / "concord", "study", "run", "study.toml", "--store", "store.sqlite", cwd=scratch)
    count = "from concord.studies.store import Store; print(len(Store('store.sqlite').all()))"
    return int(run(programs / "python", "-c", count, cwd=scratch))


if __name__ == "__main__":
    main()
