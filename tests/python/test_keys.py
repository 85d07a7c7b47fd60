"""Keys: the same in every language, however they are given."""

import json
from pathlib import Path

import numpy as np
import pytest

from tamis import Filter

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "keys.tsv"
READ = {"bytes": bytes.fromhex, "text": json.loads, "u64": int}


def vectors():
    for line in VECTORS.read_text().splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def test_vectors():
    count = 0
    for algorithm, low, high, form, key, data, hashed in vectors():
        seed = int(high, 16) << 64 | int(low, 16)
        f = Filter(keys=1, seed=seed, hasher=algorithm)
        read = READ[form](key)
        for same in (read, bytes.fromhex(data), memoryview(bytes.fromhex(data))):
            assert f.hash_of(same) == int(hashed, 16)
        count += 1
    assert count > 100


def test_forms_of_one_key():
    f = Filter(keys=100)
    f.add("caf\u00e9")
    same = "caf\u00e9".encode()
    for key in (same, bytearray(same), memoryview(same), memoryview(b"x" + same)[1:]):
        assert key in f
    f.add(258)
    for key in (np.uint64(258), np.int32(258), b"\x02\x01" + bytes(6)):
        assert key in f
    assert "258" not in f


def test_batches_agree():
    keys = [b"ab", b"c", b"def", b"", b"\x00x"]
    data = b"".join(keys)
    offsets = np.cumsum([0] + [len(key) for key in keys])
    batches = [
        (keys, None),
        (tuple(keys), None),
        (iter(keys), None),
        (np.array(keys), None),
        (np.array(keys, dtype="S40"), None),
        (np.array(keys, dtype=object), None),
        (data, offsets.astype(np.int32)),
        (data, offsets.astype(np.int64)),
        (bytearray(data), offsets.astype(np.uint16)),
        (np.frombuffer(data, np.uint8), list(offsets)),
        (memoryview(data), offsets.astype(">i4")),
    ]
    for batch, cut in batches:
        f = Filter(keys=100, fpr=1e-6)
        f.add_many(batch, offsets=cut)
        assert len(f) == 5
        assert all(key in f for key in keys)
        for other, other_cut in batches[:2] + batches[3:]:
            assert f.contains_many(other, offsets=other_cut).all()


def test_integers_of_all_types():
    wanted = [0, 1, 2, 100]
    for kind in "u1 u2 u4 u8 i1 i2 i4 i8 >u8 <u4 >i2".split():
        f = Filter(keys=10, fpr=1e-6)
        f.add_many(np.array(wanted, dtype=kind))
        assert all(key in f for key in wanted)
        assert f.contains_many(wanted).tolist() == [True] * 4


def test_strided_and_unaligned():
    every = np.arange(20_000, dtype=np.uint64)
    f = Filter.from_keys(every[::2], fpr=1e-4)
    answers = f.contains_many(every)
    assert answers[::2].all()
    assert answers[1::2].mean() < 0.01
    assert f.contains_many(every[::-1][1::2]).all()
    raw = np.frombuffer(b"x" + every.tobytes(), dtype=np.uint8)[1:]
    assert (f.contains_many(raw.view(np.uint64)) == answers).all()
    two = np.stack([every, every], axis=1)
    assert (f.contains_many(two[:, 0]) == answers).all()


def test_trailing_zeros_are_lost_in_s_arrays():
    f = Filter(keys=10, fpr=1e-6)
    f.add_many(np.array([b"a\0\0"]))
    assert b"a" in f
    assert b"a\0\0" not in f


def test_strings_and_mixed():
    f = Filter(keys=100, fpr=1e-6)
    f.add_many(["a", b"b", 3, memoryview(b"d"), np.uint8(7), bytearray(b"f")])
    assert f.contains_many([b"a", "b", 3, "d", 7, "f"]).all()
    f.add_many(np.array(["u1", "\u00fc"]))
    assert "\u00fc" in f
    f.add_many({"set": 1, "of keys": 2}.keys())
    assert "of keys" in f


def test_empty_batches():
    f = Filter(keys=10, deletes=True)
    for empty in ([], (), np.array([], dtype=np.uint64), np.array([], dtype="S3")):
        f.add_many(empty)
        f.discard_many(empty)
        answers = f.contains_many(empty)
        assert answers.dtype == bool
        assert len(answers) == 0
    f.add_many(b"", offsets=[0])
    assert len(f) == 0


def test_large_keys():
    f = Filter(keys=10, fpr=1e-6)
    key = bytes(1 << 20)
    f.add(key)
    assert key in f
    assert key[1:] not in f


def test_two_gigabytes_long():
    f = Filter(keys=10, fpr=1e-6)
    key = bytearray((1 << 31) + 1)
    f.add(key)
    f.add_many([memoryview(key)[: 1 << 31]])
    assert memoryview(key)[: 1 << 31] in f
    assert memoryview(key)[1 : 1 << 31] not in f
    assert f.contains_many(key, offsets=[0, 1 << 31, len(key)])[0]


@pytest.mark.parametrize("key", [-1, 1 << 64, -(1 << 200), np.int64(-5)])
def test_integers_out_of_range(key):
    f = Filter(keys=10, deletes=True)
    with pytest.raises(OverflowError):
        f.add(key)
    with pytest.raises(OverflowError):
        key in f  # noqa: B015
    with pytest.raises(OverflowError):
        f.add_many([1, key])
    assert len(f) == 0
