"""Files, bytes and pickles: across processes, mapped, and damaged."""

import concurrent.futures
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tamis
from tamis import Filter


def found(f, keys):
    return int(f.contains_many(keys).sum())


def test_save_and_load(tmp_path):
    f = Filter.from_keys(range(1000), spec="taf:r=8")
    path = tmp_path / "f.tamis"
    f.save(path)
    f.save(str(path))
    for g in (Filter.load(path), Filter.load(str(path), check=False)):
        assert g.contains_many(np.arange(1000)).all()
        assert g.spec == f.spec
        assert g.seed == f.seed
        g.add(5000)


def test_mapped(tmp_path):
    f = Filter(keys=2000, fpr=0.001)
    f.update(range(1000))
    path = tmp_path / "f.tamis"
    f.save(path)
    with Filter.load(path, map=True) as g:
        assert g.contains_many(np.arange(1000)).all()
        with pytest.raises(tamis.UnsupportedError):
            g.add(1)
        h = g.copy()
    assert g.closed
    h.add(123_456)
    assert 123_456 in h


def test_damaged_file_says_where(tmp_path):
    path = tmp_path / "f.tamis"
    Filter.from_keys(range(1000)).save(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(tamis.CorruptError, match="f.tamis.*offset"):
        Filter.load(path)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol):
    f = Filter.from_keys(range(1000))
    g = pickle.loads(pickle.dumps(f, protocol=protocol))
    assert type(g) is Filter
    assert g.dumps() == f.dumps()


def test_pickles_out_of_band():
    f = Filter.from_keys(range(100_000))
    buffers = []
    small = pickle.dumps(f, protocol=5, buffer_callback=buffers.append)
    assert len(small) < 300
    assert sum(len(memoryview(b)) for b in buffers) == len(f.dumps())
    g = pickle.loads(small, buffers=buffers)
    assert g.contains_many(np.arange(100_000)).all()
    data = [bytearray(b) for b in buffers]
    assert found(pickle.loads(small, buffers=data), np.arange(1000)) == 1000
    data[0][5000] ^= 1
    with pytest.raises(tamis.CorruptError):
        pickle.loads(small, buffers=data)


def test_across_processes():
    f = Filter.from_keys(range(1000))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(found, f, np.arange(1000)).result(timeout=60) == 1000


def test_the_command_reads_them(tmp_path):
    f = Filter.from_keys(["alice", "bob"], fpr=0.0001)
    path = tmp_path / "f.tamis"
    f.save(path)
    asked = tmp_path / "asked.txt"
    asked.write_text("alice\ncarol\nbob\n")
    done = subprocess.run(
        [sys.executable, "-m", "tamis", "query", str(path), str(asked)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "alice" in done.stdout
    assert "carol" not in done.stdout
