"""Builds the Python package: the modules and libraries come from CMake.

    pip install . --no-build-isolation

carries the libraries twice, for any x86-64 and for x86-64-v3 (AVX2, BMI2); the
loader takes what the processor can run.  With TAMIS_PYTHON_BUILD_DIR they come
from that build of CMake, whatever it is made for: the tests do so, to build
nothing twice.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"^\s*VERSION ([0-9.]+)$", text, re.MULTILINE).group(1)


def settle_links(folder):
    """A wheel has no links: a library keeps the name that the loader asks for."""
    for link in [path for path in folder.rglob("*.so.*") if path.is_symlink()]:
        target = link.resolve()
        link.unlink()
        target.rename(link)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        package = Path(self.get_ext_fullpath("tamis._core")).resolve().parent
        given = os.environ.get("TAMIS_PYTHON_BUILD_DIR")
        build = Path(given or Path(self.build_temp) / "cmake").resolve()
        self.configure(build, given is not None)
        jobs = str(os.cpu_count() or 1)
        self.cmake("--build", build, "--target", "tamis_python", "-j", jobs)
        shutil.rmtree(package / "lib", ignore_errors=True)
        self.cmake("--install", build, "--component", "python", "--prefix", package)
        settle_links(package / "lib")

    def configure(self, build, exists):
        arguments = ["-S", ROOT, "-B", build, "-DTAMIS_PYTHON=ON"]
        arguments.append(f"-DPython_EXECUTABLE={sys.executable}")
        if not exists:
            if shutil.which("ninja"):
                arguments += ["-G", "Ninja"]
            arguments += [
                "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=ON",
                "-DTAMIS_DEVELOPER=OFF", "-DTAMIS_C=ON", "-DTAMIS_TOOLS=ON",
                "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_INSTALL_BINDIR=bin",
            ]  # fmt: skip
        self.cmake(*arguments)

    def cmake(self, *arguments):
        subprocess.run(["cmake", *map(str, arguments)], check=True)


setup(
    version=version(),
    ext_modules=[Extension("tamis._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
