"""A small SVG writer for the manual's pictures: boxes, lines, bars and text, readable in light and dark mode.

Coordinates are pixels from the top left. Text is escaped; nothing depends on the machine's fonts except the
width of text, which nothing measures.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

STYLE = """\
text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}
.b{font-weight:600}.s{font-size:11px;fill:#59636e}.m{font-family:ui-monospace,monospace;font-size:11px}
.paper{fill:#fff}.box{fill:#f6f8fa;stroke:#8c959f}.line{stroke:#8c959f;fill:none}.pale{fill-opacity:.18}
.c0{fill:#0969da}.c1{fill:#bc4c00}.c2{fill:#1a7f37}.c3{fill:#8250df}.c4{fill:#cf222e}.c5{fill:#9a6700}
.k0{stroke:#0969da}.k1{stroke:#bc4c00}.k2{stroke:#1a7f37}.k3{stroke:#8250df}.c6{fill:#59636e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.paper{fill:#0d1117}
.box{fill:#151b23;stroke:#656c76}.line{stroke:#656c76}.c0{fill:#4493f8}.c1{fill:#f0883e}.c2{fill:#3fb950}
.c3{fill:#ab7df8}.c4{fill:#f85149}.c5{fill:#d29922}}
"""


class Picture:
    """Shapes in drawing order. ``title``: for screen readers."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.shapes: list[str] = []

    def text(self, x: float, y: float, text: str, *classes: str, anchor: str = "start") -> None:
        """One line of text; ``y`` is its baseline."""
        at = f'x="{x:g}" y="{y:g}"'
        anchored = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.shapes.append(f"<text {at}{_class(classes)}{anchored}>{escape(text)}</text>")

    def box(self, x: float, y: float, width: float, height: float, *classes: str) -> None:
        """A rectangle; without a class the plain box."""
        size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"'
        self.shapes.append(f"<rect {size}{_class(classes or ('box',))}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, *classes: str, arrow: bool = False) -> None:
        """A straight line, optionally with an arrow at its end."""
        head = ' marker-end="url(#arrow)"' if arrow else ""
        ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
        self.shapes.append(f"<line {ends}{_class(('line', *classes))}{head}/>")

    def card(self, x: float, y: float, width: float, lines: list[str], *classes: str) -> float:
        """A box with a bold first line and smaller lines below it; returns its lower edge."""
        height = 14 + 17 * len(lines)
        self.box(x, y, width, height, *classes)
        for number, text in enumerate(lines):
            self.text(x + 10, y + 20 + 17 * number, text, "s" if number else "b")
        return y + height

    def __str__(self) -> str:
        arrow = (
            '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'orient="auto"><path d="M0 0L8 4L0 8z" class="c6"/></marker></defs>'
        )
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(self.title)}>'
        )
        paper = f'<rect class="paper" width="{self.width}" height="{self.height}"/>'
        return "\n".join([head, f"<style>{STYLE}</style>{arrow}{paper}", *self.shapes, "</svg>", ""])


def _class(classes: tuple[str, ...]) -> str:
    return f' class="{" ".join(classes)}"' if classes else ""
