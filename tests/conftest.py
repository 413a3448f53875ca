"""Fixtures that several test files share."""

from pathlib import Path

import pytest

from generators import CORE, REFERENCE, Generator
from shell import Shell


@pytest.fixture(params=[REFERENCE, CORE], ids=lambda generator: generator.name)
def generator(request: pytest.FixtureRequest) -> Generator:
    """Each generator in turn: the slow reference, then the compiled core."""
    return request.param


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command line within the test, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)
