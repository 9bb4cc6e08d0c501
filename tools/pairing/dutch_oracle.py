"""py4swiss, which pairs as bbpPairings 5 does, asked for the next round of a record. It reads the
record as a TRF, so that scores, colours and floats are worked out by it as well."""

from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from pbm.pairing.record import Record
from pbm.pairing.trf import write_trf


def ask_oracle(record: Record, folder: Path) -> list[tuple[int, ...]] | None:
    """Return the seats of each board of the next round in the order of the tables, one number for
    the bye; None if it finds no pairing."""
    path = folder / "record.trf"
    path.write_text(write_trf(record), encoding="utf-8")
    try:
        pairings = DutchEngine.generate_pairings(TrfParser.parse(path))
    except PairingError:
        return None
    return [(each.white, each.black) if each.black else (each.white,) for each in pairings]
