#!/usr/bin/env python3
"""A reader of rsqf files in another language, written from the format page.

usage: reader_test.py GOLDEN_FOLDER

Reads docs/format/filter_file.md's promises literally, and shares no code with
the library but XXH3 (libxxhash).  Holds itself to GOLDEN_FOLDER/vectors.txt.
"""

import ctypes
import pathlib
import struct
import sys


class Pair(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


XXHASH = ctypes.CDLL("libxxhash.so.0")
XXHASH.XXH3_128bits_withSeed.restype = Pair
XXHASH.XXH3_128bits_withSeed.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
WORD = (1 << 64) - 1


def xxh3(data, seed):
    pair = XXHASH.XXH3_128bits_withSeed(data, len(data), seed)
    return pair.high << 64 | pair.low


def checksum(data):
    return XXHASH.XXH3_64bits(bytes(data), len(data))


def siphash(data, key):
    """SipHash-2-4 with 128 bits of output."""
    k0, k1 = key
    v = [k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d ^ 0xee,
         k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573]

    def turn(x, by):
        return (x << by | x >> (64 - by)) & WORD

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & WORD
            v[2] = (v[2] + v[3]) & WORD
            v[1] = turn(v[1], 13) ^ v[0]
            v[3] = turn(v[3], 16) ^ v[2]
            v[0] = turn(v[0], 32)
            v[2] = (v[2] + v[1]) & WORD
            v[0] = (v[0] + v[3]) & WORD
            v[1] = turn(v[1], 17) ^ v[2]
            v[3] = turn(v[3], 21) ^ v[0]
            v[2] = turn(v[2], 32)

    whole = len(data) // 8 * 8
    last = data[whole:].ljust(7, b"\0") + bytes([len(data) & 0xff])
    for at in range(0, whole + 8, 8):
        piece = last if at == whole else data[at:at + 8]
        word = int.from_bytes(piece, "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xee
    rounds(4)
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xdd
    rounds(4)
    return first << 64 | v[0] ^ v[1] ^ v[2] ^ v[3]


def hash_key(algorithm, seed, key):
    return xxh3(key, seed[0]) if algorithm == 1 else siphash(key, seed)


def extend(key_hash, index):
    return xxh3(key_hash.to_bytes(16, "little"), index)


def home_of(key_hash, homes):
    return key_hash * homes >> 128


def string_of(key_hash, homes, begin, count):
    """Bits [begin, begin + count) of the string, the first the top one."""
    fresh = 128 - (homes - 1).bit_length()
    fraction = key_hash * homes & ((1 << 128) - 1)
    bits, size = fraction >> (128 - fresh), fresh
    index = 0
    while size < begin + count:
        bits, size = bits << 128 | extend(key_hash, index), size + 128
        index += 1
    return bits >> (size - begin - count) & ((1 << count) - 1)


class File:
    """The container: spec, numbers and sections, all checked."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        assert data[:6] == b"TAMIS\0"
        (version, length, header) = struct.unpack_from("<HQI", data, 6)
        assert version == 2 and length == len(data)
        assert struct.unpack_from("<Q", data, header - 8)[0] == \
            checksum(data[:header - 8])
        numbers, sections = struct.unpack_from("<II", data, 24)
        self.seed = struct.unpack_from("<QQ", data, 32)
        self.algorithm = data[48]
        size = struct.unpack_from("<H", data, 50)[0]
        self.spec = data[64:64 + size].decode()
        at = 64 + size
        self.numbers, self.sections = {}, {}
        for _ in range(numbers):
            name, at = self._name(data, at)
            self.numbers[name] = struct.unpack_from("<Q", data, at)[0]
            at += 8
        for _ in range(sections):
            name, at = self._name(data, at)
            offset, size, expected = struct.unpack_from("<QQQ", data, at)
            at += 24
            self.sections[name] = data[offset:offset + size]
            assert checksum(self.sections[name]) == expected

    @staticmethod
    def _name(data, at):
        size = data[at]
        return data[at + 1:at + 1 + size].decode(), at + 1 + size


class Rsqf:
    """All runs of an rsqf file, found from its bit vectors alone."""

    def __init__(self, path):
        self.file = File(path)
        kind, _, parameters = self.file.spec.partition(":")
        assert kind == "rsqf" and parameters.startswith("r=")
        self.width = int(parameters[2:])
        self.homes = self.file.numbers["slots"]
        self.runs = self._runs()
        assert sum(map(len, self.runs.values())) == self.file.numbers["size"]

    def _runs(self):
        width = self.width
        slots = min(64, 504 // (width + 2))
        occupied, ends, values = [], [], []
        lines = self.file.sections["lines"]
        for at in range(0, len(lines), 64):
            line = int.from_bytes(lines[at:at + 64], "little")
            first = 512 - slots * width
            for i in range(slots):
                occupied.append(line >> i & 1)
                ends.append(line >> (slots + i) & 1)
                values.append(line >> (first + i * width) & ((1 << width) - 1))
        runs, limit = {}, 0
        for home in (i for i, bit in enumerate(occupied) if bit):
            begin = max(home, limit)
            limit = ends.index(1, begin) + 1
            runs[home] = values[begin:limit]
        return runs

    def may_contain(self, key):
        key_hash = hash_key(self.file.algorithm, self.file.seed, key)
        run = self.runs.get(home_of(key_hash, self.homes), [])
        return string_of(key_hash, self.homes, 0, self.width) in run


def check_hash(algorithm, low, high, key, expected):
    number = {"xxh3": 1, "siphash": 2}[algorithm]
    seed = (int(low, 16), int(high, 16))
    return hash_key(number, seed, bytes.fromhex(key)) == int(expected, 16)


def check_answers(golden, path, count, expected):
    rsqf = Rsqf(golden / path)
    keys = [key.to_bytes(8, "little") for key in range(int(count))]
    members = keys[:rsqf.file.numbers["size"]]
    return (all(map(rsqf.may_contain, members))
            and sum(map(rsqf.may_contain, keys)) == int(expected))


def check(golden, line):
    what, *rest = line.split()
    if what == "hash":
        return check_hash(*rest)
    if what == "answers":
        return check_answers(golden, *rest)
    key_hash = int(rest[0], 16)
    if what == "extend":
        return extend(key_hash, int(rest[1])) == int(rest[2], 16)
    if what == "place":
        return home_of(key_hash, int(rest[1])) == int(rest[2])
    homes, begin, count = map(int, rest[1:4])
    return string_of(key_hash, homes, begin, count) == int(rest[4], 16)


def main():
    golden = pathlib.Path(sys.argv[1])
    lines = [line for line in (golden / "vectors.txt").read_text().splitlines()
             if not line.startswith("#")]
    wrong = [line for line in lines if not check(golden, line)]
    for line in wrong:
        print("differs:", line)
    print(f"{len(lines) - len(wrong)} of {len(lines)} vectors agree")
    return 1 if wrong or len(lines) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
