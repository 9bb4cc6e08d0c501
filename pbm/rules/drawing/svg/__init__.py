"""Draws scenes as SVG."""

from pbm.rules.drawing.svg.draw import draw_svg

__all__ = ["draw_svg"]
