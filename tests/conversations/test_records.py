"""Records and dice: what export mails, imports again; what was tampered with is found."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill.sgf import Sgf_game
from sqlalchemy import select

from pbm.cli import cli
from pbm.core import fsck
from pbm.core.refusal import Refusal
from pbm.features.records.importing import check_record, store_record
from pbm.features.records.record import compute_position_hash, parse_record
from pbm.games import get_game
from pbm.store.tables import boards
from tests.harness.conversation import Conversation
from tests.harness.databases import one_row
from tests.harness.mail import Mail

MOVES = ("a2,b2,c2,c3", "b1,c1,d1,d2", "e2,f2,g2,e3")

LONG = "A long comment, which does not fit. "


def is_to_move(mail: Mail) -> bool:
    """Whether the mail says that its reader is to move."""
    return mail.text.startswith("Your move") or "Your turn is still open" in mail.text


def sent_twice(talk: Conversation, mail: Mail, move: str) -> None:
    """The same answer once more: it plays nothing, whether it is taken for a copy or refused."""
    talk.replies(mail, move)
    talk._collect()
    for again in talk._unread.pop(mail.address, []):
        assert "not done" in again.subject


def exported(
    talk: Conversation, who: str, game: str, board: int, *, answering: Mail | None = None
) -> tuple[dict[str, Any], Mail]:
    """The record that export mails, read as any JSON reader does."""
    if answering is None:
        talk.mails(who, f"{game} export {board}")
    else:
        talk.replies(answering, f"{game} export {board}")
    mail = talk.receives(who, f"[{game} {board}] record", "help records explains it")
    start, end = mail.text.index("\n{"), mail.text.rindex("}")
    return json.loads(mail.text[start : end + 1]), mail


def imports(talk: Conversation, record: dict[str, Any]) -> int:
    with talk.server.store.writing() as session:
        number = store_record(session, check_record(record))
        assert list(fsck.find_differences(session)) == []
        return number


def first_move(talk: Conversation, board: int) -> str:
    with talk.server.store.reading() as session:
        row = one_row(session, select(boards).where(boards.c.id == board))
    position = get_game(row.game).decode(row.position)
    return position.legal_moves(min(position.to_move))[0]


def test_a_record_is_mailed_and_imports_again(talk: Conversation, tmp_path: Path) -> None:
    talk.signup("ann", "bob", "carl")
    latest = talk.challenge("cradle", "ann", "bob", options="-size=3 --forfeit=30")
    talk.replies(latest[0], f"{first_move(talk, 1)}\n\n{LONG * 9}\nBye.")
    latest = [talk.any_mail("ann"), talk.any_mail("bob")]
    talk.plays([first_move(talk, 1)], "bob", "ann", latest=latest[::-1])
    running, _ = exported(talk, "carl", "cradle", 1)
    assert (running["state"], running["outcome"], running["headers"]["Result"]) == (
        "running",
        None,
        "*",
    )
    with pytest.raises(Refusal, match="was not over"):
        imports(talk, running)
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}", "Well played!")
    last, _ = talk.any_mail("ann"), talk.any_mail("bob")
    assert last.subject == "[cradle 1] ann won (2)"
    for who in ("carl", "bob"):
        record, mail = exported(talk, who, "cradle", 1)
        assert [move["comment"] for move in record["moves"]] == ["", "", ""]
        assert "What the players wrote to each other is left out" in mail.text
    record, mail = exported(talk, "ann", "cradle", 1, answering=last)
    assert record["headers"] == {
        "Event": "Cradle by mail",
        "Site": "pbm@example.net",
        "Date": "2026.03.02",
        "Round": "1",
        "White": "ann",
        "Black": "bob",
        "Result": "1-0",
        "PlyCount": "2",
        "EndDate": "2026.03.02",
        "Termination": "resignation",
    }
    assert record["options"] == {"size": 3}
    assert record["time"]["forfeit"] == 30
    assert [player["rating"] for player in record["players"]] == [1579, 1421]
    assert [move["kind"] for move in record["moves"]] == ["move", "move", "resign"]
    assert record["moves"][2]["comment"] == "Well played!"
    assert "".join(record["moves"][0]["comment"]).startswith("A long comment, which does not")
    assert parse_record(mail.text) == record
    said = verified(tmp_path, mail.text)
    assert (said.exit_code, "nothing was left to chance" in said.output) == (0, True)
    number = imports(talk, record)
    again, _ = exported(talk, "ann", "cradle", number, answering=last)
    changed = {"board", "headers", "rated", "players", "time"}
    assert {name: again[name] for name in again if name not in changed} == {
        name: record[name] for name in record if name not in changed
    }
    assert (again["rated"], again["headers"]["White"]) == (False, "ann")
    talk.mails("ann", f"cradle show {number}#1")
    talk.receives("ann", f"[cradle {number}] after move 1", "it is bob's turn")


def test_a_record_that_cannot_have_happened_is_refused(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("cradle", "ann", "bob")
    talk.plays(MOVES, "ann", "bob", latest=latest)
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob"):
        talk.any_mail(who)
    record, _ = exported(talk, "ann", "cradle", 1)

    def changed(**what: Any) -> dict[str, Any]:
        return {**copy.deepcopy(record), **what}

    moves = copy.deepcopy(record["moves"])
    moves[1]["move"] = "b1,b2,b3"
    outcome = {"ranks": [2, 1], "reason": "no"}
    for wrong, said in (
        (changed(moves=moves), "entry 2 of the record cannot be played"),
        (changed(moves=record["moves"][1:]), "entry 1 of the record is out of order"),
        (changed(final="0" * 64), "another position"),
        (changed(outcome=outcome), "not the one that its moves lead to"),
        (changed(outcome=None), "names no result"),
        (changed(version=record["version"] + 1), "this is version"),
        (changed(game="nonesuch"), "does not have the game"),
        (changed(record=2), "version 2 cannot be read"),
        (changed(options={"size": 99}), "options do not fit"),
        (changed(players=[]), "number of players"),
        (changed(ended=None), "incomplete"),
        ({}, "incomplete"),
    ):
        with pytest.raises(Refusal, match=said):
            imports(talk, wrong)
    for text in ("", "hello", "{", "[1]", "{" * 5000):
        with pytest.raises(Refusal, match="not a record"):
            parse_record(text)


def test_strangers_in_a_record_become_closed_accounts(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    opening = talk.challenge("cradle", "ann", "bob")
    talk.plays(["b1,c1,d1,d2"], "ann", "bob", latest=opening)
    talk.mails("bob", f"cradle resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob"):
        talk.any_mail(who)
    record, _ = exported(talk, "ann", "cradle", 1)
    record["players"][1]["userid"] = "Zelda"
    number = imports(talk, record)
    talk.mails("ann", f"cradle show {number}")
    talk.receives("ann", f"[cradle {number}] ann won (1)", "Zelda")
    talk.proves("ann", "cradle challenge ann zelda")
    assert "there is no player" in talk.any_mail("ann").subject


def test_dice_follow_from_the_secret_and_nothing_else(talk: Conversation, tmp_path: Path) -> None:
    """Committed to at first, published at last; undone and repeated, previewed and sent twice."""
    talk.signup("ann", "bob")
    ann, bob = talk.password("ann"), talk.password("bob")
    first = talk.agreed("cyclone", "ann", "bob")
    hashes = {mail.fact("Hash") for mail in first}
    assert len(hashes) == 1
    assert "from a secret, which is published" in first[0].text
    latest = {mail.address: mail for mail in first}
    rolled = []
    for _ in range(2):
        for _ in range(12):
            move = first_move(talk, 1)
            talk.replies(latest["ann@example.org"], f"preview {move}")
            talk.any_mail("ann")
            mover = next(mail for mail in latest.values() if is_to_move(mail))
            talk.replies(mover, move)
            latest |= {mail.address: mail for mail in talk.everything()}
            sent_twice(talk, mover, move)
        record, _ = exported(talk, "ann", "cyclone", 1)
        rolled.append([(m["ply"], m["move"]) for m in record["moves"] if m["kind"] == "chance"])
        assert record["secret"] is None
        talk.mails("ann", f"cyclone undo 1 ann {ann}")
        talk.any_mail("ann"), talk.any_mail("bob")
        talk.mails("bob", f"cyclone accept 1 bob {bob}")
        latest = {mail.address: mail for mail in talk.everything()}
    seen: dict[int, list[str]] = {}
    for ply, move in rolled[0]:
        seen.setdefault(ply, []).append(move)
    talk.mails("bob", f"cyclone resign 1 bob {bob}")
    last = [talk.any_mail("ann"), talk.any_mail("bob")]
    assert {mail.fact("Hash") for mail in last} == hashes
    secret = bytes.fromhex(last[0].fact("Secret"))
    assert hashlib.sha256(secret).hexdigest() in hashes

    record, mail = exported(talk, "ann", "cyclone", 1)
    assert any(move["kind"] == "undo" for move in record["moves"])
    by_hand(secret, record)
    said = verified(tmp_path, mail.text)
    assert said.exit_code == 0, said.output
    assert f"hash: {hashes.pop()}" in said.output

    for index, move in enumerate(record["moves"]):
        if move["kind"] == "chance":
            wrong = copy.deepcopy(record)
            wrong["moves"][index]["move"] = "1" if move["move"] != "1" else "2"
            said = verified(tmp_path, json.dumps(wrong))
            assert said.exit_code == 1
            assert f"entry {move['number']} (move {move['ply']}): the record says" in said.output
            break
    wrong = copy.deepcopy(record)
    wrong["secret"] = "00" * 32
    assert verified(tmp_path, json.dumps(wrong)).exit_code == 1
    imports(talk, record)
    index = next(n for n, move in enumerate(record["moves"]) if move["kind"] == "chance")
    record["moves"][index]["move"] = "6" if record["moves"][index]["move"] != "6" else "5"
    with pytest.raises(Refusal):
        imports(talk, record)


def by_hand(secret: bytes, record: dict[str, Any]) -> None:
    """The help page's recipe for the first roll after each move that was never taken back."""
    position = get_game(record["game"]).setup(len(record["players"]), record["options"])
    asked = 0
    for move in record["moves"]:
        if move["kind"] == "undo":
            break
        if move["kind"] == "chance":
            said = f"{record['board']}/{move['ply']}/{asked}/0"
            value = int.from_bytes(
                hmac.new(secret, said.encode(), hashlib.sha256).digest()[:8], "big"
            )
            assert position.chance is not None
            outcomes = position.chance.outcomes
            assert outcomes[value % len(outcomes)] == move["move"]
        asked = 0 if move["kind"] == "move" else asked + 1
        seat = -1 if move["seat"] is None else move["seat"]
        position = position.play(seat, move["move"])
    assert compute_position_hash(position) != record["final"]


def verified(folder: Path, text: str) -> Any:
    (folder / "record").write_text(text, encoding="utf-8")
    return CliRunner().invoke(cli, ["verify-dice", str(folder / "record")])


def test_a_record_brings_the_game_in_the_format_of_its_field(talk: Conversation) -> None:
    """What was taken back is not in it; who won and how is."""
    talk.signup("ann", "bob")
    latest = talk.plays(["d4", "swap"], "ann", "bob", latest=talk.challenge("hex", "ann", "bob"))
    talk.replies(latest[0], "undo")
    asked = talk.any_mail("bob")
    talk.any_mail("ann")
    talk.replies(asked, "accept")
    latest = [talk.any_mail("ann"), talk.any_mail("bob")]
    talk.plays(["c3", "swap", "f6"], "ann", "bob", latest=latest)
    talk.mails("bob", f"hex resign 1 bob {talk.password('bob')}")
    for who in ("ann", "bob"):
        talk.any_mail(who)
    record, mail = exported(talk, "ann", "hex", 1)
    assert parse_record(mail.text) == record
    text = mail.text[mail.text.index("(;FF[4]") :]
    game = Sgf_game.from_string(text[: text.rindex(")") + 1])
    assert (game.get_size(), game.get_player_name("b"), game.get_winner()) == (11, "bob", "w")
    assert game.get_root().get("RE") == "W+R"
    assert game.get_root().get("DT") == "2026-03-02"
    turns = [
        (node.properties()[0], node.get_raw(node.properties()[0]))
        for node in game.get_main_sequence()
    ]
    assert turns[1:] == [("B", b"c3"), ("W", b"swap-sides"), ("W", b"f6")]


def test_what_is_hidden_is_in_no_record_of_a_running_board(talk: Conversation) -> None:
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    talk.agreed("poolside", *people)
    record, mail = exported(talk, "ann", "poolside", 1)
    assert (record["view"], record["final"], record["secret"]) == ("spectator", None, None)
    assert "what only its players know is left out" in " ".join(mail.text.split())
    with talk.server.store.reading() as session:
        row = one_row(session, select(boards).where(boards.c.id == 1))
    position = get_game("poolside").decode(row.position)
    assert all(move["move"] == move["words"] for move in record["moves"])
    assert position.encode() not in mail.text
    for who in ("bob", "carl"):
        talk.mails(who, f"poolside resign 1 {who} {talk.password(who)}")
        for reader in people:
            talk.any_mail(reader)
    record, _ = exported(talk, "ann", "poolside", 1)
    assert record["view"] == "full"
    imports(talk, record)
