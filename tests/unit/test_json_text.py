"""Errors of JSON, the same words at the same place on every Python."""

from __future__ import annotations

import json

import pytest

from netplan import json_text

OBJECT, ARRAY = ("Illegal trailing comma before end of " + kind for kind in ("object", "array"))


@pytest.mark.parametrize(
    ("text", "words", "line", "column"),
    [
        ('{"a": 1,}', OBJECT, 1, 8),
        ('{"a": 1,\n  \n}', OBJECT, 1, 8),
        ("[1, 2 , ]", ARRAY, 1, 7),
        ('{"a": [\n1,\n]}', ARRAY, 2, 2),
        ('{"a": 1,]', "Expecting property name enclosed in double quotes", 1, 9),
        ("[1,}", "Expecting value", 1, 4),
        ("[1,,]", "Expecting value", 1, 4),
        ('{"a":}', "Expecting value", 1, 6),
        ("[1 2]", "Expecting ',' delimiter", 1, 4),
        ("{", "Expecting property name enclosed in double quotes", 1, 2),
        ("[1,", "Expecting value", 1, 4),
        ("", "Expecting value", 1, 1),
        ("[1] ]", "Extra data", 1, 5),
    ],
)
def test_an_error_has_the_words_and_the_place_of_the_newest_python(text, words, line, column):
    with pytest.raises(json.JSONDecodeError) as error:
        json_text.loads(text)
    assert (error.value.msg, error.value.lineno, error.value.colno) == (words, line, column)


@pytest.mark.parametrize("text", ['{"a": [1, null, "x,]"]}', "[]", '",}"'])
def test_what_is_json_is_read_as_ever(text):
    assert json_text.loads(text) == json.loads(text)
    assert json_text.loads('{"a": 1}', object_pairs_hook=list) == [("a", 1)]
