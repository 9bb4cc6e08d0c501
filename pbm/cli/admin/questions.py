"""The questions that operators ask most, as queries over the views of `pbm admin sql`, by name.

SQLite and PostgreSQL both read them. `{month}` is the time 30 days ago."""

QUESTIONS: dict[str, tuple[str, str]] = {
    "busiest_players": (
        "who made most moves in the last 30 days",
        "SELECT players.userid, counted.moves, counted.boards FROM ("
        "SELECT seats.player_id, count(*) AS moves, count(DISTINCT moves.board_id) AS boards "
        "FROM moves JOIN seats ON seats.board_id = moves.board_id AND seats.seat = moves.seat "
        "WHERE moves.kind = 'move' AND moves.at > {month} GROUP BY seats.player_id"
        ") AS counted JOIN players ON players.id = counted.player_id "
        "ORDER BY counted.moves DESC, players.userid LIMIT 100",
    ),
    "top_senders": (
        "who sent most mails in the last 30 days; of_nobody: those of no known player",
        "SELECT inbound.envelope_from AS sender, players.userid, count(*) AS mails, "
        "sum(CASE WHEN inbound.player_id IS NULL THEN 1 ELSE 0 END) AS of_nobody, "
        "max(inbound.received) AS last FROM inbound "
        "LEFT JOIN players ON players.id = inbound.player_id WHERE inbound.received > {month} "
        "GROUP BY inbound.envelope_from, players.userid ORDER BY mails DESC, sender LIMIT 100",
    ),
    "top_games": (
        "the games that were begun most often in the last 30 days",
        "SELECT game, count(*) AS boards, sum(CASE WHEN state = 'over' THEN 1 ELSE 0 END) AS ended "
        "FROM boards WHERE created > {month} AND state NOT IN ('invited', 'cancelled') "
        "GROUP BY game ORDER BY boards DESC, game",
    ),
    "bounced_addresses": (
        "addresses from which mail came back, and those to which none is sent any more",
        "SELECT players.userid, addresses.address, addresses.bounce_score, addresses.bounced, "
        "addresses.stopped FROM addresses JOIN players ON players.id = addresses.player_id "
        "WHERE addresses.bounce_score > 0 OR addresses.stopped IS NOT NULL "
        "ORDER BY addresses.bounce_score DESC, addresses.address",
    ),
    "shared_addresses": (
        "addresses that several accounts have",
        "SELECT addresses.address, players.userid, players.state FROM addresses "
        "JOIN players ON players.id = addresses.player_id WHERE addresses.address IN "
        "(SELECT address FROM addresses GROUP BY address HAVING count(DISTINCT player_id) > 1) "
        "ORDER BY addresses.address, players.userid",
    ),
    "watchers_ever": (
        "who was mailed about a board without playing at it, and from when to when",
        "SELECT outbound.board_id, players.userid, min(outbound.created) AS first, "
        "max(outbound.created) AS last, count(*) AS mails "
        "FROM outbound JOIN players ON players.id = outbound.player_id "
        "LEFT JOIN seats ON seats.board_id = outbound.board_id "
        "AND seats.player_id = outbound.player_id "
        "WHERE outbound.board_id IS NOT NULL AND seats.board_id IS NULL "
        "GROUP BY outbound.board_id, players.userid ORDER BY outbound.board_id DESC, first",
    ),
}
"""What each asks, and the query."""
