"""The compiled core; everything else about the package stands in pyproject.toml."""

import os
import platform

from Cython.Build import cythonize
from setuptools import Extension, setup

setup()
