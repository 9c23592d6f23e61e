"""What every body of the store must keep; here: a local folder."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import lancedb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmem.errors import ConfigError, ModelMismatch, StoreDamaged, StoreLocked
from mmem.ports import VectorSpace
from mmem.schemas import Outcome
from mmem.stores.layout import create
from mmem.stores.lease import Lease
from mmem.stores.library import Library
from mmem.stores.tables import CONTENT_SCHEMAS, create_table, open_table, quoted

SPACE = VectorSpace("test", "model", "1", 16, "mean", "none")


def _race(folder: str, name: str, start: float) -> None:
    """Upsert the same 500 ids, five times, as one of six processes."""
    table = open_table(lancedb.connect(folder), name)
    time.sleep(max(0.0, start - time.time()))
    for _ in range(5):
        table.upsert(
            [
                {"id": f"x{n}", "source_id": "s", "kind": "turn", "ordinal": n, "body": "{}"}
                for n in range(500)
            ]
        )


def test_six_writers_of_the_same_ids_make_no_duplicate(tmp_path: Path) -> None:
    """Law: a row is written by id, so a task may run twice, even at once."""
    create_table(lancedb.connect(tmp_path), "atoms", CONTENT_SCHEMAS["atoms"])
    context = multiprocessing.get_context("spawn")
    start = time.time() + 3.0
    writers = [
        context.Process(target=_race, args=(str(tmp_path), "atoms", start)) for _ in range(6)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 6
    ids = open_table(lancedb.connect(tmp_path), "atoms").read(["id"])["id"].to_pylist()
    assert sorted(ids) == sorted({f"x{n}" for n in range(500)})


@given(st.text())
def test_a_quoted_value_is_data(value: str) -> None:
    """Law: no text of a file can leave its place in a filter."""
    literal = quoted(value)
    inner = literal[1:-1]
    assert literal[0] == literal[-1] == "'"
    assert inner.replace("''", "") == value.replace("'", "")


def test_a_filter_finds_exactly_the_odd_value(tmp_path: Path) -> None:
    """Law: ids with quotes, semicolons and SQL in them are found, and only they."""
    table = create_table(lancedb.connect(tmp_path), "meta", CONTENT_SCHEMAS["sources"])
    odd = ["O'Neil", "'; DROP TABLE x; --", "a\\'b", "x' OR '1'='1", "雪"]
    table.upsert([{"id": value, "body": value} for value in [*odd, "plain"]])
    for value in odd:
        assert table.read_ids([value])["body"].to_pylist() == [value]
    table.delete_ids(odd)
    assert table.read(["id"])["id"].to_pylist() == ["plain"]


def test_creating_twice_changes_nothing(tmp_path: Path) -> None:
    """Law: `init` happens once."""
    create(tmp_path, SPACE)
    first = Library.open(tmp_path, SPACE)
    first.put_outcomes([Outcome(source_id="s", stage="read", status="ok")])
    versions = first.versions()
    create(tmp_path, SPACE)
    again = Library.open(tmp_path, SPACE)
    assert again.versions() == versions
    assert [o.source_id for o in again.outcomes()] == ["s"]


def test_opening_nothing_says_what_to_do(tmp_path: Path) -> None:
    """Law: a reader never makes a memory."""
    with pytest.raises(ConfigError, match="no memory at"):
        Library.open(tmp_path / "none", SPACE)
    assert not (tmp_path / "none").exists()


def test_another_vector_space_is_refused(tmp_path: Path) -> None:
    """Law: vectors of two models are never compared."""
    create(tmp_path, SPACE)
    other = VectorSpace("test", "model", "2", 16, "mean", "none")
    with pytest.raises(ModelMismatch, match="model"):
        Library.open(tmp_path, other)


def test_a_newer_layout_is_refused(tmp_path: Path) -> None:
    """Law: what a newer mmem wrote is not read wrongly."""
    create(tmp_path, SPACE)
    open_table(lancedb.connect(tmp_path / "tables"), "meta").upsert(
        [{"id": "layout", "value": "99"}]
    )
    with pytest.raises(StoreDamaged, match="99"):
        Library.open(tmp_path, SPACE)


def test_an_older_layout_gets_its_tables_by_the_next_writer(tmp_path: Path) -> None:
    """Law: a reader says what to do and writes nothing; a writer adds what is missing."""
    create(tmp_path, SPACE)
    connection = lancedb.connect(tmp_path / "tables")
    for name in ("frames", "facts"):
        connection.drop_table(name)
    open_table(connection, "meta").upsert([{"id": "layout", "value": "1"}])
    with pytest.raises(StoreDamaged, match="layout 1") as error:
        Library.open(tmp_path, SPACE)
    assert "mmem retry" in error.value.hint
    create(tmp_path, SPACE)
    assert Library.open(tmp_path, SPACE).facts(["nobody"]) == []


def test_reading_writes_nothing(tmp_path: Path) -> None:
    """Law: opening and reading leave every file of the memory as it was."""
    create(tmp_path, SPACE)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()}
    library = Library.open(tmp_path, SPACE)
    library.sources(), library.outcomes(), library.state_digest(), library.sizes()
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*") if p.is_file()} == before


def test_rewriting_drops_older_versions_and_keeps_rows(tmp_path: Path) -> None:
    """Law: after a rewrite deleted rows are in no version, and the rest is unchanged."""
    table = create_table(lancedb.connect(tmp_path), "sources", CONTENT_SCHEMAS["sources"])
    table.upsert([{"id": str(n), "body": f"body {n}"} for n in range(20)])
    table.delete_ids(["7"])
    reader = open_table(lancedb.connect(tmp_path), "sources")
    reader.count()
    table.rewrite()
    assert table.older_versions() == 0
    assert sorted(reader.read()["id"].to_pylist(), key=int) == [str(n) for n in range(20) if n != 7]
    assert table.schema.field("id").metadata == CONTENT_SCHEMAS["sources"].field("id").metadata


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """Law: a second writer is refused clearly, and gets its turn afterwards."""
    with Lease(tmp_path), pytest.raises(StoreLocked, match=f"process {os.getpid()}"):
        Lease(tmp_path, wait_s=0.3).__enter__()
    with Lease(tmp_path, wait_s=0.3) as lease:
        lease.check()


def test_a_waiting_writer_gets_the_lease(tmp_path: Path) -> None:
    """Law: a writer that waits goes on as soon as the first is done."""
    code = (
        "import sys, time; from pathlib import Path; from mmem.stores.lease import Lease\n"
        "with Lease(Path(sys.argv[1])): print('held', flush=True); time.sleep(1.5)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    with Lease(tmp_path, wait_s=20.0):
        assert child.wait() == 0
    child.stdout.close()


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_the_lease_of_a_killed_writer_is_taken_over(tmp_path: Path) -> None:
    """Law: a stale lease needs no hand to remove it."""
    code = (
        "import sys, time; from pathlib import Path; from mmem.stores.lease import Lease\n"
        "Lease(Path(sys.argv[1])).__enter__(); print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with Lease(tmp_path, wait_s=0.5) as lease:
        lease.check()


def test_a_lease_that_was_taken_over_is_noticed(tmp_path: Path) -> None:
    """Law: a writer that slept through its lease stops instead of writing beside another."""
    with Lease(tmp_path) as lease:
        file = tmp_path / "writer.json"
        held = json.loads(file.read_text())
        file.write_text(json.dumps({**held, "token": "someone else"}))
        with pytest.raises(StoreLocked, match="took over"):
            lease.check()
