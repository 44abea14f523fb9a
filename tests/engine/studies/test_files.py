"""Study files: read as they were written, explained where they are bad."""

import time

import pytest

from engine.generators import Recipe
from engine.studies.__main__ import sources_of
from engine.studies.files import read_study, write_study
from engine.studies.study import InvalidStudyError, Study


def test_a_study_file_is_read_as_it_was_written():
    study = Study(
        ("wine", "pools/x"),
        ("pta", "got"),
        name='with "quotes"',
        n_clusterings=(5, 10),
        k=(2, 3),
        seed=3,
        grid={"pta": {"K": (None, 5), "linkage": ("average", "single")}, "got": {"refine": (True, False)}},
        scaling="minmax",
        best_by="ari",
        stability=12,
        select="joint:40%",
        recipe=Recipe.of("lac", inverse_h=(0.5, 50.0), lac_k=4),
    )
    assert read_study(write_study(study)) == study


FILES = {"plants.csv": {"kind": "features", "missing": "drop", "roles": {"0": "ignore", "site": "class"}}}


def test_a_study_names_files_and_how_they_are_read():
    study = Study(("wine", "plants.csv"), ("lwea",), files=FILES)
    assert '[files."plants.csv"' in write_study(study)
    assert read_study(write_study(study)) == study


def test_a_range_is_read_as_pages_write_it():
    ranges = [
        read_study(NAMED + f"k_range = {said}").recipe.values["k_range"] for said in ('"2-10"', "[2, 10]", '"sqrt"')
    ]
    assert ranges == [(2, 10), (2, 10), "sqrt"]


def test_the_files_of_a_study_lie_beside_it(tmp_path):
    study = Study(("plants.csv", "again"), ("lwea",), files=FILES | {"again": {"kind": "labels", "file": "runs.csv"}})
    (tmp_path / "plants.csv").write_text("no,w,h,site\n1,1.5,2,a\n2,,3,a\n3,4,8,b\n4,5,9,b\n")
    (tmp_path / "runs.csv").write_text("0,1\n0,1\n1,\n1,2\n")
    found = sources_of(study, tmp_path)
    assert found["plants.csv"].features.shape == (3, 2)
    assert found["plants.csv"].truth.tolist() == [0, 1, 1]
    assert found["again"].pool.tolist() == [[0, 1], [0, 1], [1, -1], [1, 2]]
    (tmp_path / "runs.csv").unlink()
    with pytest.raises(InvalidStudyError, match="runs.csv must lie beside the study file"):
        sources_of(study, tmp_path)


NAMED = 'datasets = ["a"]\nmethods = ["lwea"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("datasets = [", "not valid TOML"),
        ('datasets = ["a"]', "Missing: methods"),
        ('datasets = ["a"]\nmethods = ["eac"]\ncolour = 1', "Got colour"),
        ('datasets = "a"\nmethods = ["eac"]', "datasets must be a list of names"),
        ('datasets = ["a"]\nmethods = ["eac"]\ngrid = 3', "one table a method"),
        (NAMED + 'n_clusterings = "10"', "n_clusterings must be a list of integers. Got '10'"),
        (NAMED + "k = []", "k must be a list of integers. Got none"),
        (NAMED + "[grid.lwea]\ntheta = []", "grid.lwea.theta must be a list of values. Got none"),
        (NAMED + 'k_range = "4-2"', "k_range must be one of sqrt"),
        (NAMED + "leiden_neighbors = 7", "leiden_neighbors must be a pair"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[grid.lwea]\ntheta = 0.4', "must be a list of values"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nrepeats = "many"', "repeats must be an integer"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ngenerator = "magic"', "generator must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nk_range = "cubic"', "k_range must be one of"),
        ('datasets = ["a"]\nmethods = ["lwea"]\ninverse_h = 4', "inverse_h must be a pair"),
        ('datasets = ["a"]\nmethods = ["lwea"]\nfiles = 4', "files must hold one table a file"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[files.b]\nkind = "labels"', "files must be among datasets. Got 'b'"),
        (
            'datasets = ["a"]\nmethods = ["lwea"]\n[files.a]\nkind = "graph"\nmissing = "drop"',
            "is a graph, which has no missing",
        ),
        (
            'datasets = ["a"]\nmethods = ["lwea"]\ngenerator = "lac"\nlac_k = 1',
            'lac_k must be an integer in [2, 100], or "auto"',
        ),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[files.a]\nkind = 3', "files.a must have kind"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[files.a]\nkind = "labels"\nsize = 3', "Got size"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[files.a]\nkind = "labels"\nroles = [3]', "must hold words"),
        ('datasets = ["a"]\nmethods = ["lwea"]\n[files.a]\nkind = "labels"\nfile = "../b"', "without a folder"),
    ],
)
def test_a_bad_study_file_is_explained(text, words):
    with pytest.raises(InvalidStudyError) as caught:
        read_study(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (NAMED + "k = true", "k must be"),
        (NAMED + "k = {}", "Got {}"),
        (NAMED + "k_range = {}", "k_range must be one of"),
        (NAMED + f"k_range = [2, {'9' * 190}]", "k_range must be one of"),
        (NAMED + "k_range = [2, 1e999]", "k_range must be one of"),
        (NAMED + "generator = {}", "generator must be a name. Got {}"),
        (NAMED + f"seed = {'1' * 5000}", "line 3 has a word or number of more than 200 characters"),
        (NAMED + f"seed = 0x{'f' * 150}", "seed must be at most 9,007,199,254,740,992"),
        (NAMED + f"k = {'[' * 5000}{']' * 5000}", "line 3 has brackets nested more than 16 deep"),
        (NAMED + f"k = {'{a=' * 17}1{'}' * 17}", "nested more than 16 deep"),
        (".".join(["a"] * 100_000) + "=1", "line 1 has a name of more than 9 parts"),
        (NAMED + "[grid." + " . ".join(["a"] * 5000) + "]", "line 3 has a name of more than 9 parts"),
        (NAMED + "name = 2020-01-01", "name must be a name"),
        ("datasets = [2020-01-01]\nmethods = ['lwea']", "datasets must be a list of names"),
        (NAMED + "k = 2020-13-45", "not valid TOML"),
        (NAMED + "#" * 1_000_001, "at most 1,000,000 characters"),
        (NAMED + f'k = "{"z" * 5000}"', "zzz..."),
        (NAMED + f'best_by = "{"z" * 5000}"', "zzz..."),
        (NAMED + f'generator = "{"z" * 5000}"', "zzz..."),
        (f'datasets = ["{"z" * 5000}"]\nmethods = ["lwea"]', "zzz..."),
        (NAMED + f'"{"z" * 5000}" = 1', "zzz..."),
        (NAMED + f'[grid."{"z" * 5000}"]\na = [1]', "zzz..."),
        (NAMED + f'[grid.lwea]\n"{"z" * 5000}" = [1]', "zzz..."),
        (NAMED + f'[grid.lwea]\ntheta = ["{"z" * 5000}"]', "zzz..."),
        (f'datasets = ["a"]\nmethods = ["{"z" * 5000}"]', "zzz..."),
        (
            NAMED + "\n".join(f"z{i} = 1" for i in range(5000)),
            "z0, z1, z10, z100, z1000, z1001, z1002, z1003 and 4,992 more",
        ),
        (
            NAMED.replace("lwea", "pta") + "[grid.pta]\n" + f"T = {list(range(1, 1001))}\nK = {list(range(1, 5001))}",
            "at most 1,000,000 tasks",
        ),
    ],
)
def test_a_hostile_study_file_is_one_short_line_at_once(text, words):
    begun = time.perf_counter()
    with pytest.raises(InvalidStudyError) as caught:
        read_study(text)
    said = str(caught.value)
    assert words in said
    assert "\n" not in said
    assert len(said) < 500  # every name a study knows is in it
    assert "z" * 81 not in said
    assert time.perf_counter() - begun < 5


def test_dots_and_brackets_inside_quotes_are_plain_text():
    name = ".".join(["a"] * 30) + "[" * 30 + "\\\\" + '\\"' + "'"
    text = f'datasets = ["{name}"] # {"[" * 30} {"." * 30}\nmethods = ["eac"]\nname = \'{"." * 30}\''
    assert read_study(text).name == "." * 30
    assert read_study('datasets = ["""' + "[" * 30 + '"""]\nmethods = ["eac"]').datasets == ("[" * 30,)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_study_is_read_however_an_editor_wrote_it(encoding):
    text = NAMED + 'name = "größer"'
    assert read_study(text.encode(encoding)) == read_study(text)


def test_a_study_that_is_no_text_is_told_so():
    with pytest.raises(InvalidStudyError, match="not text in UTF-8: see line 2. Save it in UTF-8"):
        read_study(b"# a study\nname = '\xff'")
