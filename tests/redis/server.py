"""Servers for the tests: on loopback, on free ports, in folders of their own.

TAMIS_MODULE names the module, TAMIS_PRELOAD what the server must preload (the
sanitizer's library), TAMIS_FOLDER where data goes.  Every server that is
started is stopped at exit, by its own process id.
"""

import atexit
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import redis

MODULE = os.environ["TAMIS_MODULE"]
PRELOAD = os.environ.get("TAMIS_PRELOAD", "")
FOLDER = os.environ.get("TAMIS_FOLDER", tempfile.gettempdir())

_running = []


def free_port():
    """Returns a port that is free now; its cluster bus port is free, too.

    Both below those that the system gives to clients (32768 and more): a client
    that asks for one of these before the server is there can meet itself."""
    for _ in range(200):
        port = random.SystemRandom().randrange(10000, 22000)
        try:
            for number in (port, port + 10000):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", number))
        except OSError:
            continue
        return port
    raise RuntimeError("no free port")


class Server:
    """A server with the module; options are those of its command line."""

    def __init__(self, *options, module=(), start=True):
        self.folder = tempfile.mkdtemp(prefix="redis-", dir=FOLDER)
        self.options = list(options)
        self.module = [str(word) for word in module]
        self.port = free_port()
        self.process = None
        if start:
            self.start()

    def command(self):
        return [
            "redis-server", "--port", str(self.port), "--bind", "127.0.0.1",
            "--dir", self.folder, "--logfile", "log", "--save", "",
            "--enable-debug-command", "local", "--repl-diskless-sync-delay", "0",
            *self.options, "--loadmodule", MODULE, *self.module]

    def start(self, seconds=240):
        environment = dict(os.environ)
        if PRELOAD:
            environment["LD_PRELOAD"] = PRELOAD
            environment["ASAN_OPTIONS"] = "detect_leaks=0:log_path=asan"
        self.process = subprocess.Popen(
            self.command(), env=environment, cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        _running.append(self)
        deadline = time.time() + seconds
        while time.time() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError("the server ended:\n" + self.log())
            try:
                client = self.client()
                answers = client.ping()
                client.close()
                if answers:
                    return
            except redis.exceptions.RedisError:
                time.sleep(0.02)
        raise RuntimeError("the server does not answer:\n" + self.log())

    def client(self, **options):
        return redis.Redis(port=self.port, socket_timeout=120, **options)

    def log(self):
        path = os.path.join(self.folder, "log")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()[-4000:]

    def _reap(self):
        self.process.wait(timeout=60)
        self.process = None
        if self in _running:
            _running.remove(self)
        for name in os.listdir(self.folder):
            if name.startswith("asan."):
                with open(os.path.join(self.folder, name)) as file:
                    raise AssertionError("sanitizer:\n" + file.read()[:6000])

    def kill(self):
        """kill -9."""
        self.process.kill()
        self._reap()

    def stop(self):
        """Stops it as an operator would, without saving."""
        if self.process is None:
            return
        if self.process.poll() is not None:
            log = self.log()
            self._reap()
            raise AssertionError("the server ended by itself:\n" + log)
        self.process.send_signal(signal.SIGTERM)
        self._reap()

    def restart(self):
        """Saves if it has no AOF, stops, starts again."""
        if "--appendonly" not in self.options:
            self.client().execute_command("SAVE")
        self.stop()
        self.start()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def wait_for(condition, seconds=60, what="a condition"):
    """Waits until condition() is true."""
    deadline = time.time() + seconds
    while time.time() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited too long for " + what)


def follow(replica, master):
    """Makes one server a replica of another, and waits until it is one."""
    replica.client().execute_command("REPLICAOF", "127.0.0.1", master.port)
    catch_up(replica, master)


def catch_up(replica, master):
    """Waits until the replica has all that the master has."""
    source, copy = master.client(), replica.client()

    def same():
        there = copy.info("replication")
        return (there.get("master_link_status") == "up" and
                source.info("replication")["master_repl_offset"] ==
                there["slave_repl_offset"])

    wait_for(same, what="a replica")


@atexit.register
def _stop_all():
    for server in list(_running):
        if server.process is not None and server.process.poll() is None:
            server.process.kill()
            server.process.wait()
