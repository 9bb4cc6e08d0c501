"""Pictures: a canvas that grows, runs of roles, text."""

from pbm.rules import Canvas
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN, seat
from pbm.rules.phrases import phrase


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


def said(canvas: Canvas) -> list[str]:
    """The page in a language whose words are in capitals, and twice as long."""
    picture = canvas.picture().say(lambda text: f"{text}{text}".upper())
    assert all(
        0 <= column < len(line)
        for line, roles in zip(picture.lines, picture.roles, strict=True)
        for column in roles
    )
    return picture.text.split("\n")


def test_texts_are_said_where_they_stand_and_what_is_no_text_stays() -> None:
    canvas = Canvas()
    canvas.put(0, 0, "a b c")
    canvas.put(1, 2, "X ", seat(0))
    canvas.put(1, 4, phrase("red"), LABEL)
    canvas.put(1, 10, "O ", seat(1))
    canvas.put(1, 12, phrase("blue"), LABEL)
    assert said(canvas) == ["a b c", "  X REDRED   O BLUEBLUE"]
    assert canvas.picture().text == "a b c\n  X red   O blue"


def test_a_text_has_its_role_in_every_language() -> None:
    canvas = Canvas()
    canvas.put(0, 0, phrase("red"), seat(0))
    canvas.put(0, 3, "!", LAST)
    picture = canvas.picture().say(lambda text: text + text)
    assert picture.rows == ((("redred", seat(0)), ("!", LAST)),)


def test_columns_of_a_table_stay() -> None:
    canvas = Canvas()
    canvas.put(0, 0, phrase("team"), room=6)
    canvas.put(0, 6, "7")
    canvas.put(1, 0, phrase("off"))
    canvas.put(1, 10, phrase("no"), LABEL)
    assert said(canvas) == ["TEAMTE7", "OFFOFF    NONO"]


def test_paragraphs_are_broken_anew() -> None:
    canvas = Canvas()
    canvas.line("board")
    canvas.paragraph(phrase("one two three"), indent=1, width=9, hang=2)
    canvas.paragraph(phrase("end"), LABEL)
    canvas.paragraph(phrase("four five"), indent=4, width=5)
    canvas.put(4, 0, "at:", LAST)
    assert canvas.picture().text.split("\n") == [
        "board",
        " one two",
        "   three",
        "   end",
        "at: four",
        "    five",
    ]
    assert said(canvas) == [
        "board",
        " ONE TWO",
        "   THREEON",
        "   E TWO",
        "   THREE",
        "   ENDEND",
        "at: FOUR",
        "    FIVEF",
        "    OUR",
        "    FIVE",
    ]
