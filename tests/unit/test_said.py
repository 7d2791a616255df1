"""Small edits of files: the findings about each, with place and values, are as recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.said import Row, chained, config_db, hosted, inventories, objects, rows, switched, traced, written

JUDGES: Mapping[str, Callable[[Row], tuple[str, ...]]] = {
    "objects.txt": objects.said,
    "beside.txt": objects.said,
    "names.txt": objects.said,
    "pools.txt": objects.said,
    "config_db.txt": config_db.said,
    "traced.txt": traced.said,
    "hosted.txt": hosted.said,
    "switched.txt": switched.said,
    "chained.txt": chained.said,
    "inventories.txt": inventories.said,
    "plans.txt": inventories.said,
}
ROWS = [(name, row) for name in JUDGES for row in rows(name)]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{row.about} {row.was}"[:60] for _, row in ROWS])
def test_an_edit_is_noticed_at_its_place(name: str, row: Row) -> None:
    assert JUDGES[name](row) == row.said


def test_rows_are_written_as_they_are_read() -> None:
    for name in JUDGES:
        text = written(list(rows(name)))
        assert [row.said for row in rows(name)] == [row.said for other, row in ROWS if other == name]
        assert text.count("\n@ ") + 1 == len({row.about for row in rows(name)})
