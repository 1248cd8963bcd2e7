"""Draws lines as SVG, with text as text, so that a picture takes some kilobytes and needs no library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

COLORS = ["#d1495b", "#30638e", "#3c7a57", "#b08d3c"]
WIDTH, HEIGHT = 680, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 58, 46
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Line:
    """A line with its name and its points."""

    name: str
    points: Points


@dataclass(frozen=True)
class _Scale:
    """Places of values on a logarithmic axis."""

    least: float
    most: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        part = math.log(value / self.least) / math.log(self.most / self.least)
        return round(self.start + part * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """1, 2 and 5 times powers of ten."""
        powers = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        ticks = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
        return [tick for tick in ticks if self.least <= tick <= self.most * 1.001]


def line_chart(title: str, below: str, across: str, up: str, lines: list[Line]) -> str:
    """Lines over logarithmic axes.

    Args:
        title: what is shown.
        below: under which conditions.
        across, up: what the axes show, with units.
        lines: at most four, of positive values.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    x = _Scale(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    y = _Scale(10 ** math.floor(math.log10(min(ys))) if min(ys) < 5 else min(ys) * 0.8,
               max(ys) * 1.2, HEIGHT - BOTTOM, TOP)
    parts = [_text(LEFT, 24, title, size=15, weight="bold"), _text(LEFT, 42, below, color="#666666")]
    for tick in y.ticks():
        parts.append(f'<path d="M{LEFT} {y(tick)}H{WIDTH - RIGHT}" stroke="#e6e6e6"/>')
        parts.append(_text(LEFT - 6, y(tick) + 4, f"{tick:g}", anchor="end"))
    for tick in x.ticks():
        parts.append(f'<path d="M{x(tick)} {TOP}V{HEIGHT - BOTTOM}" stroke="#e6e6e6"/>')
        parts.append(_text(x(tick), HEIGHT - BOTTOM + 16, f"{tick:g}", anchor="middle"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, anchor="middle"))
    parts.append(_text(8, TOP - 4, up, color="#666666"))
    places = _apart([y(line.points[-1][1]) for line in lines])
    for line, color, place in zip(lines, COLORS, places):
        path = " ".join(f"{x(a)},{y(b)}" for a, b in line.points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(a)}" cy="{y(b)}" r="3" fill="{color}"/>' for a, b in line.points]
        parts.append(_text(WIDTH - RIGHT + 8, place + 4, line.name, color=color))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" font-family="sans-serif" font-size="12">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n')


def _text(x: float, y: float, text: str, *, anchor: str = "start", color: str = "#222222",
          size: int = 12, weight: str = "normal") -> str:
    return (f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{color}" font-size="{size}" '
            f'font-weight="{weight}">{escape(text)}</text>')


def _apart(places: list[float]) -> list[float]:
    """Places of names, at least a line apart from each other."""
    made = list(places)
    last = -math.inf
    for number in sorted(range(len(places)), key=lambda number: places[number]):
        made[number] = last = max(places[number], last + 15)
    return made
