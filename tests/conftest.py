"""Fixtures that several test files share."""

import pytest

import narde
from generators import CORE, REFERENCE, Generator


@pytest.fixture(params=[REFERENCE, CORE], ids=lambda generator: generator.name)
def generator(request: pytest.FixtureRequest) -> Generator:
    """Each generator in turn: the slow reference, then the compiled core."""
    if request.param is CORE and not hasattr(narde, "afterstates"):
        pytest.skip("the compiled core does not exist yet")
    return request.param
