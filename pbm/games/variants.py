"""Variants of chess, shogi and xiangqi whose rules are sections of a file; here is how each is
called. Sources: docs/rules/variants.md."""

from __future__ import annotations

from pbm.rules.chess.variants.reader import read_shelf
from pbm.rules.chess.variants.start import SHOGI, XIANGQI
from pbm.rules.chess.variants.variant_game import Card, make_game
from pbm.rules.phrases import EnglishWord, phrase

_EMPIRE = {"E": "eagle", "C": "cardinal", "T": "tower", "D": "duke", "S": "soldier"}
_ORDA = {"H": "kheshig", "A": "archer", "L": "lancer", "Y": "yurt", "F": "falcon"}
_CHAK = {
    "R": "serpent",
    "V": "vulture",
    "J": "jaguar",
    "O": "offering",
    "S": "shaman",
    "Q": "quetzal",
    "D": "divine king",
    "P": "pawn",
    "K": "king",
    "W": "warrior",
}
_TORI = {
    "S": "swallow",
    "K": "phoenix",
    "F": "falcon",
    "C": "crane",
    "L": "left quail",
    "R": "right quail",
    "P": "pheasant",
    "G": "goose",
    "E": "eagle",
}
_DOBUTSU = {"C": "chick", "H": "hen", "E": "elephant", "G": "giraffe", "L": "lion"}
_YARI = {
    "L": "rook",
    "N": "yari knight",
    "B": "yari bishop",
    "R": "yari rook",
    "G": "yari gold",
    "S": "yari silver",
}
_THAI = {"S": "khon", "M": "met", "P": "bia"}

CARDS: dict[str, Card] = {
    # Chess by other aims
    "nocastle": Card(
        "nocastle", "No Castling Chess", ("nocastling",), "chess in which nobody castles"
    ),
    "torpedo": Card("torpedo", "Torpedo Chess", (), "pawns may go two squares from anywhere"),
    "berolina": Card(
        "berolina",
        "Berolina Chess",
        (),
        "pawns move diagonally and capture straight",
        names={"P": "pawn"},
    ),
    "kingofthehill": Card(
        "kingofthehill",
        "King of the Hill",
        ("koth",),
        "checkmate, or bring your king to the centre",
    ),
    "racingkings": Card(
        "racingkings", "Racing Kings", (), "no checks: race your king to the last row"
    ),
    "3check": Card("threecheck", "Three-check", ("3check",), "the third check wins"),
    "5check": Card("fivecheck", "Five-check", ("5check",), "the fifth check wins"),
    "horde": Card("horde", "Horde", ("hordechess",), "an army of pawns against a full set"),
    "knightmate": Card(
        "knightmate",
        "Knightmate",
        (),
        "the royal piece moves like a knight",
        names={"M": "commoner", "K": "royal knight"},
    ),
    "coregal": Card("coregal", "Coregal Chess", (), "the queen can be mated as the king can"),
    "misere": Card("misere", "Misere Chess", ("selfmate",), "get yourself checkmated"),
    "losers": Card(
        "losers", "Losers Chess", ("wild17",), "lose all but the king; you must capture"
    ),
    "giveaway": Card(
        "giveaway", "Giveaway", ("giveawaychess",), "lose all men; you must capture; with castling"
    ),
    "antichess": Card("antichess", "Antichess", (), "lose all your men; you must capture"),
    "suicide": Card("suicide", "Suicide Chess", (), "lose all men; without a move, fewer men win"),
    "codrus": Card("codrus", "Codrus", (), "lose your king; you must capture"),
    "extinction": Card(
        "extinction", "Extinction Chess", (), "wipe out one kind of the enemy's men"
    ),
    "kinglet": Card("kinglet", "Kinglet", (), "capture all the pawns"),
    "threekings": Card("threekings", "Three Kings", (), "capture one of three kings"),
    "nocheckatomic": Card(
        "nocheckatomic", "No Check Atomic", (), "captures explode; kings may stay attacked"
    ),
    "atomic": Card("atomic", "Atomic", ("atomicchess",), "captures explode: blow up the king"),
    "legan": Card("legan", "Legan Chess", (), "armies in opposite corners", names={"P": "pawn"}),
    # Chess with other pieces
    "almost": Card(
        "almostchess", "Almost Chess", ("almost",), "a chancellor is in the queen's place"
    ),
    "amazon": Card("amazonchess", "Amazon Chess", ("amazon",), "the queen leaps like a knight too"),
    "chigorin": Card("chigorin", "Chigorin Chess", (), "an army of knights against bishops"),
    "hoppelpoppel": Card(
        "hoppelpoppel",
        "Hoppel-Poppel",
        (),
        "knights capture like bishops, and bishops so",
        names={"N": "knight", "B": "bishop"},
    ),
    "newzealand": Card(
        "newzealand",
        "New Zealand Chess",
        ("newzealand960",),
        "knights capture like rooks, and rooks so",
        names={"N": "knight", "R": "rook"},
    ),
    "nightrider": Card(
        "nightrider",
        "Nightrider Chess",
        (),
        "knights ride on in their direction",
        names={"N": "nightrider"},
    ),
    "grasshopper": Card(
        "grasshopper",
        "Grasshopper Chess",
        (),
        "a row of grasshoppers behind the pawns",
        names={"G": "grasshopper"},
    ),
    "perfect": Card(
        "perfectchess",
        "Perfect Chess",
        ("perfect",),
        "all compounds of the pieces in one army",
        names={"C": "chancellor", "M": "archbishop", "G": "general"},
    ),
    "spartan": Card(
        "spartan",
        "Spartan Chess",
        ("spartanchess",),
        "Persians against Spartans with two kings",
        names={
            "K": "king",
            "H": "hoplite",
            "G": "general",
            "W": "warlord",
            "L": "lieutenant",
            "C": "captain",
        },
    ),
    "orda": Card("orda", "Orda", ("ordachess",), "chess against a horde of riders", names=_ORDA),
    "ordamirror": Card("ordamirror", "Ordamirror", (), "two hordes of riders", names=_ORDA),
    "empire": Card("empire", "Empire Chess", (), "chess against an imperial army", names=_EMPIRE),
    # Chess with pieces in hand
    "crazyhouse": Card("crazyhouse", "Crazyhouse", ("zh",), "captured men are dropped as your own"),
    "loop": Card("loopchess", "Loop Chess", ("loop",), "crazyhouse; promoted men stay so in hand"),
    "chessgi": Card("chessgi", "Chessgi", (), "loop chess; pawns drop on the first row too"),
    "bughouse": Card(
        "bughouse",
        "Bughouse",
        ("tandemchess",),
        "captured men go to your partner, on two boards",
    ),
    "koedem": Card(
        "koedem",
        "Koedem",
        (),
        "bughouse with kings that are captured and dropped",
    ),
    "pocketknight": Card(
        "pocketknight",
        "Pocket Knight",
        ("pocketknightchess",),
        "a knight in hand, to be dropped once",
    ),
    "placement": Card(
        "placement", "Placement Chess", ("prechess",), "place your pieces behind the pawns first"
    ),
    "seirawan": Card(
        "seirawan",
        "Seirawan Chess",
        ("schess", "sharper"),
        "two more pieces enter behind men that move",
        names={"H": "hawk", "E": "elephant"},
        notes="A move followed by the letter brings the piece in: Nc3/H. Castling: O-O/He1.",
    ),
    "shouse": Card(
        "shouse",
        "S-House",
        (),
        "seirawan chess with captured men dropped",
        names={"H": "hawk", "E": "elephant"},
    ),
    "dragon": Card(
        "dragonchess",
        "Dragon Chess",
        ("dragon",),
        "a dragon in hand, to be dropped at home",
        names={"D": "dragon"},
    ),
    "synochess": Card(
        "synochess",
        "Synochess",
        (),
        "chess against an army of the east",
        names={"E": "elephant", "A": "advisor"},
    ),
    "shinobi": Card(
        "shinobi",
        "Shinobi Chess",
        (),
        "chess against a clan with men in hand",
        names={
            "C": "captain",
            "D": "dragon",
            "J": "ninja",
            "M": "monk",
            "H": EnglishWord("horse", phrase("shogi horse")),
            "L": "lance",
        },
    ),
    # Other boards
    "losalamos": Card("losalamos", "Los Alamos Chess", (), "chess on 36 squares without bishops"),
    "gardner": Card(
        "gardner", "Gardner Minichess", ("minichess", "gardnerchess"), "chess on 25 squares"
    ),
    "capablanca": Card(
        "capablanca", "Capablanca Chess", (), "ten columns, archbishop and chancellor"
    ),
    "capahouse": Card("capahouse", "Capahouse", (), "capablanca chess with drops"),
    "gothic": Card("gothic", "Gothic Chess", (), "capablanca chess in another order"),
    "embassy": Card("embassy", "Embassy Chess", (), "capablanca chess as grand chess begins"),
    "janus": Card(
        "janus",
        "Janus Chess",
        (),
        "ten columns and two januses a side",
        names={"J": "janus"},
    ),
    "modern": Card(
        "modernchess",
        "Modern Chess",
        ("modern",),
        "nine by nine, with a minister",
        names={"M": "minister"},
    ),
    "grand": Card(
        "grandchess",
        "Grand Chess",
        ("grand",),
        "ten by ten, with marshal and cardinal",
        names={"A": "cardinal", "C": "marshal"},
    ),
    "shako": Card("shako", "Shako", (), "ten by ten, with cannons and elephants"),
    # Old and regional chess
    "shatranj": Card(
        "shatranj",
        "Shatranj",
        (),
        "the chess of Baghdad",
        names={"Q": "firzan", "B": "alfil"},
    ),
    "chaturanga": Card(
        "chaturanga",
        "Chaturanga",
        (),
        "the oldest chess, as it is played now",
        names={"Q": "mantri", "B": "gaja"},
    ),
    "courier": Card(
        "courier",
        "Courier Chess",
        (),
        "medieval chess on twelve columns",
        names={"E": "elephant", "B": "courier", "F": "ferz", "M": "mann", "W": "schleich"},
    ),
    "makruk": Card("makruk", "Makruk", ("thaichess",), "the chess of Thailand", names=_THAI),
    "makpong": Card("makpong", "Makpong", (), "makruk: no running away from check", names=_THAI),
    "cambodian": Card(
        "cambodian",
        "Ouk Chaktrang",
        ("ouk", "cambodianchess"),
        "the chess of Cambodia",
        names=_THAI,
    ),
    "karouk": Card("karouk", "Kar Ouk", (), "ouk chaktrang: the first check wins", names=_THAI),
    "asean": Card(
        "asean",
        "ASEAN Chess",
        (),
        "the common chess of south-east Asia",
        names={"B": "bishop", "Q": "queen"},
    ),
    "sittuyin": Card(
        "sittuyin",
        "Sittuyin",
        ("burmesechess",),
        "the chess of Myanmar: set up first",
        names={"F": "general", "S": "elephant"},
    ),
    "chak": Card("chak", "Chak", (), "a king becomes divine and seeks the altar", names=_CHAK),
    # Shogi
    "shogi": Card("shogi", "Shogi", ("japanesechess",), "captured men change sides", SHOGI),
    "kyotoshogi": Card(
        "kyotoshogi", "Kyoto Shogi", ("kyoto",), "men turn over with every move", SHOGI
    ),
    "micro": Card(
        "microshogi", "Micro Shogi", ("micro",), "men turn over when they capture", SHOGI
    ),
    "dobutsu": Card(
        "dobutsu",
        "Dobutsu Shogi",
        ("animalshogi",),
        "catch the lion on twelve squares",
        SHOGI,
        _DOBUTSU,
    ),
    "gorogoro": Card(
        "gorogoro", "Goro Goro Shogi", (), "shogi on thirty squares with eight men", SHOGI
    ),
    "gorogoroplus": Card(
        "gorogoroplus", "Goro Goro Plus", (), "goro goro shogi, lance and knight in hand", SHOGI
    ),
    "judkins": Card("judkins", "Judkins Shogi", (), "shogi on 36 squares", SHOGI),
    "torishogi": Card(
        "torishogi", "Tori Shogi", ("tori",), "shogi of birds on 49 squares", SHOGI, _TORI
    ),
    "euroshogi": Card(
        "euroshogi", "EuroShogi", ("euro",), "shogi on a chessboard", SHOGI, {"N": "knight"}
    ),
    "yarishogi": Card(
        "yarishogi", "Yari Shogi", ("yari",), "shogi of spearmen on 63 squares", SHOGI, _YARI
    ),
    # Xiangqi and janggi
    "minixiangqi": Card("minixiangqi", "Mini Xiangqi", (), "xiangqi on 49 points", XIANGQI),
    "manchu": Card("manchu", "Manchu Chess", ("yitong",), "a banner fights a whole army", XIANGQI),
    "supply": Card(
        "supply",
        "Supply Chess",
        ("supplychess",),
        "xiangqi for four on two boards, bughouse in China",
        XIANGQI,
    ),
    "janggi": Card("janggi", "Janggi", ("koreanchess",), "the chess of Korea", XIANGQI),
    "janggicasual": Card(
        "janggicasual", "Casual Janggi", (), "janggi: nothing is counted", XIANGQI
    ),
    # Another goal
    "jesonmor": Card("jesonmor", "Jeson Mor", (), "bring a knight to the centre and away"),
}
"""By section. The names of piece types of a section without a card are left to its slots."""

GAMES = tuple(make_game(read_shelf()[section], card) for section, card in CARDS.items())
