"""RESTORE of damaged payloads, with right checksums: an error, never a crash.

A payload is  type | module id | pieces | end | RDB version | CRC64.  The CRC is
computed anew after each change, so that the module's own checks are reached.
Chunks are forged with their own checksums right, so that the filter's are.
"""

import os
import random
import unittest

from redis.exceptions import ResponseError

from bloom_test import Case, chunks_of

CHANGES = int(os.environ.get("TAMIS_FUZZ_CHANGES", "3000"))


def make_table():
    """CRC-64 of the server: Jones, reflected, from 0."""
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x95ac9329ac4bc9b5 if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = make_table()


def crc64(data):
    crc = 0
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xff] ^ crc >> 8
    return crc


def seal(body):
    """Adds the checksum that RESTORE looks at."""
    return bytes(body) + crc64(body).to_bytes(8, "little")


class FuzzTest(Case):

    def damage(self, generator, body):
        body = bytearray(body)
        kind = generator.randrange(4)
        at = generator.randrange(1, len(body) - 2)
        if kind == 0:
            body[at] ^= 1 << generator.randrange(8)
        elif kind == 1:
            body[at] = generator.choice((0, 0xff, 0x80, 0x7f, 1))
        elif kind == 2:
            del body[at:at + generator.randrange(1, 40)]
        else:
            body[at:at] = generator.randbytes(generator.randrange(1, 12))
        return body

    def test_crc_is_the_servers(self):
        self.run_command("BF.ADD", "f", "x")
        data = self.client.dump("f")
        self.assertEqual(seal(data[:-8]), data)

    def test_restore(self):
        generator = random.Random(1)
        self.run_command("AF.RESERVE", "AF", "BITS", 4, "CAPACITY", 16)
        for i in range(3):
            self.run_command("BF.ADD", "BF", i)
            self.run_command("CF.INSERT", "CF", "ITEMS", *([i] * 12))
            self.run_command("AF.ADD", "AF", i)
        self.run_command("BF.RESERVE", "reserved", 0.1, 4096)
        self.run_command("BF.MADD", "reserved", *range(3000))
        refused = 0
        for key in ("BF", "CF", "AF", "reserved"):
            body = self.client.dump(key)[:-8]
            key = key if len(key) == 2 else "BF"
            for _ in range(CHANGES // 4):
                try:
                    self.client.restore("x", 0, seal(self.damage(
                        generator, body)), replace=True)
                    self.use(key)
                except ResponseError:
                    refused += 1
        self.assertGreater(refused, CHANGES * 9 // 10)
        self.assertTrue(self.client.ping())
        print(f"fuzz: {CHANGES} damaged payloads, {refused} refused, "
              "the others still a filter")

    def use(self, family):
        """What was accepted must work."""
        if not self.client.exists("x"):
            return
        items = [str(i) for i in range(50)]
        self.run_command(family + ".INFO", "x")
        if family == "CF":
            self.run_command("CF.INSERT", "x", "ITEMS", *items)
        else:
            self.run_command(family + ".MADD", "x", *items)
        self.assertEqual(
            sum(self.run_command(family + ".MEXISTS", "x", *items)), 50)

    def test_forged_chunks(self):
        """Chunks whose own checksums are right, of contents that are not."""
        generator = random.Random(2)
        self.run_command("AF.RESERVE", "AF", "BITS", 4, "CAPACITY", 16)
        self.run_command("AF.MADD", "AF", *range(200))
        self.run_command("BF.MADD", "BF", *range(200))
        self.run_command("CF.INSERT", "CF", "ITEMS", *range(200), *[7] * 20)
        accepted = 0
        for family, dump, load in (("BF", "BF.SCANDUMP", "BF.LOADCHUNK"),
                                   ("CF", "CF.SCANDUMP", "CF.LOADCHUNK"),
                                   ("AF", "AF.DUMP", "AF.LOAD")):
            chunks = chunks_of(self.client, family, dump)
            for _ in range(CHANGES // 6):
                self.client.delete("x")
                try:
                    for position, chunk in self.forged(generator, chunks):
                        self.run_command(load, "x", position, chunk)
                    self.use(family)
                    accepted += 1
                except ResponseError:
                    pass
        self.assertTrue(self.client.ping())
        print(f"fuzz: {CHANGES // 2} forged dumps, {accepted} accepted")

    def forged(self, generator, chunks):
        """A header and its chunk, one of them damaged, with right checksums."""
        seal = Checksum(self).seal
        (first, header), (second, chunk) = chunks
        if generator.random() < 0.5:
            return (first, header), (second, seal(
                self.damage(generator, chunk[:-8])))
        header = seal(self.damage(generator, header[:-8]))
        # The chunk names the header that it belongs to.
        return (first, header), (second, seal(
            chunk[:4] + header[-8:] + chunk[12:-8]))

    def test_errors_of_forged_chunks(self):
        """What only chunks with a right checksum can be told."""
        xxh3 = Checksum(self)
        self.run_command("BF.MADD", "f", *range(200))
        (first, header), (second, chunk) = chunks_of(self.client, "f")
        self.run_command("BF.LOADCHUNK", "x", first, header)
        self.fails("invalid chunk - Too big for current filter",
                   "BF.LOADCHUNK", "x", second, xxh3.seal(chunk[:-8] + b"more"))
        # Nothing has changed: the right one is still the next.
        self.run_command("BF.LOADCHUNK", "x", second, chunk)
        self.assertEqual(
            sum(self.run_command("BF.MEXISTS", "x", *range(200))), 200)
        self.run_command("CF.INSERT", "g", "ITEMS", *range(200))
        (first, header), (second, chunk) = chunks_of(self.client, "g",
                                                     "CF.SCANDUMP")
        self.run_command("CF.LOADCHUNK", "y", first, header)
        body = bytearray(chunk[:-8])
        body[20:] = b"\xff" * (len(body) - 20)
        self.fails("Couldn't create filter!", "CF.LOADCHUNK", "y", second,
                   xxh3.seal(body))
        self.run_command("CF.LOADCHUNK", "y", second, chunk)
        self.assertEqual(
            sum(self.run_command("CF.MEXISTS", "y", *range(200))), 200)


class Checksum:
    """The module's checksum: the low half of XXH3-128."""

    def __init__(self, case):
        import ctypes  # pylint: disable=import-outside-toplevel
        self.library = None
        for name in ("libxxhash.so.0", "libxxhash.so"):
            try:
                self.library = ctypes.CDLL(name)
                break
            except OSError:
                continue
        if self.library is None:
            case.skipTest("no libxxhash")

        class Hash128(ctypes.Structure):
            _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]

        self.function = self.library.XXH3_128bits
        self.function.restype = Hash128
        self.function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]

    def seal(self, body):
        body = bytes(body)
        return body + self.function(body, len(body)).low.to_bytes(8, "little")


if __name__ == "__main__":
    unittest.main()
