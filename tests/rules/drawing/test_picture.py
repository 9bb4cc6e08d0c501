"""Pictures: a canvas that grows, runs of roles, text."""

from pbm.rules import Canvas
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, seat


def test_a_canvas_grows_as_it_is_written_on() -> None:
    canvas = Canvas()
    assert canvas.height == 0
    canvas.put(2, 3, "ab")
    assert canvas.height == 3
    assert canvas.picture().text == "\n\n   ab"


def test_what_stood_there_is_overwritten() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "abcdef")
    canvas.put(0, 2, "XY", LAST)
    canvas.put(0, 5, "Z!")
    picture = canvas.picture()
    assert picture.text == "abXYeZ!"
    assert picture.rows == ((("ab", PLAIN), ("XY", LAST), ("eZ!", PLAIN)),)


def test_a_line_goes_to_the_bottom() -> None:
    canvas = Canvas()
    canvas.put(1, 0, "board")
    canvas.line("legend", LABEL)
    canvas.line()
    assert canvas.height == 4
    assert canvas.picture().text == "\nboard\nlegend\n"


def test_text_has_no_trailing_blanks_and_the_runs_keep_theirs() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "a  ")
    canvas.put(1, 0, "   ")
    picture = canvas.picture()
    assert picture.text == "a\n"
    assert picture.rows[0] == (("a  ", PLAIN),)


def test_neighbours_of_one_role_are_one_run() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "1", LABEL)
    canvas.put(0, 1, "2", LABEL)
    canvas.put(0, 4, "x", seat(1))
    canvas.put(0, 5, "o", seat(0))
    (row,) = canvas.picture().rows
    assert row == (("12", LABEL), ("  ", PLAIN), ("x", "seat1"), ("o", "seat0"))


def test_a_row_of_one_role_is_one_run_and_an_empty_row_has_none() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "abc", LABEL)
    canvas.put(2, 0, "d", LABEL)
    assert canvas.picture().rows == ((("abc", LABEL),), (), (("d", LABEL),))


def test_a_picture_stays_when_its_canvas_is_written_on() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "abc", LABEL)
    canvas.put(1, 0, "d")
    before = canvas.picture()
    canvas.put(0, 1, "X", LAST)
    canvas.put(1, 0, "Y", LAST)
    canvas.put(0, 2, "Z")
    assert before.rows == ((("abc", LABEL),), (("d", PLAIN),))
    after = canvas.picture()
    assert after.rows == ((("a", LABEL), ("X", LAST), ("Z", PLAIN)), (("Y", LAST),))
    copy = Canvas(after.lines, [dict(roles) for roles in after.roles])
    copy.put(0, 0, "c")
    assert after.rows[0][0] == ("a", LABEL)


def test_a_copy_is_written_on_separately() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "abc", LABEL)
    copy = canvas.copy()
    assert copy.picture() == canvas.picture()
    copy.put(0, 1, "X", LAST)
    copy.line("more")
    assert canvas.picture().rows == ((("abc", LABEL),),)
    assert copy.picture().text == "aXc\nmore"
