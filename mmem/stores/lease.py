"""One writer at a time: a lease with the writer's pid, host and heartbeat."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from mmem.errors import StoreLocked

HEARTBEAT_S = 5.0
STALE_S = 60.0
_POLL_S = 0.2
_log = logging.getLogger("mmem")


class Lease:
    """The right to write into one memory, held while the context is open.

    A lease is stale, and taken over, when its process is gone (same host) or its heartbeat is
    older than 60 s. `wait_s` is how long to wait for another writer before StoreLocked is raised.
    """

    def __init__(self, folder: Path, *, wait_s: float = 30.0) -> None:
        self._file = folder / "writer.json"
        self._guard = FileLock(folder / ".writer.lock", timeout=10)
        self._wait_s = wait_s
        self._token = uuid.uuid4().hex
        self._done = threading.Event()
        self._beat: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._acquire()
        self._done.clear()
        self._beat = threading.Thread(target=self._keep_beating, name="mmem-lease", daemon=True)
        self._beat.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._beat is not None:
            self._beat.join()
        with self._guarded():
            if self._is_ours():
                self._file.unlink(missing_ok=True)

    def check(self) -> None:
        """Raise StoreLocked when the lease was taken over, as after a long sleep of the machine."""
        with self._guarded():
            if not self._is_ours():
                raise StoreLocked(
                    f"{self._file.parent}: another process took over writing",
                    hint="run the same command again when it is done",
                )

    def _acquire(self) -> None:
        deadline = time.monotonic() + self._wait_s
        told = False
        while True:
            with self._guarded():
                holder = self._read()
                if holder is None or _is_stale(holder):
                    self._write()
                    return
            if time.monotonic() >= deadline:
                raise StoreLocked(
                    f"{self._file.parent}: process {holder.get('pid')} on {holder.get('host')} "
                    "is writing to this memory",
                    hint="wait until it is done, or stop it; reading works meanwhile",
                )
            if not told:
                _log.warning("process %s is writing; waiting for it", holder.get("pid"))
                told = True
            time.sleep(_POLL_S)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            with self._guard:
                yield
        except Timeout as error:
            raise StoreLocked(f"{self._file.parent}: the lease file stays locked") from error

    def _read(self) -> dict[str, object] | None:
        try:
            held = json.loads(self._file.read_text())
        except FileNotFoundError:
            return None
        except ValueError:
            return {"pid": None, "host": None, "beat": 0.0}
        return held if isinstance(held, dict) else None

    def _write(self) -> None:
        held = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "token": self._token,
            "beat": time.time(),
        }
        fresh = self._file.with_suffix(f".{self._token}")
        fresh.write_text(json.dumps(held))
        fresh.replace(self._file)

    def _is_ours(self) -> bool:
        held = self._read()
        return held is not None and held.get("token") == self._token

    def _keep_beating(self) -> None:
        while not self._done.wait(HEARTBEAT_S):
            try:
                if not self._beat_once():
                    _log.warning("the writer's lease was taken over")
                    return
            except (StoreLocked, OSError) as error:
                _log.warning("the writer's heartbeat is late: %s", error)

    def _beat_once(self) -> bool:
        """Renew the lease; return whether it is still ours."""
        with self._guarded():
            if self._is_ours():
                self._write()
                return True
        return False


def _is_stale(holder: dict[str, object]) -> bool:
    beat = holder.get("beat")
    if not isinstance(beat, int | float) or time.time() - beat > STALE_S:
        return True
    pid = holder.get("pid")
    if holder.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    return not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    """Tell whether a process of this host runs; where that can't be asked, assume that it does."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
