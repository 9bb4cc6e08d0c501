"""A player's row: inserted once, and saved by what has changed of it."""

from msgspec.structs import replace

from pbm.core.player import (
    Player,
    get_player,
    insert_player,
    make_player,
    replace_password,
    save_player,
)
from pbm.store.engine import Store
from pbm.store.transaction import Session


def load(session: Session, number: int) -> Player:
    player = get_player(session, number)
    assert player is not None
    return player


def test_two_who_save_different_columns_do_not_undo_each_other(store: Store) -> None:
    with store.writing() as session:
        made = insert_player(session, make_player("Ann", "secret", 1.0))
        assert made is not None
        assert insert_player(session, make_player("ANN", "other", 2.0)) is None
        one, other = load(session, made.id), load(session, made.id)
        save_player(session, replace(one, preferences={"mail": "text"}, links=one.links + 1))
        save_player(session, replace(other, away=9.0, digest_at=8.0, links=other.links + 1))
        now = load(session, made.id)
        assert (now.userid, now.name, now.created, now.seen) == ("Ann", "ann", 1.0, 1.0)
        assert (dict(now.preferences), now.away, now.digest_at) == ({"mail": "text"}, 9.0, 8.0)
        assert now.links == 2
        assert replace_password(session, one, "new")
        assert not replace_password(session, other, "newer")
        now = load(session, made.id)
        assert (now.password, now.links, now.state) == ("new", 3, "active")
