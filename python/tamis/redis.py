"""One logical filter over a Redis cluster, on redis-py's cluster client.

    from redis.cluster import RedisCluster
    from tamis.redis import ClusterFilter

    users = ClusterFilter(RedisCluster(host="10.0.0.1"), "users")
    users.reserve(error=0.01)
    users.add_many(["ann", "bob"], replicas=1)
    users.exists("ann")

The filter is n keys, {users:0} to {users:n-1}, whose hash tags spread them over
the slots; an item belongs to the shard CRC16(item) * n >> 16.  All shards have
one seed, so that AF.HASH of an item is the same wherever it is asked for.

Commands for many items go to each node in one pipeline.  A node that has moved
or died is looked up anew and the commands are sent again; an add that was sent
twice may be counted twice, which costs a slot and is otherwise harmless.  A
delete is never sent twice: the second could take another member's entry.

Needs redis-py 4.3 or newer and nothing else: no compiled part.
"""

import secrets
import time
from binascii import crc_hqx
from collections.abc import Iterable
from typing import Any, Dict, List, Optional, Tuple, Union

from redis.exceptions import (AskError, ClusterDownError, ClusterError,
                              ConnectionError as RedisConnectionError,
                              MasterDownError, MovedError, ReadOnlyError,
                              RedisClusterException, ResponseError,
                              SlotNotCoveredError,
                              TimeoutError as RedisTimeoutError, TryAgainError)

__all__ = ["ClusterFilter", "Claim", "NotReplicated", "crc16", "shard_of"]

# What passes when the cluster has settled.
_PASSING = (AskError, ClusterDownError, ClusterError, MasterDownError,
            MovedError, ReadOnlyError, RedisClusterException,
            RedisConnectionError, RedisTimeoutError, SlotNotCoveredError,
            TryAgainError)

# An item is its bytes, those of a text in UTF-8, or of a number in decimal.
Item = Union[bytes, str, int]
_Command = Tuple[Any, ...]  # its name, its key, its other words
_Groups = List[Tuple[Any, List[int]]]  # a connection, numbers of commands


class NotReplicated(Exception):
    """Too few replicas have acknowledged a write in time."""


def _bytes(item: object) -> bytes:
    if isinstance(item, bytes):
        return item
    return str(item).encode()


def crc16(item: Item) -> int:
    """The CRC16 of the cluster's slots (XMODEM)."""
    return crc_hqx(_bytes(item), 0)


def shard_of(item: Item, shards: int) -> int:
    """The shard that an item belongs to."""
    return crc16(item) * shards >> 16


def _exchange(connection: Any, commands: List[_Command]) -> List[Any]:
    """Sends the commands in one pipeline; returns replies and errors."""
    pipeline = connection.pipeline(transaction=False)
    for words in commands:
        pipeline.execute_command(*words)
    replies: List[Any] = pipeline.execute(raise_on_error=False)
    return replies


def _exchange_once(connection: Any, commands: List[_Command]) -> List[Any]:
    """The same, but by hand: a client may be told (retry, retry_on_timeout) to
    send again by itself what was not answered in time."""
    pool = connection.connection_pool
    socket = pool.get_connection("AF.DEL")
    replies: List[Any] = []
    try:
        for words in commands:
            socket.send_command(*words)
        while len(replies) < len(commands):
            try:
                replies.append(socket.read_response())
            except ResponseError as error:
                replies.append(error)
    except BaseException:
        socket.disconnect()  # so that nobody reads what comes late
        raise
    finally:
        pool.release(socket)
    return replies


class Claim:
    """What a filter answers for an item that it may contain: where to look."""

    def __init__(self, low: int, high: int, token: int) -> None:
        self.low, self.high, self.token = low, high, token

    def __repr__(self) -> str:
        return f"Claim({self.low}, {self.high}, {self.token})"


class ClusterFilter:
    """A filter of AF.* commands over all nodes of a cluster."""

    def __init__(self, client: Any, name: str, shards: int = 64,
                 patience: float = 30.0) -> None:
        """`patience`: seconds to try again while the cluster changes."""
        if not 1 <= shards <= 16384:
            raise ValueError("shards must be 1 to 16384")
        self._client = client
        self.name = name
        self.shards = shards
        self.patience = patience
        self._newcomers: Dict[Tuple[str, int], Any] = {}

    # ---- Where things are ------------------------------------------------

    def key(self, shard: int) -> str:
        return "{%s:%d}" % (self.name, shard)

    def key_of(self, item: Item) -> str:
        return self.key(shard_of(item, self.shards))

    def _connection(self, key: str) -> Any:
        node = self._client.get_node_from_key(key)
        if node is None:
            raise SlotNotCoveredError(f"nobody has the slot of {key}")
        return self._client.get_redis_connection(node)

    def _refresh(self) -> None:
        try:
            self._client.nodes_manager.initialize()
        except _PASSING:
            pass  # the next try will tell

    # ---- Sending ---------------------------------------------------------

    def _send(self, commands: List[_Command], replicas: int = 0,
              once: bool = False) -> List[Any]:
        """Sends (key, *words) commands; returns their replies in order.

        Each node gets one pipeline.  Those that fail for the cluster's sake are
        sent again until `patience` ends; with `once`, only those that a node
        has refused."""
        replies: List[Any] = [None] * len(commands)
        left = list(range(len(commands)))
        # From a command to the node that has its key for now.
        asked: Dict[int, Any] = {}
        deadline = time.monotonic() + self.patience
        while left:
            failed: List[int] = []
            error: Optional[Exception] = None
            for connection, group in self._by_node(commands, left, asked,
                                                   failed):
                error = self._send_to(connection, commands, group, asked,
                                      replicas, replies, failed, once) or error
            left = failed
            if not left:
                break
            if time.monotonic() > deadline:
                raise error or ClusterDownError("the cluster does not answer")
            if any(number not in asked for number in left):
                time.sleep(0.05)
                self._refresh()
        return replies

    def _by_node(self, commands: List[_Command], numbers: List[int],
                 asked: Dict[int, Any], failed: List[int]) -> _Groups:
        groups: Dict[int, Tuple[Any, List[int]]] = {}
        for number in numbers:
            try:
                connection = asked.get(number)
                if connection is None:
                    connection = self._connection(commands[number][1])
            except _PASSING:
                failed.append(number)
                continue
            groups.setdefault(id(connection), (connection, []))[1].append(number)
        return list(groups.values())

    def _send_to(self, connection: Any, commands: List[_Command],
                 group: List[int], asked: Dict[int, Any], replicas: int,
                 replies: List[Any], failed: List[int],
                 once: bool) -> Optional[Exception]:
        words: List[_Command] = []
        places = []  # of each command's reply
        for number in group:
            if asked.pop(number, None) is not None:
                words.append(("ASKING",))
            places.append(len(words))
            words.append(commands[number])
        if replicas:
            words.append(("WAIT", replicas, 5000))
        problem: Optional[Exception] = None
        is_sent = False
        try:
            if once:
                connection.ping()  # a node that is dead says so here
            is_sent = True
            got = (_exchange_once if once else _exchange)(connection, words)
        except _PASSING as error:
            if once and is_sent:
                raise  # nobody knows whether it was done
            failed.extend(group)
            problem = error
            return problem
        late = replicas and (isinstance(got[-1], Exception) or
                             got[-1] < replicas)
        for number, place in zip(group, places):
            reply = got[place]
            if isinstance(reply, AskError) and not isinstance(reply, MovedError):
                asked[number] = self._at(reply)
            if isinstance(reply, Exception) and not isinstance(reply, _PASSING):
                raise reply
            if isinstance(reply, _PASSING) or late:
                failed.append(number)
                problem = (reply if isinstance(reply, Exception) else
                           NotReplicated("not acknowledged by the replicas"))
                if once and not isinstance(reply, Exception):
                    raise problem
            else:
                replies[number] = reply
        return problem

    def _at(self, ask: Any) -> Any:
        """The node that has a key while its slot is on the way."""
        node = self._client.get_node(host=ask.host, port=ask.port)
        if node is not None:
            return self._client.get_redis_connection(node)
        # One that has no slots yet is in nobody's list.
        place = (ask.host, ask.port)
        if place not in self._newcomers:
            nodes = self._client.nodes_manager
            self._newcomers[place] = nodes.create_redis_node(
                *place, **nodes.connection_kwargs)
        return self._newcomers[place]

    def _one(self, *words: Any, replicas: int = 0, once: bool = False) -> Any:
        return self._send([words], replicas, once)[0]

    def _each(self, command: str, some: Iterable[Item], replicas: int = 0
              ) -> Tuple[int, List[Tuple[List[int], Any]]]:
        """Sends `command key item...` to each shard; returns how many items
        there are, and (numbers of items, reply) of each shard."""
        items = list(some)
        shards: Dict[int, List[int]] = {}
        for number, item in enumerate(items):
            shards.setdefault(shard_of(item, self.shards), []).append(number)
        commands = [(command, self.key(shard), *(items[i] for i in numbers))
                    for shard, numbers in shards.items()]
        replies = self._send(commands, replicas)
        return len(items), list(zip(shards.values(), replies))

    # ---- The filter ------------------------------------------------------

    def reserve(self, *, error: Optional[float] = None,
                bits: Optional[int] = None, capacity: Optional[int] = None,
                memory: Optional[int] = None, algorithm: Optional[str] = None,
                seed: Optional[int] = None) -> None:
        """Makes the empty filter.  Capacity and memory are those of the whole;
        the seed is random unless given.  An error if a shard exists."""
        if seed is None:
            seed = secrets.randbits(63)
        options: List[Any] = ["SEED", seed]
        for word, value in (("ERROR", error), ("BITS", bits),
                            ("HASH", algorithm)):
            if value is not None:
                options += [word, value]
        for word, total in (("CAPACITY", capacity), ("MEMORY", memory)):
            if total is not None:
                options += [word, -(-total // self.shards)]
        self._send([("AF.RESERVE", self.key(i), "SHARD", i, "OF", self.shards,
                     *options) for i in range(self.shards)])

    def add(self, item: Item, replicas: int = 0) -> None:
        """Adds an item; with `replicas`, returns when so many have it."""
        self._one("AF.ADD", self.key_of(item), item, replicas=replicas)

    def add_many(self, items: Iterable[Item], replicas: int = 0) -> None:
        self._each("AF.MADD", items, replicas)

    def exists(self, item: Item) -> bool:
        return bool(self._one("AF.EXISTS", self.key_of(item), item))

    def exists_many(self, items: Iterable[Item]) -> List[bool]:
        """Returns a list of booleans, in the order of the items."""
        count, answers = self._each("AF.MEXISTS", items)
        found = [False] * count
        for numbers, reply in answers:
            for number, there in zip(numbers, reply):
                found[number] = bool(there)
        return found

    def delete(self, item: Item, replicas: int = 0) -> bool:
        """Deletes an item that was added; false if nothing matches.

        If the connection breaks, or too few replicas answer, nobody knows
        whether it is deleted.  Do not try again: at worst it stays a false
        positive, but to delete it twice could take another member's entry."""
        return bool(self._one("AF.DEL", self.key_of(item), item,
                              replicas=replicas, once=True))

    def hash(self, item: Item) -> int:
        """The hash for the indexed column of the database."""
        hashed: int = self._one("AF.HASH", self.key_of(item), item)
        return hashed

    def query(self, item: Item) -> Optional[Claim]:
        """None if the item is certainly absent, or a Claim: where to look."""
        answer = self._one("AF.QUERY", self.key_of(item), item)
        return None if answer is None else Claim(*answer)

    def report(self, item: Item, claim: Claim,
               members: Iterable[Item]) -> bool:
        """Tells that `item` is absent, and which members the claim's interval
        has.  Members of other shards are left out: they do not collide."""
        shard = shard_of(item, self.shards)
        mine = [m for m in members if shard_of(m, self.shards) == shard]
        return bool(self._one("AF.REPORT", self.key(shard), item, "TOKEN",
                              claim.token, "MEMBERS", *mine))

    def statistics(self) -> Dict[str, Any]:
        """Sums over all shards, and the expected rate of the whole."""
        replies = self._send([("AF.INFO", self.key(i))
                              for i in range(self.shards)])
        total: Dict[str, Any] = {
            "shards": self.shards, "items": 0, "deleted": 0, "bytes": 0,
            "capacity": 0, "expected_fpr": 0.0, "largest_shard": 0}
        for reply in replies:
            info = {_bytes(k).decode(): v
                    for k, v in zip(reply[::2], reply[1::2])}
            items = info["Number of items inserted"]
            total["items"] += items
            total["deleted"] += info["Number of items deleted"]
            total["bytes"] += info["Size"]
            total["capacity"] += info["Capacity"]
            total["largest_shard"] = max(total["largest_shard"], items)
            total["expected_fpr"] += float(
                info["Expected false positive rate"]) / self.shards
        return total

    def drop(self) -> None:
        """Deletes all shards."""
        self._send([("UNLINK", self.key(i)) for i in range(self.shards)])
