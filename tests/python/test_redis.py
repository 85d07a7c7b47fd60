"""The client for clusters is packaged along.

What it does with a cluster is tested in tests/redis/cluster_test.py.
"""

import pytest

from tamis import redis as client


def test_shards_are_those_of_the_module():
    # The check value of CRC-16/XMODEM, which the cluster's slots use.
    assert client.crc16(b"123456789") == 0x31C3
    assert client.crc16("123456789") == client.crc16(123456789) == 0x31C3
    assert client.shard_of("123456789", 64) == 0x31C3 * 64 >> 16
    assert client.shard_of("123456789", 1) == 0


@pytest.mark.parametrize("shards", [0, -1, 16385])
def test_refuses_a_number_of_shards(shards):
    with pytest.raises(ValueError, match="1 to 16384"):
        client.ClusterFilter(None, "users", shards=shards)


def test_keys_of_a_shard_share_a_slot():
    users = client.ClusterFilter(None, "users", shards=4)
    assert [users.key(i) for i in range(4)] == [
        "{users:0}", "{users:1}", "{users:2}", "{users:3}"]
    assert users.key_of("ann") == users.key(client.shard_of("ann", 4))
