"""The pages in each language: no sentence stands in a template or in the code of pages that cannot
be said in another, and all fit on a phone and on a screen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment, nodes
from playwright.sync_api import Browser

import pbm.web
from pbm.locale import LANGUAGES
from pbm.web.site import find_language, load_templates
from tests.harness.visitor import Club
from tools.web.clicker import PATIENCE_MS

_FILLED_IN = "\ufffc"
"""Stands for what a template fills in."""
_SAYS = {"_", "ngettext"}
_TYPED = {"code"}
"""What shows a line to send, which is the same in every language."""
_NAMES = {"JSON", "PNG", "pbm"}
"""Words of templates that are names, and so the same in every language."""
_READ_ALOUD = ("aria-label", "title", "alt", "placeholder")
_LETTER = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}")
_ATTRIBUTE = re.compile(r'[\w-]+="')
"""How a part of a template begins that is filled in within a tag."""
_SENTENCE = re.compile(r"^[A-Z][a-z]+ [a-z]+.*|^.*[a-z]{2}\.$")
_PHRASES = {"phrase", "phrase_number", "combine"}
_FOR_PROGRAMS = {"xfcc.py", "feeds.py"}
"""What programs read."""
_UNREAD = {"send_400_response"}
"""What says something before a request, with its language, has been read."""
_TOO_WIDE = """width => [document.documentElement, ...document.querySelectorAll('body *')].filter(
    each => !each.closest('.wide, .scroll, pre') && each.scrollWidth > width
).map(each => each.outerHTML.slice(0, 120))"""
_CUT = """[...document.querySelectorAll('button, .button, .steps a, header a')].filter(
    each => each.offsetParent && each.scrollWidth > each.clientWidth + 1 && each.clientWidth
).map(each => each.outerHTML.slice(0, 120))"""
"""Buttons and links whose text is wider than they are."""


class Reader(HTMLParser):
    """Finds the words of a template that stand there whoever reads it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at what is read aloud."""
        for name, value in attrs:
            if name in _READ_ALOUD:
                self.handle_data(value or "")

    def handle_data(self, data: str) -> None:
        """Look at the text."""
        text = data.replace(_FILLED_IN, " ").strip()
        if _LETTER.search(text) and text not in _NAMES:
            self.found.append(text)


def list_constants(node: nodes.Node) -> Iterator[str]:
    """Yield the texts of expressions that are neither said in a language nor typed as they are,
    nor compared with something, nor the names of classes."""
    if isinstance(node, nodes.Compare) or (isinstance(node, nodes.Keyword) and node.key == "class"):
        return
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield from (node.value,) if _WORDS.search(node.value) else ()
    if isinstance(node, nodes.CondExpr):
        chosen = [each for each in (node.expr1, node.expr2) if isinstance(each, nodes.Const)]
        yield from (each.value for each in chosen if _LETTER.search(str(each.value)))
    is_said = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name)
    if not (is_said and node.node.name in _SAYS | _TYPED):  # type: ignore[attr-defined]
        for child in node.iter_child_nodes():
            yield from list_constants(child)
    else:
        for child in node.iter_child_nodes(only=("kwargs",)):
            yield from list_constants(child)


def write_bare(node: nodes.Node) -> str:
    """Return what stands in a template, with a mark for each thing that is filled in."""
    if isinstance(node, nodes.TemplateData):
        return node.data
    if isinstance(node, nodes.AssignBlock):
        text = "".join(map(write_bare, node.body))
        return f"<p {text}>" if _ATTRIBUTE.match(text) else text
    if isinstance(node, nodes.Output):
        return "".join(
            each.data if isinstance(each, nodes.TemplateData) else _FILLED_IN for each in node.nodes
        )
    return "".join(map(write_bare, node.iter_child_nodes()))


def find_english(template: str) -> list[str]:
    """Return what a template says to readers of every language in English."""
    tree = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).parse(template)
    return [*Reader(write_bare(tree)).found, *list_constants(tree)]


def test_no_sentence_of_a_template_is_english_in_every_language() -> None:
    pages = {name: text for name, text in load_templates().items() if name.endswith(".html")}
    assert len(pages) > 20
    assert {name: found for name, text in pages.items() if (found := find_english(text))} == {}
    planted = '<p title="Look here">{{ _("Said") }} {{ "said" if x }}</p>and this'
    assert find_english(planted) == ["Look here", "and this", "said"]
    assert find_english('{% set about %}id="x" title="Read it"{% endset %}') == ["Read it"]


def list_code_constants(tree: ast.AST) -> Iterator[str]:
    """Yield the sentences of a module that are no phrases, without its docstrings."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _PHRASES:
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _UNREAD:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _SENTENCE.findall(node.value)
        yield from list_code_constants(node)


def test_no_sentence_in_the_code_of_pages_is_english_in_every_language() -> None:
    package = Path(pbm.web.__file__).parent
    paths = [
        path
        for path in (*package.rglob("*.py"), *package.parent.glob("features/*/*page*.py"))
        if path.name not in _FOR_PROGRAMS
    ]
    assert len(paths) > 10
    found = {
        path.name: said
        for path in paths
        if (said := [*list_code_constants(ast.parse(path.read_text(encoding="utf-8")))])
    }
    assert found == {}
    planted = 'x = f("Not said here")\ny = phrase("It is said")\n"""Not a sentence."""\n'
    assert [*list_code_constants(ast.parse(planted))] == ["Not said here"]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (b"de", "de"),
        (b"DE-at", "de"),
        (b"fr;q=0.5,nl", "nl"),
        (b"fr ; q=0.5 , nl;q=0.4", "fr"),
        (b"en;q=0,de;q=0", "es"),
        (b"pt-BR,pt", "es"),
        (b"*", "es"),
        (b"q=1;;,de;q=x", "es"),
        (b"x" * 100_000, "es"),
        (b"de;q=nan, nl;q=0.1", "nl"),
        (b"\xff\xfe", "es"),
    ],
)
def test_the_browser_names_languages_by_how_much_they_are_liked(
    header: bytes, language: str
) -> None:
    scope = {"type": "http", "headers": [(b"accept-language", header)]}
    assert find_language(scope, "es") == language
    assert find_language({"type": "http", "headers": []}, "nl") == "nl"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server of its own: its players read in one language after the other."""
    club = Club(tmp_path_factory.mktemp("languages"))
    club.signup("ann", "bob")
    yield club
    club.close()


@pytest.fixture(scope="module")
def paths(club: Club) -> list[str]:
    """Pages of all kinds; those of a player are ann's."""
    chess = club.challenge("chess", "ann", "bob", options="-time=3d")
    hexes = club.challenge("hex", "ann", "bob")
    club.submit(f"hex propose {hexes} bob")
    club.submit("event new ladder hex ann")
    club.submit("event enter 1 ann")
    seat, home = club.links(chess)[0], club.home("ann")
    public = ["", f"board/{chess}", f"board/{hexes}/try", "game/chess", "game/hex/ratings"]
    public += ["player/ann", "events", "event/1", "join", "nothing", "how", "find"]
    return [
        *(f"{club.url}/{path}" for path in public),
        *(seat, f"{seat}?m=e2", f"{seat}?m=e2&m=e4", club.links(hexes)[0], f"{seat}/try?t=e2e4"),
        *(
            home,
            *(f"{home}/{path}" for path in ("events", "event/1", "begin?game=hex", "settings")),
        ),
        f"{club.url}/s/1-0-{'a' * 32}",
    ]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_in_every_language(
    club: Club, paths: list[str], browser: Browser, language: str, width: int
) -> None:
    """Nothing scrolls sideways, and no button is narrower than its text."""
    club.submit(f"set ann language={language}")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, locale=language, bypass_csp=True
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    for path in paths:
        page.goto(path)
        assert page.locator("html").get_attribute("lang") == language, path
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate(_TOO_WIDE, width) == [], path
        assert page.evaluate(_CUT) == [], path
    context.close()
