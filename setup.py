"""What pyproject.toml cannot say: a package is built anew, without modules of an earlier build that are gone since."""

import shutil

from setuptools import setup

shutil.rmtree("build/lib", ignore_errors=True)
setup()
