"""The compiled core; everything else about the package stands in pyproject.toml.

Switches, as environment variables: NARDE_DEBUG=1 (bounds checks, asserts, little optimisation),
NARDE_SIMD=plain (no vector instructions), NARDE_NATIVE=1 (for this machine's processor only), NARDE_TRACE=1
(line tracing for coverage)."""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


debug, trace = switch("NARDE_DEBUG"), switch("NARDE_TRACE")
plain = os.environ.get("NARDE_SIMD") == "plain"
msvc = sys.platform == "win32"
x86_64 = platform.machine().lower() in ("x86_64", "amd64")

macros = [("NARDE_PLAIN", "1")] * plain + [("CYTHON_TRACE_NOGIL", "1")] * trace
flags = [] if msvc else ["-O1", "-UNDEBUG"] if debug else ["-O3", "-fno-strict-aliasing"]
flags += ["-march=native"] * switch("NARDE_NATIVE")
v3_flags = ["/arch:AVX2"] if msvc else ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]


def core(name: str, extra: list[str]) -> Extension:
    return Extension(
        f"narde.{name}",
        [f"src/narde/{name}.pyx"],
        depends=[str(path) for path in Path("src/narde").glob("_*.[hp]*")],
        define_macros=macros,
        extra_compile_args=flags + extra,
    )


extensions = [core(name, []) for name in ("_core", "_games", "_moves", "_rows")]
extensions += [core("_core_v3", v3_flags)] * (x86_64 and not plain)
directives = {"language_level": 3, "boundscheck": debug, "wraparound": False, "initializedcheck": debug}
directives |= {
    "cdivision": True,
    "embedsignature": True,
    "freethreading_compatible": True,
    "linetrace": trace,
}
setup(ext_modules=cythonize(extensions, build_dir=None if trace else "build", compiler_directives=directives))
