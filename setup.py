"""The compiled core; everything else about the package stands in pyproject.toml."""

from setuptools import setup

setup()
