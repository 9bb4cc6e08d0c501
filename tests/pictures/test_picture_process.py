"""Boards of mails are drawn in a process of their own, one after another, so that neither the
server nor another mail is held up by a picture."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbm.config import Config, Players
from pbm.core.notices import Appearance, Drawing
from pbm.daemon import picture_queue
from pbm.daemon.picture_queue import PictureQueue
from pbm.games import get_game
from pbm.mail.paged_mail import NotYet, TooBusy
from pbm.pictures.mailed_board import BoardPicture, draw_written_board, write_board, write_lesson
from pbm.pictures.parts import forget_all
from pbm.pictures.picture_process import PictureRequest, answer
from pbm.rules import Picture

_MOST = 36_000


def written(
    *moves: str, viewer: int | None = 0, game: str = "tictactoe", language: str = "en"
) -> str:
    """A board of Tic-tac-toe after these moves, as a mail is stored with it."""
    position = get_game(game).setup()
    for move in moves:
        position = position.play(min(position.to_move), move)
    appearance = Appearance(position, viewer, moves[-1:])
    drawing = Drawing(Picture((), ()), appearance, "", position.colours, True)
    return write_board(drawing, language)


class Asked:
    """A queue that is asked until it answers, at a time that stands still unless it rests."""

    def __init__(self, config: Config) -> None:
        self.now = 0.0
        self._ready = threading.Event()
        self.queue = PictureQueue(config, self._ready.set, lambda: self.now)

    def find(self, board: str) -> BoardPicture | None:
        """The picture of a board."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            self._ready.clear()
            try:
                return self.queue.find(board, _MOST)
            except NotYet:
                self._ready.wait(5)
            except TooBusy:
                self._ready.wait(0.01)
                self.now += 5
        raise AssertionError("no answer")


@pytest.fixture
def asked() -> Iterator[Asked]:
    asked = Asked(Config())
    yield asked
    asked.queue.stop()


def test_a_picture_is_drawn_once_for_all_who_see_the_same() -> None:
    ann, bob = (draw_written_board(written("b2", viewer=seat), _MOST) for seat in (0, 1))
    assert ann.png is bob.png


def test_a_picture_with_words_is_drawn_once_a_language() -> None:
    """One without is the same for all."""
    go = [
        draw_written_board(written("d4", game="go", viewer=seat, language=language), _MOST).png
        for language in ("en", "de")
        for seat in (0, 1)
    ]
    assert go[0] is go[1]
    assert go[2] is go[3]
    assert go[0] != go[2], "Black has captured nothing, in two languages"
    row = [draw_written_board(written("b2", language=each), _MOST) for each in ("en", "de", "fr")]
    assert row[0].png is row[1].png is row[2].png
    assert "crosses" in row[0].words
    assert "Kreuz" in row[1].words


def test_a_mail_from_before_there_were_languages_is_drawn() -> None:
    board = written("b2")
    older = board.replace(', "language": "en"', "")
    assert older != board
    assert draw_written_board(older, _MOST) == draw_written_board(board, _MOST)


def test_words_that_are_a_phrase_come_from_the_process_as_text(asked: Asked) -> None:
    picture = asked.find(written(game="darkchess"))
    assert picture is not None
    assert "white king on e1" in picture.words.lower()


def test_a_picture_from_the_process_is_the_same_with_the_moves_of_the_reader(asked: Asked) -> None:
    board = written("b2", viewer=1)
    with pytest.raises(NotYet):
        asked.queue.find(board, _MOST)
    picture = asked.find(board)
    forget_all()  # as in a process that has drawn nothing yet
    assert picture == draw_written_board(board, _MOST)
    assert picture is not None
    assert picture.png.startswith(b"\x89PNG")
    assert [move for move, _ in picture.moves] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]
    other = asked.find(written("b2", viewer=0))
    assert other is not None
    assert (other.png, other.moves) == (picture.png, ()), "both see the same"


def test_a_lesson_from_the_process_is_the_same(asked: Asked) -> None:
    lesson = write_lesson("hex", 2, "en")
    picture = asked.find(lesson)
    assert picture == draw_written_board(lesson, _MOST)
    assert picture is not None
    assert "c3" in picture.words
    assert asked.find(write_lesson("hex", 99, "en")) is None


def test_what_cannot_be_drawn_has_no_picture_and_the_next_has(asked: Asked) -> None:
    gone = written("b2").replace("tictactoe", "tictactic")
    assert asked.find(gone) is None
    assert asked.find(written("a1")) is not None


def test_with_too_many_waiting_none_is_drawn_for_a_while(asked: Asked) -> None:
    """What waits is given up too; once there was time, all are drawn as ever."""
    boards = [
        written(f"{column}{row}", viewer=viewer)
        for column in "abc"
        for row in (1, 2, 3)
        for viewer in (0, 1, None)
    ]
    for board in boards[:24]:
        with pytest.raises(NotYet):
            asked.queue.find(board, _MOST)
    for board in boards[24], boards[23], boards[25]:
        with pytest.raises(TooBusy):
            asked.queue.find(board, _MOST)
    assert asked.find(boards[1]) is not None
    assert asked.find(boards[24]) is not None


def test_a_picture_that_comes_too_late_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_queue, "_STARTING", 0.001)
    asked = Asked(Config())
    with capture_logs() as events:
        assert asked.find(written("b2")) is None
        asked.queue.stop()
    assert [each["event"] for each in events] == ["picture late"]


def test_mails_do_not_wait_for_a_process_that_starts_slowly(asked: Asked) -> None:
    """The first waits two seconds, the others not at all, and the process is left to start."""
    before = list_children()
    with pytest.raises(NotYet):
        asked.queue.find(written("c3"), _MOST)
    until = time.monotonic() + 60
    while not (started := list_children() - before) and time.monotonic() < until:
        time.sleep(0.001)
    (process,) = map(int, started)
    os.kill(process, signal.SIGSTOP)
    asked.now = 2.0
    assert asked.queue.find(written("c3"), _MOST) is None
    for asked.now in (2.1, 30.0):
        assert asked.queue.find(written("b2"), _MOST) is None, "the page has the board as text"
    os.kill(process, signal.SIGCONT)
    until = time.monotonic() + 60
    while asked.find(written("b2")) is None and time.monotonic() < until:
        time.sleep(0.01)
    assert asked.find(written("b2")) is not None
    assert list_children() - before == {str(process)}, "it was not started again"


@pytest.fixture
def stopped(asked: Asked) -> Iterator[Asked]:
    """A queue whose process has drawn one picture, and then gets no processor."""
    before = list_children()
    assert asked.find(written("c3")) is not None
    (process,) = map(int, list_children() - before)
    os.kill(process, signal.SIGSTOP)
    yield asked
    os.kill(process, signal.SIGCONT)


def test_a_mail_waits_two_seconds_for_its_picture(stopped: Asked) -> None:
    """One that shows the same later gets it, if it is drawn by then."""
    board = written("b2")
    for now in (0.0, 1.5):
        stopped.now = now
        with pytest.raises(NotYet):
            stopped.queue.find(board, _MOST)
    stopped.now = 2.0
    for _ in range(3):
        assert stopped.queue.find(board, _MOST) is None
    assert stopped.queue.late == 1, "once, however often it is asked for"


def test_after_two_late_pictures_mails_are_text_for_a_minute(stopped: Asked) -> None:
    for board in (written("a1"), written("b2")):
        with pytest.raises(NotYet):
            stopped.queue.find(board, _MOST)
        stopped.now += 2
        assert stopped.queue.find(board, _MOST) is None
    assert stopped.queue.late == 2
    for seconds in (1, 58):
        stopped.now += seconds
        with pytest.raises(TooBusy):
            stopped.queue.find(written("c1"), _MOST)
    stopped.now += 2
    with pytest.raises(NotYet):
        stopped.queue.find(written("c1"), _MOST)


def test_a_page_of_help_waits_longer_and_costs_boards_nothing(stopped: Asked) -> None:
    """Its pictures are asked for one after another, and nobody's turn waits for them."""
    lessons = [write_lesson("hex", number, "en") for number in (1, 2, 3)]
    for lesson in lessons:
        for _ in range(2):
            with pytest.raises(NotYet):
                stopped.queue.find(lesson, _MOST)
            stopped.now += 3
    assert stopped.queue.late == 0
    with pytest.raises(NotYet):
        stopped.queue.find(written("a1"), _MOST)
    stopped.now += 10
    assert stopped.queue.find(lessons[0], _MOST) is None


def test_two_late_pictures_in_an_hour_are_no_reason_to_rest(stopped: Asked) -> None:
    for board in (written("a1"), written("b2")):
        with pytest.raises(NotYet):
            stopped.queue.find(board, _MOST)
        stopped.now += 1800
        assert stopped.queue.find(board, _MOST) is None
    with pytest.raises(NotYet):
        stopped.queue.find(written("c1"), _MOST)


def test_a_server_that_ends_misses_no_picture() -> None:
    asked, before = Asked(Config()), list_children()
    with capture_logs() as events:
        with pytest.raises(NotYet):
            asked.queue.find(written("b2"), _MOST)
        until = time.monotonic() + 60
        while list_children() == before and time.monotonic() < until:
            time.sleep(0.001)
        assert list_children() != before
        asked.queue.stop()
    assert events == []


def list_children() -> set[str]:
    """Return the processes that this one has started."""
    tasks = Path("/proc/self/task").glob("*/children")
    return {child for task in tasks for child in task.read_text().split()}


def test_an_operator_may_want_no_pictures() -> None:
    asked = Asked(Config(players=Players(pictures=False)))
    assert asked.queue.find(written("a1"), _MOST) is None
    asked.queue.stop()


def test_an_answer_is_a_picture_or_a_reason() -> None:
    drawn = answer(PictureRequest(written("a1"), _MOST, []))
    assert drawn.picture is not None
    assert drawn.picture.png.startswith(b"\x89PNG")
    assert answer(PictureRequest("{", _MOST, [])).error.startswith("DecodeError: ")
