"""Every example in a docstring or in the guide runs, and prints what it says."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
import tamis._compare
import tamis.errors
import tamis.filter

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run(text, name):
    names = {name: getattr(tamis, name) for name in tamis.__all__}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test)
    assert runner.failures == 0, f"{name}: see the output"
    return len(test.examples)


def documented():
    yield "tamis", tamis
    yield "compare", tamis.compare
    for name in dir(tamis.Filter):
        if not name.startswith("_") or name in ("__or__", "__contains__"):
            yield f"Filter.{name}", getattr(tamis.Filter, name)
    yield "Filter", tamis.Filter


DOCUMENTED = list(documented())


@pytest.mark.parametrize("name", [name for name, _ in DOCUMENTED])
def test_docstrings(name):
    text = dict(DOCUMENTED)[name].__doc__
    assert text, f"{name} has no docstring"
    run(text, name)


def test_all_methods_speak_of_threads():
    for name, what in DOCUMENTED:
        if callable(what) and name != "Filter":
            assert "Thread safety:" in what.__doc__, name


def test_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "guide" / "python.md").read_text()
    assert run(text.replace("```", "\n"), "python.md") > 20


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda path: path.name)
def test_examples(path, tmp_path):
    done = subprocess.run(
        [sys.executable, str(path)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout
