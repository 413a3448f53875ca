"""Fixtures that several test files share."""

import pytest

from generators import CORE, REFERENCE, Generator


@pytest.fixture(params=[REFERENCE, CORE], ids=lambda generator: generator.name)
def generator(request: pytest.FixtureRequest) -> Generator:
    """Each generator in turn: the slow reference, then the compiled core."""
    return request.param
