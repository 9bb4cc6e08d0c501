"""The names of the games of this package, known before any of them is imported.

`python -m tools.games.index` writes the rows; a test compares them with the modules."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A game: its name, the module whose `GAMES` contains it, its title and its aliases."""

    name: str
    module: str
    title: str
    aliases: tuple[str, ...]


INDEX: tuple[Row, ...] = (
    Row("amazons", "amazons", "Amazons", ()),
    Row("atarigo", "atarigo", "Atari Go", ("capturego",)),
    Row("ataxx", "ataxx", "Ataxx", ()),
    Row("backgammon", "backgammon", "Backgammon", ("bg",)),
    Row("battleship", "battleship", "Battleship", ("seabattle", "battleships")),
    Row("brandubh", "brandubh", "Brandubh", ()),
    Row("breakthrough", "breakthrough", "Breakthrough", ()),
    Row("cephalopod", "cephalopod", "Cephalopod", ()),
    Row("chess", "chess", "Chess", ()),
    Row("chess960", "chess", "Chess960", ("fischerandom", "frc")),
    Row("clobber", "clobber", "Clobber", ()),
    Row("connect6", "connect6", "Connect6", ("connectsix", "sixinarow")),
    Row("corridor", "corridor", "Corridor", ("quoridor",)),
    Row("cradle", "cradle", "Cradle", ()),
    Row("cyclone", "cyclone", "Cyclone", ()),
    Row("darkchess", "darkchess", "Dark Chess", ("fogofwar", "fogchess")),
    Row("dip", "dip", "Diplomacy", ()),
    Row("dotsandboxes", "dotsandboxes", "Dots and Boxes", ("dots", "boxes")),
    Row("draughts", "draughts", "English Draughts", ("checkers", "englishdraughts")),
    Row("fanorona", "fanorona", "Fanorona", ()),
    Row("fivepairs", "fivepairs", "Five and Pairs", ("pente",)),
    Row("fourinarow", "fourinarow", "Four in a Row", ("connectfour", "connect4", "four")),
    Row("gameofy", "gameofy", "Y", ("ygame", "thegameofy")),
    Row("go", "go", "Go", ("weiqi", "baduk")),
    Row("gomoku", "gomoku", "Gomoku", ("gobang", "fiveinarow")),
    Row("gonnect", "gonnect", "Gonnect", ()),
    Row("halma", "halma", "Halma", ()),
    Row("havannah", "havannah", "Havannah", ()),
    Row("hex", "hex", "Hex", ()),
    Row("hexxagon", "hexxagon", "Hexxagon", ()),
    Row("hnefatafl", "hnefatafl", "Hnefatafl", ("tafl",)),
    Row("hypergammon", "backgammon", "Hypergammon", ()),
    Row(
        "internationaldraughts",
        "draughts",
        "International Draughts",
        ("draughts100", "dammen", "polishdraughts"),
    ),
    Row("kalah", "mancala", "Kalah", ("mancala", "kalaha")),
    Row("konane", "konane", "Konane", ()),
    Row("linesofaction", "linesofaction", "Lines of Action", ("loa",)),
    Row("minishogi", "minishogi", "Minishogi", ("5x5shogi", "gogoshogi")),
    Row("modernreversi", "modernreversi", "Modern Reversi", ("othello",)),
    Row("morris", "morris", "Nine Men's Morris", ("ninemensmorris", "mill", "merels")),
    Row("nackgammon", "backgammon", "Nackgammon", ()),
    Row("oware", "mancala", "Oware", ("awari", "awale", "wari")),
    Row("pegs", "pegs", "Pegs and Links", ("twixt",)),
    Row("qubic", "qubic", "Qubic", ("tictactoe3d", "fourinacube")),
    Row("reversi", "reversi", "Reversi", ()),
    Row("russiandraughts", "draughts", "Russian Draughts", ("shashki", "draughts64")),
    Row("spacecradles", "spacecradles", "Space Cradles", ()),
    Row("spacefighters", "spacefighters", "Space Fighters", ()),
    Row("spacetruckin", "spacetruckin", "Space Truckin'", ("truckin",)),
    Row("sumito", "sumito", "Sumito", ("abalone",)),
    Row("tictactoe", "tictactoe", "Tic-Tac-Toe", ("ttt", "noughts")),
    Row("turkishdraughts", "draughts", "Turkish Draughts", ("dama",)),
    Row("xiangqi", "xiangqi", "Xiangqi", ("chinesechess",)),
    Row("yavalath", "yavalath", "Yavalath", ()),
)
