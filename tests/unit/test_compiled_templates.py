"""Compiled templates are cached, and only files of this user are loaded."""

from __future__ import annotations

import marshal
import os
import sys
from hashlib import sha256
from pathlib import Path

import jinja2
import pytest
from jinja2 import Environment

from netplan import user_cache
from netplan.render import compiled as module
from netplan.render.jinja import environment

TEXT = "mtu {{ mtu }}\n"
EVIL = compile("raise SystemExit('taken')", "evil", "exec")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "templates"


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Names of the templates that are compiled."""
    names: list[str | None] = []
    real = Environment.compile

    def counted(self, source, name=None, *more, **others):
        names.append(name)
        return real(self, source, name, *more, **others)

    monkeypatch.setattr(Environment, "compile", counted)
    return names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "one.j2").write_text(TEXT)
    return tmp_path / "templates"


def printed(folder: Path, mtu: int = 9000) -> str:
    """Output as rendered by a new process."""
    environment.cache_clear()
    return environment(folder).get_template("one.j2").render(mtu=mtu)


def kept(cache: Path) -> Path:
    (place,) = cache.iterdir()
    return place


def test_a_template_is_compiled_once(folder, compiles):
    assert [printed(folder), printed(folder, 4200)] == ["mtu 9000\n", "mtu 4200\n"]
    assert compiles == ["one.j2"]


def test_another_text_is_compiled(folder, compiles):
    printed(folder)
    (folder / "one.j2").write_text("MTU {{ mtu }}\n")
    assert printed(folder) == "MTU 9000\n"
    assert len(compiles) == 2


@pytest.mark.parametrize(
    ("where", "name", "other"),
    [(module, "__version__", "9.9"), (sys, "version", "3.99"), (jinja2, "__version__", "9.9")],
    ids=["netplan", "Python", "Jinja"],
)
def test_another_version_is_compiled(folder, compiles, monkeypatch, where, name, other):
    printed(folder)
    monkeypatch.setattr(where, name, other)
    printed(folder)
    assert len(compiles) == 2


def test_a_jinja_without_a_version_of_its_own_is_asked_of_its_package(monkeypatch):
    known = module._jinja_version()
    monkeypatch.delattr(jinja2, "__version__", raising=False)
    assert module._jinja_version() == known


@pytest.mark.parametrize("option", ["trim_blocks", "lstrip_blocks", "keep_trailing_newline"])
def test_other_options_are_another_template(folder, cache, option):
    printed(folder)
    environment.cache_clear()
    other = environment(folder)
    setattr(other, option, False)
    other.get_template("one.j2")
    assert len(list(cache.iterdir())) == 2


def harmed(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:-1])


def planted(place: Path) -> None:
    place.write_bytes(marshal.dumps(EVIL))


def no_code(place: Path) -> None:
    data = marshal.dumps([1])
    place.write_bytes(sha256(data).digest() + data)


@pytest.mark.parametrize("damage", [harmed, planted, no_code, lambda place: place.write_bytes(b"")])
def test_a_damaged_one_is_compiled_again(folder, cache, compiles, damage):
    printed(folder)
    whole = kept(cache).read_bytes()
    damage(kept(cache))
    assert printed(folder) == "mtu 9000\n"
    assert (len(compiles), kept(cache).read_bytes()) == (2, whole)


def plant(cache: Path) -> None:
    """Plant a valid cache entry, which only its owner and mode give away."""
    data = marshal.dumps(EVIL)
    kept(cache).write_bytes(sha256(data).digest() + data)


def test_what_is_kept_is_what_runs(folder, cache):
    """Otherwise the tests below would prove nothing."""
    printed(folder)
    plant(cache)
    with pytest.raises(SystemExit, match="taken"):
        printed(folder)


@pytest.mark.parametrize("step", ["", "..", "../.."], ids=["folder", "cache", "above"])
@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_a_folder_that_others_can_write_is_not_believed(folder, cache, step, mode):
    printed(folder)
    plant(cache)
    (cache / step).chmod(mode)
    assert printed(folder) == "mtu 9000\n"


def test_a_file_that_others_can_write_is_not_believed(folder, cache):
    printed(folder)
    plant(cache)
    kept(cache).chmod(0o660)
    assert printed(folder) == "mtu 9000\n"


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_in_the_cache_is_not_followed(folder, cache, tmp_path, what):
    printed(folder)
    plant(cache)
    place = {"file": kept(cache), "folder": cache}[what]
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert printed(folder) == "mtu 9000\n"


def test_a_link_of_the_user_on_the_way_is_followed_where_it_leads_to_a_safe_place(
    folder, cache, tmp_path, compiles
):
    (tmp_path / "disk").mkdir()
    (tmp_path / "cache").symlink_to(tmp_path / "disk")
    printed(folder)
    printed(folder)
    assert compiles == ["one.j2"]
    plant(cache)
    (tmp_path / "disk").chmod(0o777)
    assert printed(folder) == "mtu 9000\n"


def test_what_somebody_else_owns_is_not_believed(folder, cache, monkeypatch):
    printed(folder)
    plant(cache)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert printed(folder) == "mtu 9000\n"


def test_a_shared_folder_is_safe_with_the_sticky_bit_only(tmp_path):
    (tmp_path / "shared" / "own").mkdir(parents=True)
    (tmp_path / "shared").chmod(0o1777)
    assert user_cache.is_private(tmp_path / "shared" / "own")
    (tmp_path / "shared").chmod(0o777)
    assert not user_cache.is_private(tmp_path / "shared" / "own")


def test_no_place_is_no_cache(folder, monkeypatch, compiles):
    monkeypatch.setenv("NETPLAN_CACHE_DIR", "")
    printed(folder)
    printed(folder)
    assert len(compiles) == 2


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nowhere"])
def test_a_place_that_cannot_be_written_fails_nothing(folder, monkeypatch, place):
    monkeypatch.setenv("NETPLAN_CACHE_DIR", place)
    assert printed(folder) == "mtu 9000\n"


def test_nobody_else_can_read_or_write_it(folder, cache):
    printed(folder)
    assert [path.stat().st_mode & 0o777 for path in (cache, kept(cache))] == [0o700, 0o600]


def test_the_oldest_are_forgotten(folder, cache, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    for text in ("a", "b", "c"):
        (folder / "one.j2").write_text(text)
        printed(folder)
    assert len(list(cache.iterdir())) == 2


def test_another_run_may_clear_the_cache_meanwhile(tmp_path):
    user_cache.forget(tmp_path / "gone", 1)
