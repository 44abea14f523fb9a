"""The reference of the library, made from its docstrings."""
