"""Progress and cancel of any run, for scripts: the public names of `engine.runtime.monitor`."""

from .runtime.monitor import SILENT, Monitor, Part, Quiet, Relay
