"""Files a person brings: what each column is, what is wrong in it, and what is done about that."""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import pandas as pd
import streamlit as st

from data import DataError, Graph, Pool
from data.graph_files import are_ends, can_only_be_graph, graph_readers
from data.readers import known_readers, titles
from data.roles import ROLES, Column, Role
from data.uploads import dropped_rows, faulty_rows
from engine import Monitor
from ui.compute import uploads
from ui.compute.reading import arrays_in
from ui.compute.work import forget, start
from ui.outside import markdown, name
from ui.saying import counted
from ui.session.run_config import RunConfig
from ui.session.state import user, visit
from ui.widgets.around import take
from ui.widgets.progress import explain, settle
from ui.widgets.terms import note

KINDS = {
    "features": "Features: one row an object, one column a feature",
    "labels": "Labels only: one base clustering a column",
    "graph": "A graph: which objects are linked",
}

MENDS = {"refuse": "leave as it is", "drop": "drop those rows", "mean": "put in the column means"}

ROLE_NAMES: dict[Role, str] = {
    "feature": "feature",
    "clustering": "base clustering",
    "class": "class",
    "answer": "own answer",
    "identifier": "identifier",
    "ignore": "ignore",
}

#: Faults as columns of the table.
FAULT_NAMES = {"empty": "empty", "text": "text", "infinite": "infinite", "fractional": "not whole"}

_GIVEN, _BROUGHT, _AS_GRAPH = "_roles", "_brought", "_as_graph"


@dataclass
class _Brought:
    """A file in the uploader: its number and kind, and on which visit of the page it was taken over."""

    place: str
    kind: str
    file: uploads.File
    used: int | None = None


def bring(now: RunConfig) -> None:
    """Upload features, base clusterings or a graph; a refusal says why, and what is shown below stays.

    The uploader forgets its file when the page is left; one that was not taken over yet is still there afterwards.
    """
    kind = st.radio(
        "What the file holds",
        list(KINDS),
        format_func=KINDS.get,
        key="upload_kind",
        horizontal=True,
        persist_state="session",
    )
    # Of any ending: readers say what to do about others.
    file = st.file_uploader(_asked_for(kind), key=f"file_{kind}", on_change=_let_go)
    held = _brought(file, kind)
    if held is None:
        note(_BEFORE["graph" if kind == "graph" else "table"])
        return
    brought = held.file
    if file is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            waits = ", and not taken over yet" if held.used is None else ""
            note(f"**{name(brought.name)}** was brought before the page was left{waits}.")
            st.button("Let it go", key="let_file_go", on_click=_let_go, width="content")
    try:
        kind = "graph" if _is_graph(brought) else kind
        places = _places(brought, kind)
        if places is not None:
            (_link if kind == "graph" else _read)(brought, kind, _matrix(places), now)
    except DataError as error:
        explain(error)


#: What is said as long as there is no file.
_BEFORE = {
    "table": "A column named label, class or target is taken as the truth, one named id or name as what objects are "
    "called; both can be changed. Nothing leaves this machine.",
    "graph": "One row an edge: its two ends, in columns named source and target or in this order, perhaps a weight; "
    "or a square matrix of weights, 0 where no edge is. Nothing leaves this machine.",
}


def _asked_for(kind: str) -> str:
    if kind != "graph":
        return f"A file of numbers ({titles()})"
    return f"A file of edges ({', '.join(dict.fromkeys(one.title for one in graph_readers().values()))})"


def _is_graph(file: uploads.File) -> bool:
    """Whether a file can only be a graph, by its ending, or somebody said that it is one."""
    return can_only_be_graph(file.name) or st.session_state.get(_AS_GRAPH) == file.digest


def _link(file: uploads.File, kind: str, matrix: str | None, now: RunConfig) -> None:
    """The graph in a file, in use once it is read."""
    inputs = uploads.take_graph, file, matrix, user()
    made = settle(start(*inputs), "Reading the graph", "upload")
    if made is not None:
        _use_anew(made, inputs, now)


def _brought(file, kind: str) -> _Brought | None:
    """What is in the uploader, hashed once; else what was, when the page was left."""
    held: _Brought | None = st.session_state.get(_BROUGHT)
    if file is None:
        if held is not None and (held.used not in (None, visit()) or held.kind != kind):
            _let_go()
        return st.session_state.get(_BROUGHT)
    if held is None or held.place != file.file_id:
        known = uploads.File(file.name.replace("%22", '"'), file.getvalue())  # so browsers send a quotation mark
        st.session_state[_BROUGHT] = held = _Brought(file.file_id, kind, known)
        for decided in ("upload_missing", _AS_GRAPH):  # of the file before
            st.session_state.pop(decided, None)
    return held


def _let_go() -> None:
    st.session_state.pop(_BROUGHT, None)


def _places(file: uploads.File, kind: str) -> list[str] | None:
    """The matrices of a file that may have several (AnnData), those of obsp for a graph; None while looked for."""
    reader = known_readers().get(PurePath(file.name).suffix.lower())
    if kind == "labels" or reader is None or not reader.choice:
        return []
    found = settle(start(places_in, file), "Looking into the file", "places")
    return found and [place for place in found if place.startswith("obsp/") == (kind == "graph")]


def places_in(file: uploads.File, monitor: Monitor) -> list[str]:
    """The same as a job."""
    return arrays_in(file.name, file.content, monitor)


def _matrix(places: list[str]) -> str | None:
    """Which of them is read."""
    graph = bool(places) and places[0].startswith("obsp/")
    if len(places) < 2:
        return places[0] if graph and places[0] != _USUAL else None
    usual = places.index(_USUAL) if _USUAL in places else 0
    words = "Links between objects." if graph else "X, or a reduced one of obsm."
    return st.selectbox("Matrix", places, usual, key=f"upload_{'links' if graph else 'matrix'}", help=words, width=320)


#: The matrix of obsp that scanpy makes communities of.
_USUAL = "obsp/connectivities"


def _read(file: uploads.File, kind: str, matrix: str | None, now: RunConfig) -> None:
    """The columns of a file, what is to be decided, and the file in use once nothing is."""
    sheet = settle(start(uploads.sheet, file, kind, matrix), "Reading the file", "sheet")
    if sheet is None:
        return
    given = st.session_state.get(_GIVEN, {}).get((sheet.digest, sheet.kind, sheet.matrix), {})
    columns = settle(start(uploads.columns, sheet, given), "Looking at the columns", "columns")
    if columns is None:
        return
    if are_ends(sheet.table.names):
        st.button(
            "Its columns name the two ends of edges: read it as a graph",
            key="as_graph",
            icon=":material/hub:",
            on_click=st.session_state.update,
            kwargs={_AS_GRAPH: file.digest},
        )
    role_table(sheet, columns)
    faults = sum(column.faults for column in columns)
    if faults:
        possible = [mend for mend in MENDS if mend != "mean" or sheet.kind == "features"]
        st.radio(
            "Cells that cannot be used",
            possible,
            format_func=MENDS.get,
            key="upload_missing",
            horizontal=True,
            persist_state="page",  # it is not drawn while the columns are looked at again
        )
        note(to_decide(sheet, columns, mend()))
        for words in sheet.table.notes:
            note(markdown(words))
    if any(column.outcome(mend()).startswith("undecided") for column in columns):
        st.session_state[_BROUGHT].used = None
        note("Until that is decided, what is shown below is not this file.")
        return
    inputs = uploads.take, sheet, given, mend() if faults else "refuse", user()
    made = settle(start(*inputs), "Taking it over", "upload")
    if made is not None:
        _use_anew(made, inputs, now)


def _use_anew(made: str, inputs: tuple, now: RunConfig) -> None:
    """Use an upload; one that was let go meanwhile, for want of room, is made again."""
    if not uploads.is_here(made):
        forget(*inputs)
        st.rerun()
    st.session_state[_BROUGHT].used = visit()
    use(uploads.find(made), now)


def to_decide(sheet: uploads.Sheet, columns: tuple[Column, ...], mend: str) -> str:
    """How many cells are concerned, and what they cost in rows."""
    faulty = [column for column in columns if column.faults]
    concerned = dropped_rows if mend == "drop" else faulty_rows
    cells, rows = sum(column.faults for column in faulty), int(concerned(sheet.table, columns).sum())
    many = f"{counted(cells, 'cell')} in {counted(len(faulty), 'column')} cannot be used"
    if mend == "drop":
        return f"{many}; {rows:,} of {sheet.table.n_rows:,} rows {'is' if rows == 1 else 'are'} dropped."
    if mend == "mean":
        return f"{many}; those of features become the mean of their column."
    means = ", put in means," if sheet.kind == "features" else ""
    return f"{many}. Drop their {counted(rows, 'row')}{means} or set a column to ignore."


def role_table(sheet: uploads.Sheet, columns: tuple[Column, ...]) -> None:
    """One row a column of the file: its role, which can be changed, its first cells and its faults."""
    shown = {word: name for word, name in FAULT_NAMES.items() if any(getattr(column, word) for column in columns)}
    outcomes = [column.outcome(mend()) for column in columns]
    frame = pd.DataFrame(
        {
            "column": [column.name for column in columns],
            "role": [ROLE_NAMES[column.role] for column in columns],
            "first rows": [", ".join(cell or "(empty)" for cell in column.first) for column in columns],
            **{name: [getattr(column, word) for column in columns] for word, name in shown.items()},
            **({"what is done": outcomes} if any(outcomes) else {}),
        }
    )
    key = f"column_roles_{sheet.digest}_{''.join(column.role[0] + column.role[1] for column in columns)}"
    edited = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=[name for name in frame if name != "role"],
        height=min(318, 35 * (len(frame) + 1) + 3),
        column_config={
            "role": st.column_config.SelectboxColumn(
                options=[ROLE_NAMES[role] for role in ROLES[sheet.kind]],
                required=True,
                help="What the column is used as. An identifier names the objects; an own answer stands beside the "
                "methods on Compare; ignored columns are left out.",
            ),
            "first rows": st.column_config.TextColumn(width="medium"),
            "what is done": st.column_config.TextColumn(width="medium"),
            **{name: st.column_config.NumberColumn(width="small") for name in shown.values()},
        },
    )
    named = {name: role for role, name in ROLE_NAMES.items()}
    _take(sheet, columns, [named[name] for name in edited["role"]])


def _take(sheet: uploads.Sheet, columns: tuple[Column, ...], now: list[Role]) -> None:
    """Keep the roles that were changed in the table, and read the file anew under them."""
    edits = {column.place: role for column, role in zip(columns, now, strict=True) if role != column.role}
    if edits:
        st.session_state.setdefault(_GIVEN, {})[sheet.digest, sheet.kind, sheet.matrix] = changed(columns, edits)
        st.rerun()


def changed(columns: tuple[Column, ...], edits: dict[int, Role]) -> dict[int, Role]:
    """The roles of all columns after some edits: a new class or identifier takes the place of the present one.

    >>> both = Column(0, "a", "class", ()), Column(1, "b", "feature", ())
    >>> changed(both, {1: "class"})
    {0: 'ignore', 1: 'class'}
    """
    taken = {role for role in ("class", "identifier") if role in edits.values()}
    return {column.place: "ignore" if column.role in taken else column.role for column in columns} | edits


def mend() -> str:
    """What to do about cells that cannot be used, once a person has chosen."""
    return st.session_state.get("upload_missing", "refuse")


def use(upload: uploads.Upload, now: RunConfig) -> None:
    """Offer the upload in place of the same file under other roles, and switch to it once when it is new here."""
    known = st.session_state.setdefault("uploads", [])
    if upload.id in known:
        show = "is shown below" if now.data == upload.id else "is in the list of data sets"
        st.success(f"{name(upload.filename)} was read and {show}.", icon=":material/check:")
        return
    beside: dict[str, Any] = {"m": None} if isinstance(upload.content, Pool) else {}
    if isinstance(upload.content, Graph) and upload.content.features is not None:  # else nothing else could be
        beside["generator"] = now.graph_recipe.generator
    take(upload.id, [one for one in known if uploads.same_file(one, upload)], **beside)
    st.rerun()
