"""What runs for every visitor: the frame, and in it the page that was asked for."""

from pathlib import Path

import streamlit as st

from ui.frame.ahead import loaded

loaded()  # before anything else of ours is imported

from engine import EngineError  # noqa: E402
from engine.runtime.memory import memory_limit  # noqa: E402
from ui.frame.shell import frame, next_question, section_of, sections  # noqa: E402
from ui.frame.warm_start import keep_swept, warm_start  # noqa: E402

HERE = Path(__file__).parent

st.set_page_config(page_title="Concord", page_icon=str(HERE / "icon.svg"), layout="wide")
try:
    memory_limit()
except EngineError as error:  # no page could compute anything
    st.error(f"{error}. Set it anew, and start the app again.", icon=":material/memory:")
    st.stop()
warm_start()
keep_swept()
files = list((HERE.parents[1] / "pages").glob("*.py"))
pages = sections(files)
page = st.navigation(pages, position="top")
st.set_page_config(page_title=f"{page.title} · Concord")
frame(page, section_of(pages, page), *next_question(files, pages, page))
