"""Concord: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from ui.frame.navigation import next_question, sections
from ui.frame.shell import frame
from ui.frame.warm_start import warm_start

HERE = Path(__file__).parent

st.set_page_config(page_title="Concord", page_icon=str(HERE / "ui" / "frame" / "icon.svg"), layout="wide")
warm_start()
files = list((HERE / "pages").glob("*.py"))
pages = sections(files)
page = st.navigation(pages, expanded=True)
frame(page, *next_question(files, pages, page.title))
