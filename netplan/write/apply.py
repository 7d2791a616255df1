"""Bringing the output directory to what the survey decided; a run cut off at any point can be completed.

Order: journal, files, deletions, manifest, end of the journal. Every file is replaced by a rename.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from netplan.model.artifact import Artifact
from netplan.write.manifest import JOURNAL, MANIFEST, TEMPORARY, journal_of
from netplan.write.survey import Changes, Survey, survey
from netplan.write.tree import WriteError, os_errors, parents

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write(
    directory: Path, artifacts: Sequence[Artifact], site: str, only: frozenset[str] | None = None
) -> Changes:
    """Make ``directory`` hold the artifacts, of the kinds in ``only`` when given, and remove stale files.

    Raises `WriteError`: before anything is written when something must not be replaced (see `compare`), or
    midway when the system fails, and then the next call completes the run. ``ValueError`` for artifact paths
    that no plan may make.
    """
    with os_errors(directory):
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise WriteError(f"{directory} is not a directory") from error
    with _locked(directory):
        found = survey(directory, artifacts, site, only)
        try:
            _apply(directory, found, site)
        except WriteError as error:
            message = (
                f"{error.message}; the files not reached are as they were, the next render completes the run"
            )
            raise WriteError(message, error.paths) from error
    return found.changes


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Hold the directory itself, so that no lock file is left behind."""
    with os_errors(directory):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise WriteError(f"another netplan is writing to {directory}") from error
        except OSError:
            # NFS locks only what is open for writing, which a directory cannot be (flock(2), "NFS details"):
            # there, one writer at a time is up to the user.
            pass
        yield
    finally:
        os.close(descriptor)


def _apply(directory: Path, found: Survey, site: str) -> None:
    changes, record = found.changes, found.record
    if not changes.pending and not record.interrupted:
        _discard_temporary(directory)
        return
    _remove(directory, TEMPORARY)
    if record.interrupted:
        _sweep(directory, record.paths())
    run = _Run(directory, whole=not record.interrupted)
    try:
        _put(directory, JOURNAL, journal_of(found.before, found.after, site), durable=True)
        run.bring(found)
    finally:  # also after an interrupt, which may arrive anywhere
        if run.whole or _has_ended(directory, found):
            _remove(directory, JOURNAL)


@dataclass(slots=True)
class _Run:
    """``whole``: the files are all as before the run, or all as after it, so there is nothing to complete."""

    directory: Path
    whole: bool

    def bring(self, found: Survey) -> None:
        changes, directory = found.changes, self.directory
        folders: set[str] = {""}
        for path in (*changes.added, *changes.changed):
            if path != MANIFEST:
                self.whole = False
                _make_folder(directory, path.rpartition("/")[0], folders)
                artifact = found.artifacts[path]
                _put(directory, path, artifact.text, executable=artifact.executable)
        for path in changes.removed:
            self.whole = False
            _remove(directory, path)
        _prune(directory, changes.removed)
        if MANIFEST not in changes.unchanged:
            self.whole = False
            _put(directory, MANIFEST, found.manifest, durable=True)
        self.whole = True


def _has_ended(directory: Path, found: Survey) -> bool:
    """Whether the manifest, which is written last, is the new one: the interrupt came just after it."""
    if MANIFEST in found.changes.unchanged:
        return False
    with suppress(OSError):
        return (directory / MANIFEST).read_bytes() == found.manifest.encode()
    return False


def _discard_temporary(directory: Path) -> None:
    """What a run that was killed left, where nothing else is to be done: also on a read-only file system."""
    with suppress(OSError):
        if os.path.lexists(directory / TEMPORARY):
            (directory / TEMPORARY).unlink()


def _sweep(directory: Path, paths: Iterable[str]) -> None:
    """Clear what a cut-off run left besides files: temporary files and folders made or emptied."""
    for folder in sorted({path.rpartition("/")[0] for path in paths}):
        _remove(directory, f"{folder}/{TEMPORARY}" if folder else TEMPORARY)
    _prune(directory, paths)


def _put(directory: Path, path: str, text: str, *, executable: bool = False, durable: bool = False) -> None:
    """Create or replace one file. ``durable``: its bytes are on the medium before it takes its name."""
    target = directory / path
    temporary = target.with_name(TEMPORARY)
    with os_errors(directory, path):
        # The kernel applies the umask, and a default ACL where the directory has one.
        descriptor = os.open(temporary, _NEW, 0o777 if executable else 0o666)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(text.encode())
                if durable:
                    stream.flush()
                    os.fsync(descriptor)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _remove(directory: Path, path: str) -> None:
    with os_errors(directory, path):
        (directory / path).unlink(missing_ok=True)


def _make_folder(directory: Path, folder: str, known: set[str]) -> None:
    if folder not in known:
        with os_errors(directory, folder):
            (directory / folder).mkdir(parents=True, exist_ok=True)
        known.add(folder)


def _prune(directory: Path, paths: Iterable[str]) -> None:
    """Remove the folders of ``paths`` that are empty, deepest first."""
    folders = {folder for path in paths for folder in parents(path)}
    for folder in sorted(folders, key=lambda folder: (-folder.count("/"), folder)):
        with os_errors(directory, folder):
            try:
                (directory / folder).rmdir()
            except FileNotFoundError:
                continue
            except OSError as error:
                # rmdir(2): either may be the answer for a folder that is not empty.
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                    raise
