"""Pictures in mails. A mail is stored with its board as SVG, which takes a millisecond in the
transaction; the PNG that mail programs show is made of it when the mail is sent."""

from __future__ import annotations

import zlib
from base64 import b64decode, encodebytes
from collections.abc import Callable

from pbm.pictures.png import MOST_BYTES, make_png

Draw = Callable[[str, int], bytes]
"""Makes a PNG of at most so many bytes from SVG: `make_png`, here or in another process."""
PICTURED = "=_pbm_pictured_"
"""The boundary of mails with a picture, by which they are known. Quoted-printable text contains no
boundary of ours: there `=` is followed by two hexadecimal digits."""
RELATED = "=_pbm_related_"
_MARK = f'\r\nContent-Type: multipart/alternative; boundary="{PICTURED}"\r\n'.encode()
_STORED, _SENT = b"application/vnd.pbm.svg", b"image/png"
_MOST_MAIL = 59_000
"""How large a mail with a picture may be; larger boards get coarser pictures."""


def enclose_drawing(svg: str, content_id: str) -> bytes:
    """Return the part of a mail that holds a drawing, until the mail is sent."""
    head = (
        f"--{RELATED}",
        f"Content-Type: {_STORED.decode()}",
        "Content-Transfer-Encoding: base64",
        f"Content-ID: <{content_id}>",
        'Content-Disposition: inline; filename="board.png"',
        "",
        "",
    )
    return "\r\n".join(head).encode("ascii") + _base64(zlib.compress(svg.encode()))


def has_drawing(message: bytes) -> bool:
    """Whether a mail is stored with a drawing."""
    return message.find(_MARK, 0, message.find(b"\r\n\r\n") + 2) >= 0


def draw_picture(message: bytes, draw: Draw = make_png) -> bytes:
    """Return the mail with its drawing as PNG; without it where none can be made, since a mail
    matters more than its picture. `draw` makes it, which takes some 100 ms."""
    opening = f"\r\n--{RELATED}\r\nContent-Type: ".encode() + _STORED
    closing = f"--{RELATED}--".encode()
    before, _, rest = message.partition(opening)
    drawing, _, after = rest.partition(closing)
    head, _, written = drawing.partition(b"\r\n\r\n")
    room = (_MOST_MAIL - len(before) - len(after)) * 73 // 100
    try:
        svg = zlib.decompress(b64decode(written)).decode()
        picture = draw(svg, min(MOST_BYTES, room))
    except Exception as error:  # whatever is wrong with the picture, the mail goes out
        import structlog  # the command line composes mails too, and starts without it

        structlog.get_logger().error("picture", exc_info=error)
        return before + b"\r\n" + closing + after
    opening = opening.removesuffix(_STORED) + _SENT
    return b"".join((before, opening, head, b"\r\n\r\n", _base64(picture), closing, after))


def _base64(content: bytes) -> bytes:
    """Lines of base64, each with its end."""
    return encodebytes(content).replace(b"\n", b"\r\n")
