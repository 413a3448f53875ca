"""The compiled modules; everything else about the package stands in pyproject.toml.

Switches, as environment variables: NARDE_DEBUG=1 (bounds checks, asserts, little optimisation),
NARDE_SIMD=plain (no vector instructions), NARDE_NATIVE=1 (for the processor at hand only), NARDE_TRACE=1
(line tracing for coverage). On x86-64 the core is compiled once more for processors with AVX2.
"""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup


def switch(name: str) -> bool:
    return os.environ.get(name, "0") not in ("", "0")


debug, trace, native = switch("NARDE_DEBUG"), switch("NARDE_TRACE"), switch("NARDE_NATIVE")
plain = os.environ.get("NARDE_SIMD") == "plain"
x86_64 = platform.machine().lower() in ("x86_64", "amd64")

if sys.platform == "win32":
    flags, v3_flags = ["/Od"] * debug, ["/arch:AVX2"]
else:
    flags = ["-ffp-contract=off", "-fno-strict-aliasing"] + ["-march=native"] * native
    flags += ["-O1", "-UNDEBUG"] if debug else ["-O3"]
    v3_flags = ["-mavx2", "-mbmi", "-mbmi2", "-mpopcnt"]
macros = [("NARDE_PLAIN", "1")] * plain + [("CYTHON_TRACE_NOGIL", "1")] * trace
directives = {"language_level": 3, "embedsignature": True, "freethreading_compatible": True}
directives |= {"cdivision": True, "wraparound": False, "boundscheck": debug, "initializedcheck": debug}
directives |= {"linetrace": trace}


def module(name: str, extra_flags: list[str]) -> Extension:
    return Extension(
        f"narde.{name}",
        [f"src/narde/{name}.pyx"],
        depends=[str(path) for path in Path("src/narde").iterdir() if path.suffix in (".pyx", ".pxd", ".h")],
        define_macros=macros,
        extra_compile_args=flags + extra_flags,
    )


modules = [module(m, []) for m in ("_choosing", "_core", "_games", "_moves", "_net", "_rollout", "_rows")]
modules += [module("_core_v3", v3_flags)] * (x86_64 and not plain)
modules = cythonize(modules, build_dir=None if trace else "build", compiler_directives=directives)
setup(ext_modules=modules, options={"build_ext": {"parallel": True}})
