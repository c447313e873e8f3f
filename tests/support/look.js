// Looks at a page as a reader does: every text that is to be seen, and what is cut off, sticks out or overlaps.
// `names` may be cut, for they can be of any length; so may what `meant` selects.
([names, meant]) => {
  const named = new RegExp(`^(?:${names})$`);
  const told = new Set([document.title]);
  const wrong = new Set();
  const page = document.scrollingElement;
  if (page.scrollWidth > page.clientWidth) wrong.add(`the page is ${page.scrollWidth} wide`);

  const visible = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const styles = new Map();
  const styleOf = (one) => {
    if (!styles.has(one)) styles.set(one, getComputedStyle(one));
    return styles.get(one);
  };
  const hides = (overflow) => overflow === "hidden" || overflow === "clip";
  /** What only listeners get: a box of one pixel. */
  function unheeded(one) {
    for (let box = one; box; box = box.parentElement)
      if (box.clientWidth === 1 && box.clientHeight === 1 && hides(styleOf(box).overflowX)) return true;
    return Boolean(one.closest(".visually-hidden, .skip, noscript, script, style, option"));
  }
  const name = (one) => `${one.tagName.toLowerCase()}${one.id && `#${one.id}`}${[...one.classList].map((c) => `.${c}`).join("")}`;
  const complain = (one, what, text) => {
    if (!one.closest(meant) && !named.test(text)) wrong.add(`“${text}” ${what} ${name(one)}`);
  };

  /** Whether something that stands here can be seen whole, as far as boxes around it allow. */
  function cutBy(one, { left, right, top, bottom }) {
    let [across, down] = [true, true]; // not where one can scroll
    let outer = false; // an absolute box leaves those that do not hold it
    for (let box = one; box && box !== document.body; box = box.parentElement) {
      const { position, overflowX, overflowY } = styleOf(box);
      if (!outer || position !== "static") {
        const edge = box.getBoundingClientRect();
        if (across && hides(overflowX) && (left < edge.left - 1 || right > edge.right + 1)) return box;
        if (down && hides(overflowY) && (top < edge.top - 3 || bottom > edge.bottom + 3)) return box;
        across &&= overflowX !== "auto" && overflowX !== "scroll";
        down &&= overflowY !== "auto" && overflowY !== "scroll";
        outer = false;
      }
      if (position === "fixed") return null;
      outer ||= position === "absolute";
    }
    return across && (left < -1 || right > innerWidth + 1) ? document.body : null;
  }

  /** The box whose text it is: no mere part of a line. */
  function boxOf(one) {
    while (/^(inline|contents)$/.test(styleOf(one).display)) one = one.parentElement;
    return one;
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.data.trim().replace(/\s+/g, " ");
    const parent = node.parentElement;
    if (!text || !visible(parent)) continue;
    if (!parent.closest("noscript, script, style")) told.add(text);
    if (unheeded(parent) || parent.closest("svg")) continue;
    range.selectNodeContents(node);
    const box = boxOf(parent);
    const edge = box.getBoundingClientRect();
    for (const rect of range.getClientRects()) {
      if (rect.width === 0) continue;
      const cut = cutBy(parent, rect);
      if (cut) complain(cut, "is cut by", text);
      if (rect.left < edge.left - 3 || rect.right > edge.right + 3) complain(box, "sticks out of", text);
    }
  }

  const brush = document.createElement("canvas").getContext("2d");
  for (const one of document.querySelectorAll("select, input[placeholder]")) {
    if (!visible(one) || unheeded(one) || styleOf(one).opacity === "0") continue;
    const text = one.placeholder ?? one.selectedOptions[0]?.text ?? "";
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = styleOf(one);
    brush.font = `${fontWeight} ${fontSize} ${fontFamily}`; // `font` itself is empty where features are set
    const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (brush.measureText(text).width > room + 1) complain(one, "has no room in", text);
  }

  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const attribute of ["aria-label", "title", "placeholder", "alt"])
      if (one.hasAttribute(attribute) && visible(one)) told.add(one.getAttribute(attribute).trim());
  for (const one of document.querySelectorAll("option:not([lang])")) told.add(one.text.trim());

  /** What floats above the rest may cover it: a bubble, a bar, a dialog. */
  function layerOf(one) {
    while (one && !/^(absolute|fixed|sticky)$/.test(styleOf(one).position)) one = one.parentElement;
    return one;
  }
  /** What is to be seen of a box, with all that scrolls as it is. */
  function seenOf(one) {
    let { left, right, top, bottom } = one.getBoundingClientRect();
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement) {
      if (styleOf(box).overflowX === "visible") continue;
      const edge = box.getBoundingClientRect();
      [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
      [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
    }
    return { left, right, top, bottom };
  }
  const controls = [...document.querySelectorAll("button, .button, select, input, summary, a[href]")]
    .filter((one) => visible(one) && !unheeded(one) && !one.closest("svg") && styleOf(one).display !== "inline")
    .map((one) => ({ one, layer: layerOf(one), box: seenOf(one) }));
  for (const [i, a] of controls.entries())
    for (const b of controls.slice(i + 1)) {
      if (a.layer !== b.layer || a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 2 && down > 2) complain(a.one, `lies on “${b.one.textContent.trim()}”:`, a.one.textContent.trim());
    }
  return { told: [...told], wrong: [...wrong] };
};
