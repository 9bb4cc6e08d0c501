"""Backgammon by mail: the roll comes with the turn, the cube costs nobody a day, dances are played
by the server, the record is a match file and its dice can be verified."""

from __future__ import annotations

import json
import re
from pathlib import Path

from click.testing import CliRunner, Result
from sqlalchemy import select

from pbm.cli import cli
from pbm.config import Config
from pbm.core import due
from pbm.core.fsck import find_differences
from pbm.core.operator import OperatorAct
from pbm.features.play import admin as play_acts
from pbm.features.records.record import parse_record
from pbm.games import get_game
from pbm.games.backgammon import Backgammon
from pbm.games.backgammon.men import count_at
from pbm.games.backgammon.state import PLAY
from pbm.store.tables import boards
from tests.conversations.test_rated_boards import SECRETS
from tests.harness.conversation import Conversation
from tests.harness.databases import one_row
from tests.harness.mail import Mail

NAMES = ("ann", "bob")


def position_of(talk: Conversation) -> Backgammon:
    """Board 1 as it stands."""
    with talk.server.store.reading() as session:
        row = one_row(session, select(boards).where(boards.c.id == 1))
    position = get_game(row.game).decode(row.position)
    assert isinstance(position, Backgammon)
    return position


def on_the_move(talk: Conversation) -> int:
    (seat,) = position_of(talk).to_move
    return seat


def both(talk: Conversation) -> list[Mail]:
    return [talk.any_mail(who) for who in NAMES]


def begun(talk: Conversation, options: str) -> tuple[list[Mail], int]:
    """A board after its first turn: the latest mails, and the seat that is on the move now."""
    talk.signup(*NAMES)
    latest = talk.agreed("backgammon", *NAMES, options=options)
    first = on_the_move(talk)
    colour = ("white", "black")[first]
    for mail in latest:
        assert f"{NAMES[first]} begins" in mail.text
    own = (r"^You roll [1-6], bob rolls [1-6]", r"^ann rolls [1-6], you roll [1-6]")
    for mail, rolls in zip(latest, own, strict=True):
        assert re.search(rolls, mail.text, re.MULTILINE)
    assert re.search(rf"^ +{colour} rolled [1-6]-[1-6]$", latest[first].text, re.MULTILINE)
    talk.replies(latest[first], position_of(talk).legal_moves(first)[0])
    return both(talk), 1 - first


def test_a_roll_comes_with_the_turn_where_nobody_may_double(talk: Conversation) -> None:
    latest, seat = begun(talk, "")
    assert position_of(talk).phase == PLAY
    colour = ("white", "black")[seat]
    dice = position_of(talk).rolled
    assert latest[seat].subject.startswith(
        f"[backgammon 1] your move (2), {NAMES[1 - seat]} played"
    )
    assert f"{colour} rolled {dice[0]}-{dice[1]}" in latest[seat].text
    talk.replies(latest[seat], "14/1")
    talk.receives(NAMES[seat], "[backgammon 1] not done: 14/1: you have no man on 14")


def test_double_take_and_drop(talk: Conversation) -> None:
    """The taker's mail brings the doubler the dice; the dropper's brings both the next game."""
    latest, seat = begun(talk, "-points=5")
    me, other = NAMES[seat], NAMES[1 - seat]
    colours = ("white", "black")[seat], ("white", "black")[1 - seat]
    assert f"{colours[0]} is to roll or double" in latest[seat].text
    talk.replies(latest[seat], "double")
    latest = both(talk)
    assert latest[1 - seat].subject == f"[backgammon 1] your move (3), {me} played double"
    assert f"{colours[0]} doubles to 2, {colours[1]} takes or drops" in latest[1 - seat].text
    talk.replies(latest[1 - seat], "take")
    latest = both(talk)
    assert latest[seat].subject == f"[backgammon 1] your move (4), {other} played take"
    dice = position_of(talk).rolled
    assert f"{colours[0]} rolled {dice[0]}-{dice[1]}" in latest[seat].text
    assert f"cube 2, {colours[1]}'s" in latest[seat].text
    talk.replies(latest[seat], position_of(talk).legal_moves(seat)[0])
    latest = both(talk)
    talk.replies(latest[1 - seat], "double")
    latest = both(talk)
    talk.replies(latest[seat], "drop")
    latest = both(talk)
    score = (0, 2) if seat == 0 else (2, 0)
    for mail in latest:
        text = " ".join(mail.text.split())
        assert f"{me} drops the cube: 2 points for {colours[1]}" in text
        assert f"game 2 of the match to 5 begins at {score[0]} to {score[1]}" in text
        assert "begins" in text.partition("game 2")[2]
    assert position_of(talk).phase == PLAY
    next_one = on_the_move(talk)
    assert latest[next_one].subject.startswith("[backgammon 1] your move (7), ")


def test_a_roll_may_be_queued_or_left_to_the_server(talk: Conversation) -> None:
    latest, seat = begun(talk, "-points=5")
    me, other = NAMES[seat], NAMES[1 - seat]
    talk.replies(latest[seat], "auto")
    latest[seat] = talk.any_mail(me)
    assert latest[seat].subject == "[backgammon 1] your move (2), you played auto"
    talk.replies(latest[1 - seat], "queue roll")
    talk.any_mail(other)
    talk.replies(latest[seat], position_of(talk).legal_moves(seat)[0])
    mine, others = talk.any_mail(me), talk.any_mail(other)
    assert (position_of(talk).phase, on_the_move(talk)) == (PLAY, 1 - seat)
    assert mine.subject.startswith(f"[backgammon 1] {other} to move (3), you played ")
    assert mine.subject.endswith(f", {other} played roll")
    assert others.subject.startswith(f"[backgammon 1] your move (3), {me} played ")
    assert others.subject.endswith(", you played roll")
    for mail in (mine, others):
        assert " rolls " in mail.text


def bold(position: Backgammon) -> str:
    """A play that hits and makes points at home, for the other to dance on."""

    def worth(move: str) -> tuple[int, int]:
        own, other = position.plays()[move]
        return count_at(other, 25), sum(count_at(own, place) > 1 for place in range(1, 7))

    return max(position.plays(), key=worth)


def test_a_dance_is_told_and_the_dice_are_verified(talk: Conversation, tmp_path: Path) -> None:
    talk.signup(*NAMES)
    latest = talk.agreed("backgammon", *NAMES, options="-points=25 -nocube")
    for _ in range(400):
        seat = on_the_move(talk)
        talk.replies(latest[seat], bold(position_of(talk)))
        latest = both(talk)
        if "cannot move" in latest[0].text:
            break
    for mail in latest:
        text = " ".join(mail.text.split())
        assert re.search(r"(ann|bob) rolled [1-6]-[1-6] and cannot move", text)
    talk.mails("ann", f"backgammon resign 1 ann {talk.password('ann')}")
    both(talk)
    talk.mails("ann", "backgammon export 1")
    record = talk.any_mail("ann").text
    assert re.search(r"^ 25 point match$", record, re.MULTILINE)
    assert re.search(r"[1-6][1-6]: Cannot Move\b", record)  # the other's roll may stand beside it
    (tmp_path / "record").write_text(record, encoding="utf-8")
    said = CliRunner().invoke(cli, ["verify-dice", str(tmp_path / "record")])
    assert (said.exit_code, "right: " in said.output) == (0, True), said.output


def test_a_board_that_is_played_on_gets_a_new_secret(talk: Conversation, tmp_path: Path) -> None:
    """Its dice were known; both parts of the record are verified, each by its own secret."""
    talk.signup(*NAMES)
    first = talk.agreed("backgammon", *NAMES, options="-points=5 -nocube")[0]
    for _ in range(4):
        play_first(talk)
    talk.proves("ann", "backgammon resign 1")
    over = both(talk)[0]
    assert over.fact("Hash") == first.fact("Hash")
    with talk.server.store.writing() as session:
        act = OperatorAct(session, "root", "a slip", talk.clock(), SECRETS, Config())
        play_acts.roll_back(act, 1, 2)
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
    latest = [first]
    for _ in range(3):
        latest = play_first(talk)
    assert latest[0].fact("Hash") != first.fact("Hash")
    talk.proves("ann", "backgammon resign 1")
    ended = both(talk)[0]
    assert ended.fact("Hash") == latest[0].fact("Hash")
    assert ended.fact("Secret") != over.fact("Secret")
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
    talk.mails("ann", "backgammon export 1")
    text = talk.any_mail("ann").text
    record = parse_record(text)
    ((until, secret),) = [(each["until"], each["secret"]) for each in record["former"]]
    assert record["moves"][until - 1]["kind"] == "undo"
    assert "".join(secret) == over.fact("Secret")
    said = verify(tmp_path, text)
    assert said.exit_code == 0, said.output
    assert f"hash to entry {until}: {first.fact('Hash')}" in said.output
    assert f"hash: {ended.fact('Hash')} (compare it with the mail with which it" in said.output
    forged = {**record, "former": []}
    said = verify(tmp_path, json.dumps(forged))
    assert said.exit_code == 1
    assert "do not follow from the secret" in said.output


def test_a_restored_board_does_not_repeat_its_dice(talk: Conversation, tmp_path: Path) -> None:
    """What was rolled after the backup is known; what was rolled before it stands."""
    talk.signup(*NAMES)
    first = talk.agreed("backgammon", *NAMES, options="-points=5 -nocube")[0]
    play_first(talk)
    with talk.server.store.writing() as session:
        assert due.renew_dice(session, lambda count: b"\7" * count) == 1
    assert play_first(talk)[0].fact("Hash") != first.fact("Hash")
    play_first(talk)
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
    talk.proves("ann", "backgammon resign 1")
    both(talk)
    talk.mails("ann", "backgammon export 1")
    text = talk.any_mail("ann").text
    assert "".join(parse_record(text)["secret"]) == "07" * 32
    said = verify(tmp_path, text)
    assert said.exit_code == 0, said.output


def play_first(talk: Conversation) -> list[Mail]:
    """Whoever is to move plays the first legal move; the mails of both."""
    seat = on_the_move(talk)
    talk.proves(NAMES[seat], f"backgammon move 1 {position_of(talk).legal_moves(seat)[0]}")
    return both(talk)


def verify(folder: Path, text: str) -> Result:
    """What `pbm verify-dice` says of a record."""
    (folder / "record").write_text(text, encoding="utf-8")
    return CliRunner().invoke(cli, ["verify-dice", str(folder / "record")])
