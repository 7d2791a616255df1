"""Releases of a NOS, their order, and the form of each command per release."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from netplan.records import dataclass

Key = tuple[tuple[int, int, str], ...]

_PARTS = re.compile(r"[0-9]+|[a-z]+")
_NOTHING = (0, 0, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NosRelease:
    """A release whose commands were researched, and the sources."""

    name: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NosForm:
    """``value``: what templates print from release ``since`` to ``until``, both included."""

    since: str
    until: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Releases:
    """``known``: oldest first. ``default``: the release to write for if no version is stated."""

    known: tuple[NosRelease, ...]
    default: str
    forms: Mapping[str, tuple[NosForm, ...]]

    @property
    def oldest(self) -> str:
        return self.known[0].name

    @property
    def newest(self) -> str:
        return self.known[-1].name

    def has(self, version: str) -> bool:
        """Whether it lies between the oldest and the newest release, including the newest one's maintenance
        releases."""
        return not before(version, self.oldest) and not after(version, self.newest)

    def nearest(self, version: str) -> str:
        """``version`` itself, or the end of the range that it lies beyond."""
        if before(version, self.oldest):
            return self.oldest
        return self.newest if after(version, self.newest) else version

    def resolved(self, version: str) -> dict[str, str]:
        """The value of each form at ``version``, or at the nearest release."""
        near = self.nearest(version)
        return {
            name: [form.value for form in forms if not before(near, form.since)][-1]
            for name, forms in self.forms.items()
        }

    def faults(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Errors in the data itself, with the key: order, default, and releases with no or several forms."""
        names = [release.name for release in self.known]
        for a, b in pairwise(names):
            if not before(a, b):
                yield ("releases",), f"{b} is not after {a}"
        if not self.has(self.default):
            yield ("default_release",), f"{self.default} is outside {self.oldest} to {self.newest}"
        for form, values in self.forms.items():
            for name in names:
                fit = [v for v in values if not before(name, v.since) and not after(name, v.until)]
                if len(fit) != 1:
                    yield ("forms", form), f"{len(fit)} values for release {name}, not one"


@lru_cache(maxsize=256)  # every switch looks up those of its NOS
def version_key(version: str) -> Key:
    """Numbers as numbers, words as words; a word comes after a number: 23.4R2 < 23.4R2-S3 < 23.4R3.

    So 5.9 < 5.14, 202411 < 202505, 3.8.2008 < 3.10.4100 and 10.4(3)F < 10.5(1)F.
    """
    parts = _PARTS.findall(version.lower())
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


def before(version: str, since: str) -> bool:
    """``since`` begins with its first release: 5.15 and 5.15.0 are the same."""
    one, other = version_key(version), version_key(since)
    return _filled(one, len(other)) < _filled(other, len(one))


def after(version: str, until: str) -> bool:
    """``until`` ends with its last maintenance release: 5.14.2 is not after 5.14."""
    other = version_key(until)
    return version_key(version)[: len(other)] > other


def is_release(version: str, stated: str) -> bool:
    """Whether it is the stated release, or a maintenance release of it: 5.15.0 is 5.15."""
    return not before(version, stated) and not after(version, stated)


def _filled(key: Key, length: int) -> Key:
    return key + (_NOTHING,) * (length - len(key))
