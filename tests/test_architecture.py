"""The shape of the package: which module may import which, what is public, how long a file may be, what
loads on import."""

import ast
import inspect
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import narde

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "narde"

LAYERS = (
    {"errors", "_choosing"},
    {"rules", "_files", "_tables", "_turn", "_values"},
    {"board", "stats", "_rows", "_streams", "_turns"},
    {"reference", "_core", "_core_v3", "_hidden", "dice", "scoring"},
    {"kernels", "_games", "_moves", "_net", "cube", "ids"},
    {"_rollout", "plays", "met", "features", "streams", "executors"},
    {"_sums", "_weights"},
    {"_onnx"},
    {"games", "network", "notation", "draw", "_formats", "bearoff_db", "janowski"},
    {"evaluators"},
    {"position", "game"},
    {"match"},
    {"records"},
    {"storage"},
    {"players"},
    {"selfplay"},
    {"duels"},
    {"rollouts"},
    {"terminal"},
    {"cli"},
    {"__main__"},
)
"""Modules and subpackages of `narde` from left to right; a module imports from layers to the left of its
own only."""

ABOVE_ALL = {"cli", "__main__"}
"""Layers that may import the public names from `narde` itself."""

PUBLIC = {*narde.__all__, "__version__"} - {"rules"}

MODULES = (
    "dice",
    "draw",
    "evaluators",
    "executors",
    "features",
    "ids",
    "met",
    "players",
    "records",
    "rollouts",
    "stats",
    "streams",
)

OPTIONAL = (
    "rich",
    "pyarrow",
    "resvg_py",
    "hypothesis",
    "pytest",
    "polars",
    "pandas",
    "onnx",
    "onnxruntime",
    "torch",
    "distributed",
    "ray",
)
LIMITS = {"_core.pyx": 900}
DEFAULT_LIMIT = 400
"""Lines a file may have."""


def modules() -> list[Path]:
    """Every Python and Cython source of the package except its public face `__init__.py`."""
    found = sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyx")])
    return [path for path in found if path != SOURCE / "__init__.py"]


def unit(path: Path) -> str:
    """The module or subpackage that a file belongs to: `board` for board.py, `cli` for cli/games.py."""
    return path.relative_to(SOURCE).parts[0].split(".")[0]


def imported_units(source: str) -> set[str]:
    """The modules of `narde` that a source imports anywhere, also inside functions."""
    units = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: import from narde by its full name, not relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        units |= {name.split(".")[1] for name in names if name.startswith("narde.")}
    return units


def python_part(path: Path) -> str:
    """What `ast` can read: all of a .py file, the import lines of a .pyx file (cimports are read as
    imports)."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    joined = re.sub(r"\(\s*([^)]*?),?\s*\)", lambda names: " ".join(names[1].split()), text)
    lines = [line.strip().replace("cimport", "import") for line in joined.splitlines()]
    return "\n".join(line for line in lines if line.startswith(("import narde", "from narde")))


def layer_of(name: str) -> int:
    """The place of a module in `LAYERS`."""
    places = [i for i, layer in enumerate(LAYERS) if name in layer]
    assert places, (
        f"narde.{name} has no layer: add it to LAYERS in {Path(__file__).name}, left of all that import it"
    )
    return places[0]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_from_layers_to_its_left_only(path: Path) -> None:
    own = unit(path)
    for other in imported_units(python_part(path)) - {own, *(PUBLIC if own in ABOVE_ALL else ())}:
        assert layer_of(other) < layer_of(own), (
            f"{path.name} imports narde.{other}, which does not stand to its left"
        )


def test_import_directions_are_read_from_the_source() -> None:
    source = (
        "import narde.board\nfrom narde import plays\ndef f():\n    from narde.ids import x\nimport numpy"
    )
    assert imported_units(source) == {"board", "plays", "ids"}


def test_public_names_are_those_of_all_in_order() -> None:
    """Each name bound by `import narde` is meant; a submodule is public only where `__all__` says so."""
    bound = {name: getattr(narde, name) for name in dir(narde) if not name.startswith("_")}
    bound = {name: v for name, v in bound.items() if name in narde.__all__ or not isinstance(v, ModuleType)}
    assert list(narde.__all__) == sorted(bound)


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "examples", "docs", ".ci"])
def test_no_file_is_longer_than_its_limit(folder: str) -> None:
    suffixes = {".py", ".pyx", ".pxd", ".pyi", ".h", ".c", ".md", ""}
    files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix in suffixes]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {path: n for path, n in lengths.items() if n > LIMITS.get(path.name, DEFAULT_LIMIT)} == {}


@pytest.mark.parametrize("name", [name for name in narde.__all__ if is_dataclass(getattr(narde, name))])
def test_help_says_what_each_field_means(name: str) -> None:
    lines = str(inspect.getdoc(getattr(narde, name))).splitlines()
    told = {field for line in lines if ": " in line for field in line.split(": ")[0].split(", ")}
    assert {field.name for field in fields(getattr(narde, name)) if field.name[0] != "_"} <= told


def test_no_text_stands_below_a_field() -> None:
    """Python throws it away: it belongs into the docstring of the class, where `help` finds it."""
    found = [
        f"{path.name}: {node.name}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and any(map(is_text_below_field, node.body, node.body[1:]))
    ]
    assert not found


def is_text_below_field(field: ast.stmt, below: ast.stmt) -> bool:
    return isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr)


def test_setup_py_holds_only_the_extension() -> None:
    assert len((ROOT / "setup.py").read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize("name", MODULES)
def test_public_modules_need_no_import_of_their_own(name: str) -> None:
    """Asked of `__getattr__`, since anything that has loaded a module makes it an attribute."""
    assert narde.__getattr__(name) is import_module(f"narde.{name}")


def test_import_loads_no_optional_library() -> None:
    code = f"import sys, narde; print(*[name for name in {OPTIONAL!r} if name in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert loaded == []


def test_import_needs_numpy_alone() -> None:
    """With every other third-party import refused, `import narde` still works."""
    code = """
import sys
before = set(sys.modules)
import numpy
import narde
import sysconfig
site = sysconfig.get_paths()["platlib"]
names = {name.split(".")[0] for name in set(sys.modules) - before}
files = {name: getattr(sys.modules.get(name), "__file__", None) or "" for name in names}
print(*sorted(name for name, file in files.items() if file.startswith(site)))
"""
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(loaded) <= {"numpy", "narde"}
