"""Our own notation is read as what it says: in every game, whatever describes a move, gives an
example, asks which one is meant or records a game is read as that very move."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from pbm.games import get_game, list_game_names
from pbm.locale import get_language, translate
from pbm.rules import CHANCE, CHANCE_TO_MOVE, AmbiguousMove, Game, MoveError, Played, Position
from pbm.rules.chess import read_variants
from pbm.rules.examples import find_example
from pbm.rules.formats import pgn
from pbm.rules.phrases import Listing, Phrase
from pbm.rules.piece_letters import NAMES
from pbm.rules.typed_moves import read_letters

_MOST = 24
"""Of more moves in a position so many are tried."""
_LENGTHS = [(1, 30), pytest.param(1, 120, marks=pytest.mark.long)]
_PIECED = ["chess", "darkchess", "crazyhouse", "capablanca", "seirawan", "shatranj"]
"""Games whose pieces have letters in each language."""
_LETTERED = """
[doubles:chess]
pieceToCharTable = -
king = k
knight = a
bishop = b
rook = c
queen = d
startFen = cabdkbac/pppppppp/8/8/8/8/PPPPPPPP/CABDKBAC w KQkq - 0 1

[columns:shogi]
maxFile = 9
gold = g
silver = e
lance = a
knight = d
startFen = adegkgeda/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/ADEGKGEDA[-] w - - 0 1
"""
"""Variants of a file whose men have letters that are columns, too."""


def _list_positions(game: Game, games: int, moves: int) -> Iterator[Position]:
    """The positions of random games in which somebody is to move."""
    for number in range(games):
        dice = random.Random(f"{game.info.name} {number}")
        position = game.setup(dice.choice(game.info.players))
        for _ in range(moves):
            if position.outcome is not None:
                break
            if position.to_move == CHANCE_TO_MOVE:
                question = position.chance
                assert question is not None
                position = position.play(CHANCE, dice.choice(question.outcomes))
                continue
            yield position
            seat = dice.choice(sorted(position.to_move))
            position = position.play(seat, dice.choice(position.legal_moves(seat)))


def _sample(position: Position, seat: int) -> Sequence[str]:
    moves = position.legal_moves(seat)
    if len(moves) <= _MOST:
        return moves
    return random.Random(position.encode()).sample(list(moves), _MOST)


def _require_read(position: Position, seat: int, text: str, move: str) -> None:
    """The text is read as the move; at most its implied end is left."""
    read, rest = position.parse(text, seat)
    assert read == move, f"{text!r} is {move!r}, not {read!r}\n{position.render()}"
    if rest:
        assert position.parse(move, seat) == (move, rest), f"{rest!r} is left of {text!r}"


def _list_offers(error: AmbiguousMove) -> list[str]:
    """What a question offers to send. A phrase among these is no move, but says how many more there
    are."""
    told = error.args[0]
    assert isinstance(told, Phrase)
    listed = [each for each in told.values.values() if isinstance(each, Listing)]
    if not listed:
        return [str(each) for name, each in told.values.items() if name.endswith("choice")]
    return [item for each in listed for item in each.items if not isinstance(item, Phrase)]


def _ask(position: Position, seat: int, text: str, language: str = "") -> AmbiguousMove | None:
    """The question about a text; None where it is read, or refused."""
    try:
        position.parse(read_letters(position, seat, text, language), seat)
    except AmbiguousMove as error:
        return error
    except MoveError:
        pass
    return None


def _shorten(text: str) -> Iterator[str]:
    """A text in small letters, and without one or two of its signs."""
    yield text.lower()
    for at in range(len(text)):
        yield text[:at] + text[at + 1 :]
        yield text[:at] + text[at + 2 :]


def _check(position: Position) -> None:
    for seat in position.to_move:
        moves = _sample(position, seat)
        is_open = not position.game.info.features & {"hidden", "sealed"}
        for move in moves:
            for viewer in {seat, None} if is_open else {seat}:
                _require_read(position, seat, position.describe(seat, move, viewer), move)
        suggested, _ = position.parse(position.suggest(seat), seat)
        assert suggested in position.legal_moves(seat)
        described = position.describe(seat, moves[0], seat)
        for text in dict.fromkeys(each for each in _shorten(described) if each.strip()):
            if (error := _ask(position, seat, text)) is not None:
                offers = _list_offers(error)
                read = [position.parse(offer, seat)[0] for offer in offers]
                assert len({*read}) == len(offers) > 1, (text, offers)
                for offer, move in zip(offers, read, strict=True):
                    _require_read(position, seat, offer, move)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_game_names())
@pytest.mark.parametrize(("games", "moves"), _LENGTHS)
def test_a_move_is_read_as_it_is_written(name: str, games: int, moves: int) -> None:
    for position in _list_positions(get_game(name), games, moves):
        _check(position)


@pytest.mark.parametrize("game", read_variants(_LETTERED), ids=lambda game: str(game.info.name))
@pytest.mark.parametrize(("games", "moves"), _LENGTHS)
def test_a_variant_of_a_file_writes_as_it_reads(game: Game, games: int, moves: int) -> None:
    for position in _list_positions(game, games, moves):
        _check(position)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_game_names())
def test_a_word_of_a_record_is_read_as_the_move_that_it_records(name: str) -> None:
    game = get_game(name)
    if game.record_format != "pgn" or len(game.setup().seat_names) > 2:
        return
    dice, position = random.Random(name), game.setup()
    log, made = list[tuple[int, str]](), list[tuple[Position, str]]()
    while position.outcome is None and len(log) < 80:
        (seat,) = position.to_move
        move = dice.choice(position.legal_moves(seat))
        log.append((seat, move))
        if seat != CHANCE:
            made.append((position, move))
        position = position.play(seat, move)
    record = game.record(Played(2, dict(game.setup().options), log, position.outcome, {}))
    for (each, move), word in zip(made, pgn.read(record).words, strict=True):
        _require_read(each, min(each.to_move), word, move)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*_PIECED, "shogi", "xiangqi"])
@pytest.mark.parametrize(("games", "moves"), _LENGTHS)
@pytest.mark.parametrize("locale", [*NAMES, "en@figurines", "fr@figurines", "nl@english"])
def test_a_move_that_is_told_in_letters_of_a_language_is_read_as_that_move(
    name: str, games: int, moves: int, locale: str
) -> None:
    """Whoever copies a move, an example or an offer out of a mail plays it, whatever letters it is
    written with, and is not asked."""
    language = get_language(locale)
    for position in _list_positions(get_game(name), games, moves):
        (seat,) = position.to_move
        for move in _sample(position, seat):
            told = translate(position.describe(seat, move, seat), locale)
            read = read_letters(position, seat, told, language)
            assert position.parse(read, seat) == (move, ""), (told, read, position.render())
        told = translate(find_example(position, seat), locale)
        read = read_letters(position, seat, told, language)
        assert position.parse(read, seat)[0] in position.legal_moves(seat), told


@pytest.mark.parametrize("locale", [*NAMES, "en@figurines"])
def test_no_two_pieces_of_a_board_have_one_letter(locale: str) -> None:
    """A board in letters of a language tells its pieces apart as the English one does."""
    for name in list_game_names():
        position = get_game(name).setup()
        picture = position.picture()
        board = picture.text.partition("\n\n")[0].split("\n")
        told = translate(picture.text, locale).split("\n")
        pairs = {
            (line[at], told[row][at])
            for row, (line, roles) in enumerate(zip(board, picture.roles, strict=False))
            for at, role in roles.items()
            if role.startswith("seat") and position.letters and line[at].isalpha()
        }
        assert len({one for one, _ in pairs}) == len(pairs) == len({other for _, other in pairs})


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("name", ["chess", "darkchess", "crazyhouse", "capablanca", "seirawan"])
@pytest.mark.parametrize(("games", "moves"), _LENGTHS)
def test_a_piece_in_the_players_language_is_never_another(
    name: str, language: str, games: int, moves: int
) -> None:
    """A move with the letter of that language is that move, or asked about; what the question names
    is read."""
    own = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N"}
    letters = {own[piece]: NAMES[language][piece][0].upper() for piece in own}
    asked = 0
    for position in _list_positions(get_game(name), games, moves):
        (seat,) = position.to_move
        for move in _sample(position, seat):
            written = position.describe(seat, move, seat)
            if written[0] not in letters or written == move:
                continue
            text = letters[written[0]] + written[1:]
            error = _ask(position, seat, text, language)
            if error is None:
                read = read_letters(position, seat, text, language)
                assert position.parse(read, seat) == (move, ""), position.render()
                continue
            asked += 1
            offers = _list_offers(error)
            read_as = [
                position.parse(read_letters(position, seat, offer, language), seat)
                for offer in offers
            ]
            assert (move, "") in read_as
            assert len({*read_as}) == len(offers)
            for offer, (one, _) in zip(offers, read_as, strict=True):
                head = offer.partition(" ")[0]
                if _ask(position, seat, head, language) is None:
                    assert (
                        position.parse(read_letters(position, seat, head, language), seat)[0] == one
                    )
    assert asked or language != "nl" or name != "crazyhouse"


def _spell_forms(position: Position, move: str) -> Iterator[str]:
    """Ways to write a move with letters of pieces: short, long, without or with other signs."""
    short = position.describe(min(position.to_move), move).rstrip("+#")
    long = getattr(position, "write_origin", lambda _: short)(move)
    for text in dict.fromkeys((short, long)):
        yield text
        yield text.replace("x", "")
        yield text.replace("x", ":") if "x" in text else f"{text[:-2]}-{text[-2:]}"
        if "=" in text:
            bare, piece = text.split("=")
            yield from (f"{bare}{piece}", f"{bare}({piece})", f"{bare}/{piece}")


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("name", ["chess", "crazyhouse"])
@pytest.mark.parametrize(("games", "moves"), _LENGTHS)
def test_all_that_is_read_with_english_letters_is_read_with_ones_own(
    name: str, language: str, games: int, moves: int
) -> None:
    """Short, long, disambiguated, a capture, a promotion, a drop, in small letters: it is the same
    move, or one of those that are asked about."""
    own = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
    foreign = str.maketrans({each: NAMES[language][own[each]][0].upper() for each in own})
    for position in _list_positions(get_game(name), games, moves):
        (seat,) = position.to_move
        for move in _sample(position, seat):
            pairs = [(each, each.translate(foreign)) for each in _spell_forms(position, move)]
            short = [pair for pair in pairs if pair[0][0].isupper() and len(pair[0]) == len("Nf3")]
            pairs += [(english.lower(), typed.lower()) for english, typed in short]
            for english, typed in pairs:
                if not _is_read(position, seat, english, move):
                    continue
                if (error := _ask(position, seat, typed, language)) is not None:
                    assert move in error.moves, (typed, english)
                    continue
                read = read_letters(position, seat, typed, language)
                assert position.parse(read, seat) == (move, ""), (typed, english)


def _is_read(position: Position, seat: int, text: str, move: str) -> bool:
    try:
        return position.parse(text, seat) == (move, "")
    except MoveError:
        return False


@pytest.mark.parametrize("name", ["chess", "shogi", "minishogi", "xiangqi"])
def test_an_example_is_written_as_moves_are_told(name: str) -> None:
    for position in _list_positions(get_game(name), 1, 20):
        for seat in position.to_move:
            example = position.suggest(seat)
            move, _ = position.parse(example, seat)
            assert position.describe(seat, move, seat).rstrip("+#") == example
