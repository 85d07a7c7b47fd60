"""tamis.compare: the command's comparison, as rows."""

import numpy as np
import pytest

import tamis


def test_rows():
    keys = np.arange(2000, dtype=np.uint64)
    queries = np.random.default_rng(1).integers(0, 10_000, 20_000, dtype=np.uint64)
    rows = tamis.compare(
        keys, queries, bits_per_key=12.6, filters=["rsqf", "blocked"], seeds=2,
        timings=False,
    )  # fmt: skip
    assert [row["fpr"] for row in rows] == sorted(row["fpr"] for row in rows)
    assert {row["filter"].partition(":")[0] for row in rows} == {"rsqf", "blocked"}
    assert all(row["bits_per_key"] <= 12.8 for row in rows)
    assert rows.recommendation
    assert rows.words


def test_text_keys_and_report(tmp_path):
    rows = tamis.compare(
        ["user%d" % n for n in range(500)],
        [b"user%d" % (n % 1500) for n in range(5000)],
        bits_per_key=14, filters="rsqf,taf", seeds=1, timings=False,
        report=tmp_path / "report",
    )  # fmt: skip
    assert len(rows) + len(rows.does_not_fit) == 2
    assert list((tmp_path / "report").glob("*.html"))
    assert rows.report == str(tmp_path / "report")


@pytest.mark.parametrize(
    "options",
    [{"filters": "nosuch"}, {"bits_per_key": -1}, {"keys_in": "disk"}, {"seeds": 0}],
    ids=str,
)
def test_wrong(options):
    with pytest.raises(tamis.InvalidArgumentError):
        tamis.compare([1], [2], **options)


def test_nothing_to_compare():
    with pytest.raises(tamis.TamisError):
        tamis.compare(np.array([], dtype=np.uint64), np.array([1], dtype=np.uint64))
    with pytest.raises(TypeError):
        tamis.compare("text", [1])
