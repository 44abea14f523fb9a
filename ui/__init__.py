"""What pages share, and what each is made of, in the module of its name. Streamlit is here and in `pages/` alone."""
