"""Every family of attacks; importing them fills the table."""

from tests.attacks import (
    bombs,
    door,
    injections,
    moves,
    operator,
    passwords,
    races,
    robots,
    strangers,
    tokens,
)

FAMILIES = [
    each.__name__.rpartition(".")[2]
    for each in (
        passwords,
        strangers,
        robots,
        tokens,
        door,
        races,
        bombs,
        injections,
        moves,
        operator,
    )
]
