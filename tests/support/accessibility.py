"""Pages examined with axe-core, in light and dark, and by measures that axe does not take."""

from __future__ import annotations

import subprocess
from functools import cache

from playwright.sync_api import Page

from checkout import ROOT

AXE = "axe-core@4.14.0"
RETURNS = 300.0  # seconds for npm, at the most

RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ["violations"] });
  return violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .flatMap((one) => one.nodes.map((node) => {
      const why = [...node.any, ...node.all].map((check) => check.message)[0] ?? one.help;
      return `${one.id}: ${node.target.join(" ")}: ${why}`;
    }));
}"""

# What is wider than the page, and controls that nobody can get at: beside the page, or smaller than a finger.
REFLOW = """() => {
  const page = document.scrollingElement;
  const lost = page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} wide`] : [];
  for (const one of document.querySelectorAll("button, a[href], input, select, textarea, summary")) {
    const box = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true }) || !box.width) continue;
    if (one.closest(".visually-hidden, .skip, svg")) continue;
    if (box.left < -1 || box.right > page.clientWidth + 1) {
      let scrolls = one.parentElement;
      while (scrolls && !/auto|scroll/.test(getComputedStyle(scrolls).overflowX)) scrolls = scrolls.parentElement;
      const name = one.id || one.className || one.textContent;
      if (!scrolls || scrolls === page) lost.push(`${name}: ${box.left} to ${box.right}`);
    }
  }
  return lost;
}"""

SETTLED = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


@cache
def _axe() -> str:
    """The examiner's program, fetched once into build/."""
    command = [str(ROOT / "tools" / "get-node-packages"), "axe", "The pages cannot be examined", AXE]
    got = subprocess.run(command, capture_output=True, text=True, check=False, timeout=RETURNS)
    assert got.returncode == 0, got.stderr
    return (ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def examine(page: Page, what: str) -> list[str]:
    """What axe finds serious or critical on a page as it stands now, in light and in dark."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function("(theme) => (document.documentElement.dataset.theme ?? theme) === theme", arg=scheme)
        page.evaluate(SETTLED)
        page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))")
        found += [f"{what}, {scheme}: {one}" for one in page.evaluate(RUN)]
    return found


def reflow(page: Page, what: str, width: int, height: int) -> list[str]:
    """What does not fit at a size of the window."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => matchMedia(`(width: ${width}px)`).matches", arg=width)
    page.evaluate(SETTLED)
    return [f"{what} at {width}: {one}" for one in page.evaluate(REFLOW)]


def contrast(one: str, other: str) -> float:
    """How far two colours such as #c8301f are apart in lightness: WCAG's contrast ratio, 1 to 21."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
