"""Concord: `streamlit run app.py`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # whatever folder it is started from

import streamlit as st  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402

from ui.frame.ahead import load_ahead  # noqa: E402
from ui.frame.guard import Guard  # noqa: E402

app = st.App(HERE / "ui" / "frame" / "main.py", lifespan=load_ahead, middleware=[Middleware(Guard)])
