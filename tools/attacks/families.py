"""Every family of attacks; importing them fills the table."""

from tools.attacks import (
    bombs,
    ends,
    injections,
    moves,
    mutations,
    notices,
    operator,
    passwords,
    programs,
    races,
    robots,
    sessions,
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
        sessions,
        races,
        bombs,
        injections,
        moves,
        ends,
        notices,
        operator,
        programs,
        mutations,
    )
]
