"""Concord: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from ui.shell import frame
from ui.warm_start import warm_start

HERE = Path(__file__).parent

st.set_page_config(page_title="Concord", page_icon=str(HERE / "ui" / "icon.svg"), layout="wide")
warm_start()
files = sorted(path for path in (HERE / "pages").glob("*.py") if not path.name.startswith("_"))
pages = [st.Page(path, title=path.stem.split("_", 1)[1].replace("_", " ").capitalize()) for path in files]
frame(st.navigation(pages, expanded=True))
