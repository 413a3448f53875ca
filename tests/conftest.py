"""Fixtures that several test files share."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from generators import CORE, REFERENCE, Generator
from shell import OF_TERMINALS, Shell

# No test depends on how fast the machine is, and all of them together are to take less than three minutes;
# the rest is as by default, or as in CI where that is found.
settings.register_profile(
    "any speed", settings(), max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any speed")


def pytest_runtest_logstart(nodeid: str) -> None:
    """Tell CI, which asks for it, which test is the last one if the run ends without a report."""
    if "NARDE_LAST_TEST" in os.environ:
        Path(os.environ["NARDE_LAST_TEST"]).write_text(nodeid, encoding="utf-8")


@pytest.fixture(params=[REFERENCE, CORE], ids=lambda generator: generator.name)
def generator(request: pytest.FixtureRequest) -> Generator:
    """Each generator in turn: the slow reference, then the compiled core."""
    return request.param


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command line within the test, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of the test run's own, so that no test reads or writes that of the user."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NARDE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def no_terminal() -> Iterator[None]:
    """What is printed depends on no variable by which the user or CI asks for colours or a width."""
    with pytest.MonkeyPatch.context() as patch:
        for name in OF_TERMINALS:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_works() -> Iterator[None]:
    """A shell lets its background jobs ignore Ctrl-C, and so would the programs that the tests interrupt."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
