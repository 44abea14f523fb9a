"""Fill the kernel cache in a process of its own when the app starts."""

import subprocess
import sys

import streamlit as st


@st.cache_resource(show_spinner=False)
def warm_start() -> int:
    """Start `python -m engine.warm` once a server; its process id."""
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stdout=subprocess.DEVNULL).pid
