"""The text picture, the scene and the notes of a position of Diplomacy.

The picture lists the powers with their centres and units; the map of the scene is drawn from the
spots and neighbours of the map file, with the orders of the last phase as arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import hypot
from typing import Any

from pbm.games.dip.dip_state import FEW, DipState
from pbm.rules import Picture
from pbm.rules.diplomacy.board import KIND_NAMES, GameMap, Season, Terrain, Unit, province_of
from pbm.rules.diplomacy.order_choices import list_missing
from pbm.rules.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Dislodged,
    Hold,
    Move,
    Order,
    Ordered,
    Result,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    read_order,
)
from pbm.rules.diplomacy.phases import DiplomacyRules, PhaseState, Stage
from pbm.rules.drawing import picture
from pbm.rules.drawing.picture import Canvas
from pbm.rules.drawing.scene import (
    BUILT,
    DISBANDED,
    HELD,
    LAND,
    ORDERED,
    STOOD_OFF,
    Entry,
    Label,
    Mark,
    Panel,
    Piece,
    Place,
    Point,
    Region,
    Scene,
    Stroke,
    is_of_place,
    remark,
)
from pbm.rules.drawing.sentences import describe_pieces, make_item
from pbm.rules.phrases import Phrase, combine, fill_in, join_phrases, phrase, phrase_number
from pbm.rules.typed import listing

_COLUMNS = 74
_RADIUS = 0.36
_SMALL = 0.16
_STRETCH = 1.3
"""The stretching of the map file's distances from north to south: a page can be higher, but not
broader, and labels need room."""
_LABEL_WIDTH, _LABEL_HEIGHT = 0.43, 0.19
"""Half the width and height of a label."""
_LABEL_SPOTS = (
    *((0.0, 0.6), (0.0, -0.58), (0.84, 0.0), (-0.84, 0.0)),
    *((0.4, 0.58), (-0.4, 0.58), (0.4, -0.56), (-0.4, -0.56)),
    *((0.7, 0.36), (-0.7, 0.36), (0.7, -0.36), (-0.7, -0.36)),
    *((0.8, 0.2), (-0.8, 0.2), (0.8, -0.2), (-0.8, -0.2)),
)
"""Possible positions of a label, from the middle of its place, the best first."""
_NEAR = 1.8
_LABEL_ROUNDS = 4
"""The number of attempts to place labels that cover something."""
_COAST = 0.2
"""The radius of a coast on a map of areas."""
_ORDERED = {
    HELD: "hold",
    BUILT: "build",
    DISBANDED: "disband",
    "moved": "move",
    "supported": "support",
    "convoyed towards": "convoy",
}
"""The name of an order that stands, by its name after success."""
_BESIDE = (0.34, 0.3)
"""The distance of a dislodged unit from the one that dislodged it, on a map of areas."""
_SORTS = {"seas": Terrain.SEA, "coasts": Terrain.COAST, "inland": Terrain.LAND}
_SHADES = {Terrain.SEA: "water", Terrain.COAST: "space", Terrain.LAND: "space"}
_FINE = ("done",)
_BOUNCED = Result.BOUNCED.value
_COASTS = {
    "nc": phrase("{province} north coast"),
    "sc": phrase("{province} south coast"),
    "ec": phrase("{province} east coast"),
    "wc": phrase("{province} west coast"),
}
_OF_A_UNIT: Mapping[type[Order], Phrase] = {
    Hold: phrase("{unit} holds"),
    Disband: phrase("{unit} disbands"),
    Build: phrase("{unit} is built"),
}


def draw_position(position: DipState, viewer: int | None) -> Picture:
    """Return the phase, the powers, the orders of the last phase, pending retreats and builds, and
    the viewer's own orders."""
    drawn = position.phase.drawn
    if "lines" not in drawn:
        drawn["lines"] = _draw_shared(position).picture()
    shared: Picture = drawn["lines"]
    canvas = Canvas(shared.lines, [dict(each) for each in shared.roles], shared.texts)
    if "tasks" not in drawn:
        drawn["tasks"] = tuple(combine("{task}.", task=task) for task in _list_tasks(position))
    for text in (*drawn["tasks"], *_list_own(position, viewer), *_describe_waiting(position)):
        canvas.paragraph(text, indent=1, width=_COLUMNS, hyphens=False)
    return canvas.picture()


def _draw_shared(position: DipState) -> Canvas:
    """Return the part that everybody sees throughout a phase."""
    canvas = Canvas()
    state = position.state
    title = phrase(
        "{map}, {centres} centres win",
        map=position.game_map.title,
        centres=position.game_map.victory,
    )
    canvas.put(0, 1, _name_phase(state.name), picture.LABEL, room=40)
    canvas.put(0, max(41, 77 - len(title)), title, picture.LABEL)
    canvas.line()
    for seat, name in enumerate(position.seat_names):
        _draw_power(canvas, position, seat, name)
    lost = [
        name
        for seat, name in enumerate(position.seat_names)
        if position.is_crowded and seat not in position.phase.playing
    ]
    if lost:
        _write(canvas, phrase("eliminated"), ", ".join(lost))
    neutral = [code for code in position.game_map.centres if code not in state.owners]
    if neutral:
        _write(canvas, phrase("nobody's"), " ".join(neutral))
    for record in position.latest:
        canvas.line()
        orders_of = phrase("Orders of {phase}", phase=_name_phase(record.phase))
        canvas.paragraph(orders_of, picture.LABEL, indent=1)
        for seat, name in enumerate(position.seat_names):
            orders = [
                _show_result(order, result) for own, order, result in record.judged if own == name
            ]
            if orders:
                _write(canvas, name, join_phrases(", ", orders), seat)
    canvas.line()
    return canvas


def list_judged(position: DipState) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the orders that were judged last, power by power."""
    orders = dict[str, list[str]]()
    for record in position.latest:
        for power, order, result in record.judged:
            orders.setdefault(power, []).append(_show_result(order, result))
    return [(name, orders[name]) for name in position.seat_names if name in orders]


def _name_phase(name: str) -> str:
    """Return the name of a phase, which is stored in English, so that it can be translated."""
    season, year, stage = name.replace(",", "").split()
    return combine(
        "{season} {year}, {stage}", season=Phrase(season), year=year, stage=Phrase(stage)
    )


def _draw_power(canvas: Canvas, position: DipState, seat: int, name: str) -> None:
    state = position.state
    centres, units = state.list_centres(name), state.list_units(name)
    if position.is_crowded:
        owned: str = phrase(
            "{count}: {centres}", count=len(centres), centres=" ".join(centres) or phrase("none")
        )
        if units:
            owned = join_phrases("; ", (owned, ", ".join(map(str, units))))
        if seat in position.phase.playing:
            _write(canvas, name, owned, seat)
        return
    if seat not in position.phase.playing:
        _write(canvas, name, phrase("eliminated"), seat)
        return
    owned = phrase_number(
        "{count} centre: {centres}",
        "{count} centres: {centres}",
        len(centres),
        centres=" ".join(centres) or phrase("none"),
    )
    _write(canvas, name, owned, seat)
    _write(canvas, "", ", ".join(map(str, units)) or phrase("no units"))


def _write(canvas: Canvas, name: str, text: str, seat: int | None = None) -> None:
    """Write a line with a name before it, and more lines if it is long."""
    top = canvas.height
    canvas.paragraph(text, indent=17, width=_COLUMNS - 16, hyphens=False)
    if name:
        role = picture.PLAIN if seat is None else picture.seat(seat)
        canvas.put(top, 1, name if type(name) is not str else name[:15], role, room=15)


def _show_result(order: str, result: str) -> str:
    if result in _FINE:
        return order
    return combine("{order} ({result})", order=order, result=Phrase(result))


def _list_tasks(position: DipState, *, is_grouped: bool = False) -> Iterator[str]:
    """Yield pending retreats, builds and disbandments: power by power, or together for powers that
    may do the same."""
    state = position.state
    if position.is_over:
        return
    if state.stage is Stage.RETREATS:
        for each in state.dislodged:
            yield phrase(
                "Dislodged: {adjective} {unit}, which may retreat to {places}",
                adjective=position.game_map.power(each.unit.power).adjective,
                unit=str(each.unit),
                places=listing(each.options, "or"),
            )
    elif state.stage is Stage.ADJUSTMENTS:
        tasks = dict[int, list[str]]()
        for name in position.seat_names:
            due = state.count_due(name)
            if due and (is_grouped or position.is_crowded):
                tasks.setdefault(due, []).append(name)
            elif due > 0:
                yield phrase_number(
                    "{power} may build {count} unit",
                    "{power} may build {count} units",
                    due,
                    power=name,
                )
            elif due:
                yield phrase_number(
                    "{power} has to disband {count} unit",
                    "{power} has to disband {count} units",
                    -due,
                    power=name,
                )
        for due, names in tasks.items():
            powers = listing(names)
            if due > 0:
                yield phrase_number(
                    "Builds of {count} unit: {powers}",
                    "Builds of {count} units: {powers}",
                    due,
                    powers=powers,
                )
            else:
                yield phrase_number(
                    "Disbandments of {count} unit: {powers}",
                    "Disbandments of {count} units: {powers}",
                    -due,
                    powers=powers,
                )


def _list_own(position: DipState, viewer: int | None) -> Iterator[str]:
    """Yield the orders that the viewer may see, and the units without one."""
    if position.is_over and not position.all_shown:
        return
    for seat, name in enumerate(position.seat_names):
        if position.sees(viewer, seat) and viewer == seat and position.votes[seat]:
            vote = position.votes[seat]
            yield phrase("Your {vote} stands, unseen by the others.", vote=vote)
        if not position.sees(viewer, seat) or not position.count_due(seat):
            continue
        if seat not in position.playing:
            continue
        given = position.list_orders(seat)
        orders = ", ".join(map(str, given)) or phrase("none yet")
        if viewer == seat:
            yield phrase("Your orders: {orders}.", orders=orders)
        else:
            yield phrase("Orders of {power}: {orders}.", power=name, orders=orders)
        if position.state.stage is not Stage.ADJUSTMENTS:
            missing = list_missing(position.state, name, given)
            if missing and seat not in position.ready:
                yield phrase("Without an order: {units}.", units=", ".join(missing))
        if viewer == seat and seat in position.waiting:
            yield phrase("You hold the phase open until its deadline; ready ends that.")


def _describe_waiting(position: DipState) -> Iterator[str]:
    """Yield whose orders are missing, or how the game ended."""
    if (outcome := position.outcome) is not None:
        yield phrase("The game is over: {reason}.", reason=outcome.reason)
        return
    names = [position.seat_names[seat] for seat in sorted(position.to_move)]
    waiting: str = phrase("Orders are awaited from {powers}.", powers=listing(names))
    if len(names) > FEW:
        waiting = phrase("Orders are awaited from {count} powers.", count=len(names))
    gone = [position.seat_names[seat] for seat in position.in_disorder]
    if gone:
        disorder = phrase("In civil disorder: {powers}.", powers=listing(gone))
        waiting = join_phrases(" ", (disorder, waiting))
    if position.held:
        waiting = join_phrases(" ", (waiting, _describe_hold(position)))
    yield waiting


def _describe_hold(position: DipState) -> str:
    """Return a sentence on the powers that the phase waits for, and how the game goes on without
    them."""
    held = listing([position.seat_names[seat] for seat in sorted(position.held)])
    waits = phrase("The phase waits for {powers}, or for players who take over.", powers=held)
    ending = (
        phrase("If too few come by the deadline, the game is a draw of those who order.")
        if len(position.playing - position.held) > 1
        else phrase("If nobody comes by the deadline, the game is over without a result.")
    )
    return join_phrases(" ", (waits, ending))


@lru_cache(maxsize=16)
def _draw_map(game_map: GameMap) -> Scene:
    """Return the map without units: the areas of the provinces and their names; on a map without
    areas discs, and the lines between neighbours."""
    found = {
        name: tuple(code.lower() for code, one in game_map.provinces.items() if one.terrain is sort)
        for name, sort in _SORTS.items()
    }
    regions = tuple(Region("sort", name, codes) for name, codes in found.items() if codes)
    if game_map.areas:
        return replace(_draw_areas(game_map), regions=regions)
    places = list[Place]()
    for code, province in game_map.provinces.items():
        spot = _stretch(game_map.spots[code])
        shade = "home" if province.centre else _SHADES[province.terrain]
        places.append(Place(code.lower(), _RADIUS, spot, shade))
        for coast in province.coasts:
            place = f"{code}/{coast}"
            spot = _stretch(game_map.spots[place])
            places.append(Place(place.lower(), _SMALL, spot, "water"))
    lines = dict.fromkeys(_list_lines(game_map))
    return Scene(tuple(places), labels=place_labels(game_map), lines=tuple(lines), regions=regions)


def _draw_areas(game_map: GameMap) -> Scene:
    """Return the areas of a map, the larger first, as one that lies in another covers it."""
    outlines = {code: tuple(map(_stretch, points)) for code, points in game_map.areas.items()}
    places = list[Place]()
    for code in sorted(outlines, key=lambda code: _measure_area(outlines[code]), reverse=True):
        province = game_map.provinces[code]
        spot = _stretch(game_map.stands.get(code, game_map.spots[code]))
        shade = "water" if province.terrain is Terrain.SEA else "space"
        places.append(Place(code.lower(), outlines[code], spot, shade))
    for place, at in game_map.spots.items():
        if "/" in place:
            places.append(Place(place.lower(), _COAST, _stretch(at), "edge"))
    others = {} if game_map.names else {each.text: each.centre for each in place_labels(game_map)}
    names = {**others, **{code: _stretch(at) for code, at in game_map.names.items()}}
    return Scene(
        tuple(places),
        labels=tuple(
            Label(code, names[code], "centre" if province.centre else "")
            for code, province in game_map.provinces.items()
            if code in names
        ),
        lines=tuple(_list_bridges(game_map)),
        strokes=tuple(
            Stroke(tuple(map(_stretch, points)), "impassable") for points in game_map.impassable
        ),
        ground="map",
    )


def _list_bridges(game_map: GameMap) -> Iterator[tuple[str, str]]:
    """Yield the neighbours whose areas have no border in common."""
    borders = {
        code: {frozenset(side) for side in zip(area, (*area[1:], area[0]), strict=True)}
        for code, area in game_map.areas.items()
    }
    pairs = (sorted(map(province_of, (one, other))) for one, other in _list_pairs(game_map))
    for one, other in sorted({*map(tuple, pairs)}):
        if borders[one].isdisjoint(borders[other]):
            yield one.lower(), other.lower()


def _measure_area(outline: Sequence[Point]) -> float:
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x * q - p * y for (x, y), (p, q) in sides)) / 2


def _list_lands(position: DipState) -> Iterator[Mark]:
    """Yield the land without centres in the colour of its holder: the power with a unit there, else
    the one with most of the country's centres."""
    state = position.state
    standing = {unit.province: unit.power for unit in state.units}
    for power in position.game_map.powers:
        owners = [owner for code in power.homes if (owner := state.owners.get(code))]
        most = max(owners, key=lambda name: (owners.count(name), name == power.name), default="")
        for code in power.country:
            if owner := standing.get(code, most):
                yield Mark((code.lower(),), LAND, position.seat_names.index(owner))


def _stretch(spot: tuple[float, float]) -> tuple[float, float]:
    """Return where a place of the map file is drawn."""
    return spot[0], round(_STRETCH * spot[1], 2)


def place_labels(game_map: GameMap) -> tuple[Label, ...]:
    """Return the abbreviations of the provinces, each beside its place where it covers least of the
    other places and abbreviations."""
    discs = [
        (_stretch(spot), _SMALL if "/" in place else _RADIUS)
        for place, spot in game_map.spots.items()
    ]
    own = {code: _stretch(game_map.spots[code]) for code in game_map.provinces}
    near = {code: [disc for disc in discs if _is_near(disc[0], own[code])] for code in own}
    placed = dict[str, tuple[float, float]]()

    def measure(code: str, at: tuple[float, float]) -> float:
        others = [spot for other, spot in placed.items() if other != code and _is_near(spot, at)]
        return _measure_cover(at, own[code], near[code], others)

    def place(code: str) -> None:
        x, y = own[code]
        around = [(x + right, y + down) for right, down in _LABEL_SPOTS]
        placed[code] = min(around, key=lambda at: measure(code, at))

    for code in game_map.provinces:
        place(code)
    for _ in range(_LABEL_ROUNDS):  # those placed first knew nothing of the later ones
        for code in [code for code, spot in placed.items() if measure(code, spot)]:
            place(code)
    return tuple(Label(code, spot) for code, spot in placed.items())


def _is_near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether labels at or beside these spots could touch the units there."""
    return abs(one[0] - other[0]) < _NEAR and abs(one[1] - other[1]) < _NEAR


def _measure_cover(
    at: tuple[float, float],
    own: tuple[float, float],
    discs: Sequence[tuple[tuple[float, float], float]],
    labels: Sequence[tuple[float, float]],
) -> float:
    """Return the area that a label there would cover of other places and other labels."""
    x, y = at
    cover = 0.0
    for (disc_x, disc_y), radius in discs:
        if (disc_x, disc_y) != own:
            apart = hypot(
                max(abs(disc_x - x) - _LABEL_WIDTH, 0.0), max(abs(disc_y - y) - _LABEL_HEIGHT, 0.0)
            )
            cover += max(radius + 0.04 - apart, 0.0)
    for other_x, other_y in labels:
        aside = 2 * _LABEL_WIDTH - abs(other_x - x)
        below = 2 * _LABEL_HEIGHT - abs(other_y - y)
        cover += 8 * max(min(aside, below), 0.0)
    return round(cover, 3)


def _list_lines(game_map: GameMap) -> Iterator[tuple[str, str]]:
    """Yield the places between which a unit can move, in small letters."""
    for one, other in _list_pairs(game_map):
        yield one.lower(), other.lower()


def _list_pairs(game_map: GameMap) -> Iterator[tuple[str, str]]:
    for table in (game_map.armies, game_map.fleets):
        for place, near in table.items():
            for other in sorted(near):
                if place < other:
                    yield place, other


def build_scene(position: DipState, viewer: int | None) -> Scene:
    """Return the map, the units, the centres with their owners, and the orders of the last phase,
    or those that the viewer has given in this one."""
    drawn = position.phase.drawn
    if "scene" not in drawn:
        drawn["scene"] = _build_shared(position)
    shared: Scene = drawn["scene"]
    panels = (*shared.panels, *_list_own_panels(position, viewer))
    ordered = tuple(_list_own_arrows(position, viewer, shared))
    if not ordered:
        return replace(shared, panels=panels)
    centres = (mark for mark in shared.marks if is_of_place(mark))
    return replace(shared, panels=panels, marks=(*centres, *ordered))


def _build_shared(position: DipState) -> Scene:
    """Return the part of the map that everybody sees throughout a phase."""
    state, names = position.state, position.seat_names
    drawn = _draw_map(position.game_map)
    spots = {place.name: place.centre for place in drawn.places} if drawn.ground else {}
    pieces = [_make_piece(unit, position) for unit in state.units]
    for each in state.dislodged:
        piece = _make_piece(each.unit, position)
        x, y = spots.get(piece.place, (0.0, 0.0))
        beside = (x + _BESIDE[0], y + _BESIDE[1]) if spots else None
        kind = f"dislodged {piece.kind}"
        pieces.append(replace(piece, kind=kind, label=piece.label.lower(), centre=beside))
    order = {place.name: number for number, place in enumerate(drawn.places)}
    marks = [
        Mark((code.lower(),), phrase("centres of {power}", power=name), seat)
        for seat, name in enumerate(names)
        for code in state.list_centres(name)
    ]
    lands = _list_lands(position) if drawn.ground else ()
    listed = _list_tasks(position, is_grouped=True)
    tasks = (panel for text in listed for panel in remark(text))
    return replace(
        drawn,
        pieces=tuple(sorted(pieces, key=lambda piece: order[piece.place])),
        marks=(*marks, *lands, *_list_arrows(position, drawn)),
        panels=(*remark(_name_phase(state.name)), *_list_conquests(position), *tasks),
    )


def _make_piece(unit: Unit, position: DipState) -> Piece:
    """Return a unit as drawn: with many powers, marked with its home, `APAR`."""
    kind, seat = KIND_NAMES[unit.kind], position.seat_names.index(unit.power)
    home = position.game_map.powers[seat].homes[0] if position.is_crowded else ""
    return Piece(unit.place.lower(), kind, seat, label=unit.kind + home)


def _list_conquests(position: DipState) -> Iterator[Panel]:
    """Yield whose the centres are that have changed hands, where colours do not tell that."""
    if not position.is_crowded:
        return
    for power in position.game_map.powers:
        centres = position.state.list_centres(power.name)
        taken = [code for code in centres if code not in power.homes]
        if taken:
            yield from remark(
                phrase("{power} holds {centres}", power=power.name, centres=listing(centres))
            )


def _list_arrows(position: DipState, drawn: Scene) -> Iterator[Mark]:
    """Yield the orders that were judged last, from the unit to where it went, or where its help
    went."""
    standing = {unit.province: unit.place for unit in position.state.units}
    for record in position.latest:
        orders = [
            (power, read_order(text, position.game_map), result in _FINE)
            for power, text, result in record.judged
        ]
        ordered = {each.province: each.place for _, each, _ in orders if isinstance(each, Ordered)}
        for power, order, is_fine in orders:
            places, role = _find_arrow(order, standing | ordered, is_fine=is_fine)
            if places:
                yield _make_mark(drawn, places, role, position.seat_names.index(power))
        yield from _list_stand_offs(position, record.judged)


def _list_stand_offs(position: DipState, judged: Iterable[tuple[str, str, str]]) -> Iterator[Mark]:
    """Yield the provinces that are empty because no move there was stronger than another."""
    full = {unit.province for unit in position.state.units}
    orders = (
        read_order(text, position.game_map) for _, text, result in judged if result == _BOUNCED
    )
    names = (province_of(order.to) for order in orders if isinstance(order, Move))
    for name in dict.fromkeys(names):
        if name not in full:
            yield Mark((name.lower(),), STOOD_OFF)


def _list_own_arrows(position: DipState, viewer: int | None, drawn: Scene) -> Iterator[Mark]:
    """Yield the orders that the viewer has given in this phase."""
    if viewer is None or not position.sees(viewer, viewer):
        return
    standing = {unit.province: unit.place for unit in position.state.units}
    for order in position.list_orders(viewer):
        places, role = _find_arrow(order, standing, is_fine=True)
        if places:
            yield _make_mark(drawn, places, f"{ORDERED}{_ORDERED[role]}", viewer)


def _make_mark(drawn: Scene, places: Sequence[str], role: str, seat: int) -> Mark:
    """Return the mark of an order: words name its provinces, and it is drawn to their coasts."""
    spots = {place.name: place.centre for place in drawn.places}
    at = tuple(spots[place.lower()] for place in places)
    return Mark(tuple(province_of(place).lower() for place in places), role, seat, at)


def _find_arrow(
    order: Order, standing: Mapping[str, str], *, is_fine: bool
) -> tuple[tuple[str, ...], str]:
    """Return the places from and to which an order leads, and its role; no places where it marks
    nothing. Help with a move leads to the middle of the move's way. `standing` says at which coast
    of a province the unit is that is helped."""
    supported = phrase("supported") if is_fine else phrase("supported in vain")
    other = getattr(order, "other", "")
    other = standing.get(other, other)
    match order:
        case Hold():
            return (order.place,), HELD
        case Build() if is_fine:
            return (order.place,), BUILT
        case Disband() if is_fine:
            return (order.place,), DISBANDED
        case Move() | Retreat():
            return (order.place, order.to), phrase("moved") if is_fine else phrase("failed to move")
        case SupportHold():
            return (order.place, other), supported
        case SupportMove():
            return (order.place, other, order.to), supported
        case Convoy():
            role = phrase("convoyed towards") if is_fine else phrase("convoyed towards in vain")
            return (order.place, other, order.to), role
    return (), ""


def _list_own_panels(position: DipState, viewer: int | None) -> Iterator[Panel]:
    """Yield the orders that the viewer may see, in words."""
    for seat, name in enumerate(position.seat_names):
        if position.sees(viewer, seat) and (given := position.list_orders(seat)):
            entries = tuple(Entry(say_order(order)) for order in given)
            yield Panel(phrase("orders of {power}", power=name), entries)
        if viewer == seat and position.votes[seat]:
            yield Panel(
                phrase("vote of {power}", power=name),
                (Entry(position.votes[seat].removeprefix("vote ")),),
            )
        if viewer == seat and seat in position.waiting:
            held = phrase("phase held open by {power}", power=name)
            yield Panel(held, (Entry(phrase("until its deadline")),))


def say_order(order: Order) -> str:
    """Return an order in words: "army par to bur"."""
    if isinstance(order, Waive):
        return phrase("waive")
    unit = _say_unit(order.kind, order.place)
    if isinstance(order, Move):
        to = say_place(order.to)
        if order.via:
            return phrase("{unit} to {place} via", unit=unit, place=to)
        return phrase("{unit} to {place}", unit=unit, place=to)
    if isinstance(order, SupportHold):
        other = _say_unit(order.other_kind, order.other)
        return phrase("{unit} supports {other}", unit=unit, other=other)
    if isinstance(order, SupportMove):
        other = _say_unit(order.other_kind, order.other)
        to = say_place(order.to)
        return phrase("{unit} supports {other} to {place}", unit=unit, other=other, place=to)
    if isinstance(order, Convoy):
        other, to = _say_unit("A", order.other), say_place(order.to)
        return phrase("{unit} convoys {other} to {place}", unit=unit, other=other, place=to)
    if isinstance(order, Retreat):
        return phrase("{unit} retreats to {place}", unit=unit, place=say_place(order.to))
    return fill_in(_OF_A_UNIT[type(order)], unit=unit)


def _say_unit(kind: str, place: str) -> str:
    if kind == "A":
        return phrase("army {place}", place=say_place(place))
    return phrase("fleet {place}", place=say_place(place))


def say_place(place: str) -> str:
    """Return a place in a form that can be read aloud: "stp south coast"."""
    province, _, coast = place.lower().partition("/")
    return make_item(fill_in(_COASTS[coast], province=province)) if coast else province


def describe_units(position: DipState, scene: Scene) -> Sequence[str]:
    """Return the lines of the words about the units."""
    drawn = position.phase.drawn
    if "units" not in drawn:
        drawn["units"] = _describe_units(scene, position.colours)
    lines: Sequence[str] = drawn["units"]
    return lines


def _describe_units(scene: Scene, colours: Sequence[str]) -> Sequence[str]:
    spoken = [replace(piece, place=say_place(piece.place)) for piece in scene.pieces]
    return describe_pieces(replace(scene, pieces=tuple(spoken)), colours)


def write_notes(position: DipState) -> tuple[str, ...]:
    """Return sentences on what the scene does not show."""
    gone = [position.seat_names[seat] for seat in position.in_disorder]
    if not gone:
        return ()
    disorder = phrase_number(
        "{powers} is in civil disorder.",
        "{powers} are in civil disorder.",
        len(gone),
        powers=listing(gone),
    )
    return (disorder,)


# A phase of Diplomacy as JSON values.


def store_state(state: PhaseState) -> list[Any]:
    """Return the state without its map and rules."""
    return [
        state.year,
        state.season.value,
        state.stage.value,
        [_store_unit(unit) for unit in state.units],
        [[code, owner] for code, owner in state.owners.items()],
        [[_store_unit(each.unit), each.by, list(each.options)] for each in state.dislodged],
        state.winner,
    ]


def load_state(values: list[Any], game_map: GameMap, rules: DiplomacyRules) -> PhaseState:
    """Return the state that `store_state` wrote."""
    year, season, stage, units, owners, dislodged, winner = values
    return PhaseState(
        game_map=game_map,
        year=year,
        season=Season(season),
        stage=Stage(stage),
        units=tuple(_load_unit(each) for each in units),
        owners=dict(owners),
        dislodged=tuple(
            Dislodged(_load_unit(unit), by, tuple(options)) for unit, by, options in dislodged
        ),
        winner=winner,
        rules=rules,
    )


def _store_unit(unit: Unit) -> list[str]:
    return [unit.power, unit.kind, unit.place]


def _load_unit(values: list[str]) -> Unit:
    power, kind, place = values
    return Unit(power, kind, place)
