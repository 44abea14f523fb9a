"""Figures as SVG, drawn without a browser: for what is printed, or read where no script runs."""

from .drawing import still

__all__ = ["still"]
