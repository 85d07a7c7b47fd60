"""What nobody should do: still an exception, never a crash and never a hang.

Each attack runs in a process of its own, so that a crash or a hang is a failure
of its test alone.
"""

import subprocess
import sys
import textwrap

import pytest

BEGIN = """
import gc, os, pickle, random, signal, sys, threading, time
import numpy as np
import tamis
from tamis import Filter

def raises(kinds, call, *arguments):
    try:
        call(*arguments)
    except kinds as error:
        return error
    raise AssertionError("no exception")
"""

ATTACKS = {
    "objects that were never made": """
        from tamis import _core
        raises(TypeError, _core.SavedFilter.__new__, _core.SavedFilter)
        raises(TypeError, _core.FilterBase.__new__, int)
        raises(TypeError, object.__new__, Filter)
        for kind in (_core.FilterBase, Filter):
            raw = kind.__new__(kind)
            for name in dir(raw):
                if name.startswith("__") and name not in ("__contains__", "__len__"):
                    continue
                call = getattr(type(raw), name)
                for arguments in ((), (1,), ([1],), (raw,), ([1], None), (1, [2], 3)):
                    try:
                        call(raw, *arguments)
                    except Exception:
                        pass
            raises((TypeError, ValueError, BufferError, tamis.TamisError),
                   memoryview, raw)
        class Lazy(Filter):
            def __init__(self):
                pass
        raises(ValueError, Lazy().add, 1)
        """,
    "a source that uses a filter whose source uses the first": """
        class Source:
            other = None
            def members(self, low, high):
                if self.other is not None:
                    for key in range(10_000, 20_000):
                        if key in self.other:
                            self.other.report(key)
                return []
        def make():
            source = Source()
            f = Filter(keys=100, spec="tamis:f=3,members=source", source=source)
            f.update(range(100))
            return f, source
        (f, a), (g, b) = make(), make()
        a.other, b.other = g, f
        key = next(key for key in range(1000, 2000) if key in f)
        error = raises(RuntimeError, f.report, key)
        assert "its own filter" in str(error), error
        a.other = b.other = None
        assert f.contains_many(range(100)).all()
        """,
    "a source that says good-bye to its filter": """
        seen = []
        class Source:
            def members(self, low, high):
                return []
            def __del__(self):
                seen.append(raises(ValueError, len, self.filter))
        source = Source()
        f = source.filter = Filter(keys=10, adapts=True, source=source)
        del source
        f.close()
        assert len(seen) == 1
        """,
    "the garbage collector uses the filter in between": """
        f = Filter(keys=1)
        f.add(1)
        used = 0
        def use(phase, info):
            global used
            used += 1
            raises((tamis.FullError, ValueError), f.add, 2)
            f.stats()
        gc.callbacks.append(use)
        gc.set_threshold(1)
        for _ in range(300):
            raises(tamis.FullError, f.add, 3)
            raises(tamis.FullError, f.add_many, [3])
            f.stats(), f.spec, f.copy(), f.dumps()
        gc.callbacks.clear()
        assert used > 100
        """,
    "a signal handler uses the filter": """
        f = Filter(keys=1)
        f.add(1)
        def use(number, frame):
            raises((tamis.FullError, ValueError), f.add, 2)
            f.stats()
        signal.signal(signal.SIGALRM, use)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
        end = time.monotonic() + 1
        while time.monotonic() < end:
            raises(tamis.FullError, f.add, 3)
            f.stats()
        signal.setitimer(signal.ITIMER_REAL, 0)
        """,
    "keys that close the filter": """
        class Closes:
            def __index__(self):
                f.close()
                return 1
        def closes():
            yield 1
            f.close()
            yield 2
        for call in ("add", "discard", "report", "hash_of", "__contains__"):
            f = Filter(keys=10)
            raises(ValueError, getattr(f, call), Closes())
        for call in ("add_many", "contains_many", "discard_many", "report_many"):
            f = Filter(keys=10)
            raises(ValueError, getattr(f, call), [Closes()])
            f = Filter(keys=10)
            raises(ValueError, getattr(f, call), closes())
        f = Filter(keys=10)
        raises(ValueError, f.update, closes())
        """,
    "a source that closes its filter": """
        class Source:
            def members(self, low, high):
                self.filter.close()
                yield low
        source = Source()
        f = Filter(keys=100, spec="tamis:f=3,members=source", source=source)
        f.update(range(100))
        source.filter = f
        key = next(key for key in range(1000, 2000) if key in f)
        raises(RuntimeError, f.report, key)
        assert f.contains_many(range(100)).all()
        f.check()
        """,
    "offsets that change": """
        f = Filter(keys=1_000_000, spec="blocked:bits=8")
        data = bytes(1 << 16)
        good = np.arange(60_001, dtype=np.int64)
        offsets = good.copy()
        over = []
        def change():
            while not over:
                offsets[30_000:] = 1 << 60
                offsets[:] = good
        thread = threading.Thread(target=change)
        thread.start()
        end = time.monotonic() + 1
        while time.monotonic() < end:
            try:
                f.contains_many(data, offsets=offsets)
            except tamis.InvalidArgumentError:
                pass
        over.append(1)
        thread.join()
        """,
    "keys that change": """
        f = Filter(keys=100_000)
        keys = np.arange(100_000, dtype=np.uint64)
        text = np.array([b"%d" % i for i in range(20_000)])
        raw = bytearray(b"x" * 1000)
        over = []
        def change():
            while not over:
                keys[:] = np.random.randint(0, 1 << 60, len(keys))
                text[:] = b"zz"
                raw[:] = os.urandom(1000)
        thread = threading.Thread(target=change)
        thread.start()
        end = time.monotonic() + 1
        while time.monotonic() < end:
            f.contains_many(keys), f.contains_many(text), memoryview(raw) in f
        over.append(1)
        thread.join()
        raw += b"y"  # nobody holds it any more
        """,
    "daemon threads at the end": """
        class Source:
            def members(self, low, high):
                return [1 << 127]
        source = Source()
        f = Filter(keys=100_000, spec="tamis:f=5,members=source", source=source)
        keys = np.arange(100_000, dtype=np.uint64)
        f.add_many(keys[:50_000])
        def ask():
            while True:
                f.contains_many(keys)
        def report():
            while True:
                try:
                    f.report_many(keys)
                except tamis.CorruptError:
                    pass
        for work in (ask, ask, ask, report, report):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        """,
    "fork": """
        f = Filter.from_keys(range(100_000), threads=True)
        keys = np.arange(100_000)
        child = os.fork()
        if child == 0:
            f.add("child")
            os._exit(0 if f.contains_many(keys).all() and "child" in f else 1)
        f.add("parent")
        assert os.waitpid(child, 0)[1] == 0
        assert f.contains_many(keys).all()
        """,
    "a mapped file is deleted, and replaced": """
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.tamis")
            Filter.from_keys(range(1000)).save(path)
            f = Filter.load(path, map=True)
            Filter.from_keys(range(5)).save(path)
            assert f.contains_many(range(1000)).all()
            os.remove(path)
            assert f.contains_many(range(1000)).all()
            f.check()
            g = f.copy()
            f.close()
            assert g.contains_many(range(1000)).all()
        """,
    "pickles, damaged": """
        f = Filter.from_keys(range(50), spec="taf:r=8")
        good = pickle.dumps(f, protocol=5)
        chance = random.Random(1)
        outcomes = {}
        for place in list(range(120)) + chance.sample(range(len(good)), 400):
            for value in (0, 255, good[place % len(good)] ^ 1, chance.randrange(256)):
                bad = bytearray(good)
                bad[place % len(good)] = value
                try:
                    g = pickle.loads(bytes(bad))
                    if isinstance(g, Filter):
                        assert bytes(bad) == good or g.contains_many(range(50)).all()
                    outcomes["read"] = outcomes.get("read", 0) + 1
                except AssertionError:
                    raise
                except Exception as error:
                    name = type(error).__name__
                    outcomes[name] = outcomes.get(name, 0) + 1
        assert outcomes["CorruptError"] > 500, outcomes
        """,
    "subclasses": """
        class Mine(Filter):
            def add(self, key):
                super().add(key)
                self.last = key
            def _take(self, other):
                raise KeyError("mine")
        raises(KeyError, Mine, 10)
        del Mine._take
        f = Mine(keys=10)
        f.add(3)
        g = f.copy()
        assert type(g) is Mine and 3 in g
        assert type(pickle.loads(pickle.dumps(f.dumps()))) is bytes
        assert Filter.__or__(f, 5) is NotImplemented
        raises(TypeError, lambda: f | 5)
        raises(TypeError, f._merge, object())
        raises(ValueError, f._merge, f)
        f |= g
        raises(TypeError, setattr, f, "__class__", int)
        """,
    "huge numbers": """
        refused = (MemoryError, tamis.TamisError, OverflowError, ValueError)
        for keys in (1 << 62, (1 << 64) - 1, 1 << 45):
            for options in ({}, {"grows": True}, {"threads": True}, {"deletes": True},
                            {"spec": "taf:r=8"}, {"bits_per_key": 1e17}):
                raises(refused, lambda: Filter(keys=keys, **options))
        f = Filter(keys=10, adapts=True)
        f.add(1)
        raises(refused, lambda: f.report(5, members=[1], erases=(1 << 64) - 1))
        raises((*refused, TypeError), lambda: f.report(5, members=[1], erases=1 << 64))
        huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (1 << 40,), (0,))
        raises((*refused, BufferError, TypeError),
               lambda: f.add_many(huge, offsets=[0, 1 << 39]))
        raises((*refused, MemoryError), f.add_many, range(1 << 62))
        """,
}


@pytest.mark.parametrize("name", ATTACKS, ids=lambda name: name.replace(" ", "-"))
def test_attack(name):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", BEGIN + textwrap.dedent(ATTACKS[name])],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
