"""Running a study from a page: the button, progress, what is there so far, files in and out, and who works."""

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
import streamlit as st

from data import DataError, Pool, check_scaling
from engine import EngineError, Monitor, consensus_methods
from engine.generators import Recipe
from engine.monitor import SILENT, Part
from engine.studies.files import read_study, write_study
from engine.studies.records import Record, to_csv
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store, default_path, place
from engine.studies.study import Study, Task, expand
from ui import outside
from ui.compute import data_sets, uploads, work
from ui.compute.jobs import Job, State
from ui.compute.keeping import Kept
from ui.saying import counted
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.session.state import become
from ui.widgets.progress import begun, explain, fetched, settle
from ui.widgets.terms import note, say

#: Reasons of failures that are told at most, and how those begin that are sentences of our own.
_REASONS = 8
_NUMBER = re.compile(r"\d[\d,.]*")
_OURS = re.compile("^(Invalid|Missing|TooLarge|Partitioner)[A-Za-z]*Error: ")


@st.cache_resource(show_spinner=False)
def _store(path: str) -> Store:
    return Store(path)


def store() -> Store:
    """The user's store of records; a file that was taken away while it was open is made anew."""
    path = str(default_path())
    if not _store(path).is_there():
        _store.clear()
    return _store(path)


_SOURCES: Kept[Source] = Kept(64)


def _source(config: RunConfig, recipe: Recipe) -> Source:
    scene = Scene(config)
    if isinstance(scene.source, Pool):
        return Source(config.data, pool=scene.source.members, truth=scene.truth)
    if scene.linked is not None and (recipe.made_by.takes_graph or not scene.has_features):
        return Source(config.data, graph=scene.linked, truth=scene.truth)
    return Source(config.data, features=scene.features, truth=scene.truth)


def sources(study: Study) -> dict[str, Source]:
    """What a study runs on, by name."""
    chosen = [RunConfig(data=name, scaling=study.scaling) for name in study.datasets]
    by_edges = study.recipe.made_by.takes_graph
    return {
        one.data: _SOURCES.get(
            (one.data, data_sets.version(one.data), one.scaling, by_edges), partial(_source, one, study.recipe)
        )
        for one in chosen
    }


def as_they_are(chosen: RunConfig) -> None:
    """Say that a study takes data as they are, where pages do not."""
    undone = ["no label is lent"] * chosen.lend + ["no object is set aside"] * chosen.labelled
    undone += ["no base clustering is switched off"] * bool(chosen.switched_off)
    if undone:
        note(f"Studies take data as they are: {', '.join(undone)} there.")


def tasks(study: Study) -> list[Task]:
    """The tasks of a study."""
    return expand(study, sources(study))


def records(wanted: list[Task]) -> list[Record]:
    """Those records of tasks that are there, in the order in which a store exports them."""
    return sorted(store().of(wanted).values(), key=place)


@dataclass(frozen=True)
class Bundle:
    """Studies that run together. What they come to stands in the keys of their tasks, data and parameters included."""

    studies: tuple[Study, ...]
    n_tasks: int
    fingerprint: str


def _bundle(studies: Sequence[Study], wanted: list[Task]) -> Bundle:
    digest = hashlib.blake2b("".join(task.key for task in wanted).encode(), digest_size=16).hexdigest()
    return Bundle(tuple(studies), len(wanted), digest)


def start(studies: Sequence[Study], wanted: list[Task]) -> Job:
    """Start the job that finds what these studies lack."""
    inputs = str(default_path()), _bundle(studies, wanted)
    if (before := started(studies, wanted)) is not None and before.future.done():  # one that runs is joined
        work.forget(run_all, *inputs)
    return begun(work.start(run_all, *inputs, slot="study", patient=True))


def started(studies: Sequence[Study], wanted: list[Task]) -> Job | None:
    """The job that runs these tasks, if there is one."""
    return work.find(run_all, str(default_path()), _bundle(studies, wanted))


def run_all(path: str, bundle: Bundle, monitor: Monitor = SILENT) -> None:
    """Run every study of the bundle; what was found before is not computed again."""
    before = 0
    for study in bundle.studies:
        before += len(run_study(study, sources(study), _store(path), Part(monitor, before, bundle.n_tasks)))


def control(
    studies: Sequence[Study], wanted: list[Task], live: Callable[[list[Record]], None]
) -> tuple[list[Record], bool]:
    """The button, or the progress of the job; the records there are then, and whether more are being made.

    `live` draws the records there are, while there are more to come.
    """
    job = started(studies, wanted)
    if job is not None and job.state is not State.DONE:
        shown, again = lambda: live(records(wanted)), lambda: start(studies, wanted)
        settle(job, "Running the study", "study", live=shown, again=again, keeps=True)
    running = job is not None and not job.future.done()
    found = records(wanted)
    missing = len(wanted) - len(found)
    if missing and (job is None or job.state is State.DONE):
        words = f"Run {counted(missing, 'task')}" + (f" ({counted(len(found), 'is', 'are')} there)" if found else "")
        st.button(
            words, key="run_study", type="primary", on_click=start, args=(studies, wanted), icon=":material/play_arrow:"
        )
    return found, running


def failures(found: list[Record]) -> None:
    """What went wrong, if anything did, and a way to try again."""
    failed = [record for record in found if record.error]
    if not failed:
        return
    with st.expander(f"{counted(len(failed), 'task')} failed"):
        reasons = _by_reason(failed)
        for reason, records in reasons[:_REASONS]:
            methods, sets = (dict.fromkeys(names) for names in zip(*map(_whose, records), strict=True))
            whose = f"**{', '.join(methods)} on {', '.join(sets)}** ({counted(len(records), 'task')})"
            alike = len({record.error for record in records}) == 1
            say(f"{whose}: {outside.markdown(reason)}{'' if alike else ', and the like with other numbers'}.")
        if (more := len(reasons) - _REASONS) > 0:
            note(f"And {counted(more, 'other reason')}: Records (CSV) has them all.")
        st.button(
            "Forget these, so that they run again",
            key="forget_failures",
            on_click=store().forget,
            args=([record.key for record in failed],),
        )


def _by_reason(failed: list[Record]) -> list[tuple[str, list[Record]]]:
    """Why tasks failed, and which, what stopped most of them first; reasons that differ in numbers alone are one."""
    found = defaultdict[str, list[Record]](list)
    for record in failed:
        found[_NUMBER.sub("", record.error or "")].append(record)
    told = [(_OURS.sub("", records[0].error or "").removesuffix("."), records) for records in found.values()]
    return sorted(told, key=lambda one: -len(one[1]))


def _whose(record: Record) -> tuple[str, str]:
    """Method and data set of a record, as pages call them."""
    return consensus_methods()[record.method].title, outside.name(Scene(RunConfig(data=record.dataset)).title)


def shared(study: Study) -> tuple[Study, dict[str, str]]:
    """A study as others can run it, with files in place of uploads; and what each upload is called there."""
    called: dict[str, str] = {}
    files: dict[str, dict] = {}
    for name in study.datasets:
        if not name.startswith(uploads.PREFIX):
            continue
        upload = uploads.find(name)
        called[name], n = upload.filename, 1
        while called[name] in files:  # the same file, read in another way
            n += 1
            called[name] = f"{upload.filename} ({n})"
        files[called[name]] = uploads.reading(upload) | ({"file": upload.filename} if n > 1 else {})
    datasets = tuple(called.get(name, name) for name in study.datasets)
    return replace(study, datasets=datasets, files=files), called


def told(study: Study, found: Sequence[Record]) -> tuple[Study, list[Record], list[str]]:
    """Study and records as others can read them, and the files that the study needs beside it."""
    whole, called = shared(study)
    records = [replace(record, dataset=called.get(record.dataset, record.dataset)) for record in found]
    return whole, records, sorted(set(called.values()))


def with_uploads(study: Study) -> Study:
    """The study with uploads of this session in place of files; DataError if one is missing or was read otherwise."""
    here = {name: uploads.like(how.get("file", name), how) for name, how in study.files.items()}
    return replace(study, datasets=tuple(here.get(name, name) for name in study.datasets), files={})


def files(study: Study, found: list[Record], name: str) -> None:
    """Records as CSV, and the study as a file for the command line."""
    whole, records, needed = told(study, found)
    with st.container(horizontal=True):
        st.download_button(
            "Records (CSV)",
            partial(to_csv, records),
            f"{name}.csv",
            "text/csv",
            key="get_records",
            icon=":material/download:",
            on_click="ignore",
        )
        beside = f", with {', '.join(needed)} beside it" if needed else ""
        hint = f"Runs without a browser{beside}: concord study run {name}.toml --store FILE"
        st.download_button(
            "Study (TOML)",
            write_study(whole),
            f"{name}.toml",
            "application/toml",
            key="get_study",
            icon=":material/science:",
            on_click="ignore",
            help=hint,
        )


def workers() -> None:
    """Who works at the scheduler, where one is named."""
    address = os.environ.get("CONCORD_SCHEDULER")
    if address:
        with st.expander(f"Workers at {address}"):
            _worker_table(address)


@st.fragment(run_every=5)
def _worker_table(address: str) -> None:
    from engine.studies import dask_workers

    try:
        found = dask_workers.workers(address)
    except EngineError as error:
        explain(error)
        return
    st.dataframe(pd.DataFrame(found).round(1), hide_index=True, key="workers")


#: Parts of a study, for people.
PARTS = {
    "datasets": "data sets",
    "methods": "methods",
    "n_clusterings": "numbers of base clusterings",
    "repeats": "draws",
    "k": "k",
    "best_by": "the measure of the best k",
    "stability": "draws for stability",
    "seed": "seed",
    "scaling": "scaling",
    "recipe": "how base clusterings are made",
    "select": "which base clusterings are kept",
}


def left_out(given: Study, shown: Study) -> list[str]:
    """What of a study a page changes when it takes it over, in words."""
    parts = [words for name, words in PARTS.items() if getattr(given, name) != getattr(shown, name)]
    both = [method for method in given.methods if method in shown.methods]
    same = all(set(given.settings(method)) == set(shown.settings(method)) for method in both)
    return parts + ([] if same else ["parameters"])


def imported(use: Callable[[Study], RunConfig], made: Callable[[RunConfig], Study]) -> None:
    """Open a study file; `use` says what the session becomes, `made` which study the page then has."""
    with st.expander("Open a study file"):
        given = st.file_uploader("Study (TOML)", key="study_file")  # of any ending, as on Data: reading refuses others
        if given is None:
            return
        try:
            study = read_study(given.getvalue())
            check_scaling(study.scaling)
            study = with_uploads(study)
            for name in study.datasets:
                data_sets.find(name, labelled=False)
        except data_sets.FarError as far:
            fetched(far, "openml_study")
            return
        except (EngineError, DataError) as error:
            explain(error)
            return
        if changed := left_out(study, made(use(study))):
            note(
                f"This page has less room than a study file; it changes: {', '.join(changed)}. "
                "From the command line all of it runs."
            )
        st.button(f"Use “{outside.name(study.name)}”", key="use_study", on_click=_take_over, args=(use, study))


def _take_over(use: Callable[[Study], RunConfig], study: Study) -> None:
    become(use(study))
