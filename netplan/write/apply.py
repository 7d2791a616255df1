"""Brings the output directory to the state the survey decided on; a run cut off anywhere can be completed.

Order: journal, files, deletions, manifest, end of the journal. Every file is replaced by a rename.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from io import FileIO
from pathlib import Path

from netplan.counted import counted
from netplan.model.artifact import Artifact
from netplan.model.shard import Shard
from netplan.write.folders import Folders
from netplan.write.manifest import JOURNAL, MANIFEST, TEMPORARY, journal_of
from netplan.write.memory import Memory
from netplan.write.survey import Changes, Progress, Survey, survey
from netplan.write.tree import Seen, WriteError, failed, os_errors, parents

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write(
    directory: Path,
    artifacts: Sequence[Artifact],
    site: str,
    only: frozenset[str] | None = None,
    memory: Memory | None = None,
    progress: Progress = None,
    shard: Shard | None = None,
) -> Changes:
    """Write the artifacts (of the kinds in ``only``, if given) to ``directory``, and remove stale files.

    ``shard``: the part of the tree that the artifacts are; files of other parts stay. ``memory``: avoids
    reading files that did not change since, and is updated.

    Raises `WriteError`: before anything is written if something must not be replaced (see `compare`), or
    midway if the system fails; the next call then completes the run. ``ValueError`` for artifact paths that
    no plan may make.
    """
    with os_errors(directory):
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise WriteError(f"{directory} is not a directory") from error
    with _locked(directory) as handle:
        found = survey(directory, artifacts, site, only, memory, progress, shard)
        try:
            written = _apply(directory, handle, found, site, progress)
        except WriteError as error:
            message = (
                f"{error.message}; the files not reached are as they were, the next render completes the run"
            )
            raise WriteError(message, error.paths) from error
        if memory:
            memory.saw(found.seen, written)
    return found.changes


@contextmanager
def _locked(directory: Path) -> Iterator[int]:
    """A handle of the directory, which itself is the lock, so no lock file is left behind."""
    with os_errors(directory):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WriteError(f"another netplan is writing to {directory}") from error
        except OSError:
            # NFS locks only files that are open for writing, which a directory cannot be (flock(2), "NFS
            # details"): there the user has to make sure that only one run writes at a time.
            pass
        yield descriptor
    finally:
        os.close(descriptor)


def _apply(directory: Path, handle: int, found: Survey, site: str, progress: Progress) -> Mapping[str, Seen]:
    """Returns the files that were written."""
    changes, record = found.changes, found.record
    if not changes.pending and not record.interrupted:
        _discard_temporary(directory)
        return {}
    _remove(directory, TEMPORARY)
    if record.interrupted:
        _sweep(directory, record.paths())
    run = _Run(directory, Folders(directory, handle), whole=not record.interrupted)
    try:
        run.put(JOURNAL, journal_of(found.before, found.after, site), durable=True)
        run.bring(found, progress)
    finally:  # also after an interrupt, which can come at any point
        run.folders.close()
        if run.whole or _has_ended(directory, found):
            _remove(directory, JOURNAL)
    return run.written


@dataclass(slots=True)
class _Run:
    """``whole``: the files are all as before the run or all as after it, so there is nothing to complete."""

    directory: Path
    folders: Folders
    whole: bool
    written: dict[str, Seen] = field(default_factory=dict)

    def bring(self, found: Survey, progress: Progress) -> None:
        changes, directory = found.changes, self.directory
        for path in counted((*changes.added, *changes.changed), progress, "writing", "files"):
            if path != MANIFEST:
                self.whole = False
                artifact = found.artifacts[path]
                info = self.put(path, artifact.text, executable=artifact.executable)
                self.written[path] = Seen.of(found.after[path].sha256, info)
        for path in changes.removed:
            self.whole = False
            _remove(directory, path)
        _prune(directory, changes.removed)
        if MANIFEST not in changes.unchanged:
            self.whole = False
            info = self.put(MANIFEST, found.manifest, durable=True)
            self.written[MANIFEST] = Seen.of(sha256(found.manifest.encode()).hexdigest(), info)
        self.whole = True

    def put(self, path: str, text: str, *, executable: bool = False, durable: bool = False) -> os.stat_result:
        """Create or replace a file. ``durable``: sync its content before the rename."""
        folder, _, name = path.rpartition("/")
        mode = 0o777 if executable else 0o666  # minus the umask, or as a default ACL of the directory says
        try:
            at = self.folders.handle(folder)
            descriptor = os.open(TEMPORARY, _NEW, mode, dir_fd=at)
            try:
                with FileIO(descriptor, "wb") as stream:
                    _write_all(stream, text.encode())
                    if durable:
                        os.fsync(descriptor)
                os.replace(TEMPORARY, name, src_dir_fd=at, dst_dir_fd=at)
                return os.stat(name, dir_fd=at, follow_symlinks=False)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(TEMPORARY, dir_fd=at)
                raise
        except OSError as error:
            raise failed(self.directory, path, error) from error


def _write_all(stream: FileIO, data: bytes) -> None:
    """write(2) takes at most 2 GiB, and less if the medium is full: the next call then reports that."""
    written = stream.write(data)
    while written < len(data):
        written += stream.write(data[written:])


def _has_ended(directory: Path, found: Survey) -> bool:
    """Whether the manifest, which is written last, is the new one: the interrupt came right after it."""
    if MANIFEST in found.changes.unchanged:
        return False
    with suppress(OSError):
        return (directory / MANIFEST).read_bytes() == found.manifest.encode()
    return False


def _discard_temporary(directory: Path) -> None:
    """Removes leftovers of a killed run if nothing else is to do; does not fail on a read-only file
    system."""
    with suppress(OSError):
        if os.path.lexists(directory / TEMPORARY):
            (directory / TEMPORARY).unlink()


def _sweep(directory: Path, paths: Iterable[str]) -> None:
    """Remove what else a cut-off run left: temporary files, and folders it created or emptied."""
    for folder in sorted({path.rpartition("/")[0] for path in paths}):
        _remove(directory, f"{folder}/{TEMPORARY}" if folder else TEMPORARY)
    _prune(directory, paths)


def _remove(directory: Path, path: str) -> None:
    with os_errors(directory, path):
        (directory / path).unlink(missing_ok=True)


def _prune(directory: Path, paths: Iterable[str]) -> None:
    """Remove empty folders of ``paths``, deepest first."""
    folders = {folder for path in paths for folder in parents(path)}
    for folder in sorted(folders, key=lambda folder: (-folder.count("/"), folder)):
        with os_errors(directory, folder):
            try:
                (directory / folder).rmdir()
            except FileNotFoundError:
                continue
            except OSError as error:
                # rmdir(2): both can be the error for a folder that is not empty.
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
