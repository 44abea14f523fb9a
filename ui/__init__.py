"""What the pages share; the only place besides `app.py` and `pages/` that may import streamlit."""
