// The picture on the page: zoom, keys, what is chosen.
let drawing = null;
function paint() {
  const made =
    many && !picture.opened ? cardPicture() : wholePicture(picture.opened ? [picture.opened] : pods);
  drawing = {
    ...made,
    svg: draw(
      "svg",
      { role: "group", "aria-label": "Topology: arrow keys move, Enter chooses, + and - zoom" },
      made.parts,
    ),
  };
  if (made.nodes.length) made.nodes[0].setAttribute("tabindex", "0");
  picture.home = made.box;
  canvas.classList.toggle("short", made.box[3] / made.box[2] < 0.3);
  setView(made.box);
  listen(drawing.svg);
  canvas.replaceChildren(drawing.svg);
  showLegend();
  light();
  back.hidden = !picture.opened;
}
function setView(box) {
  picture.view = box;
  drawing.svg.setAttribute("viewBox", box.map((n) => Math.round(n * 10) / 10).join(" "));
}
function zoom(factor, at) {
  const [x, y, width, high] = picture.view;
  const next = Math.min(picture.home[2] * 1.5, Math.max(160, width / factor)),
    ratio = next / width;
  const [cx, cy] = at || [x + width / 2, y + high / 2];
  setView([cx - (cx - x) * ratio, cy - (cy - y) * ratio, next, high * ratio]);
}
function pointOf(event) {
  const matrix = drawing.svg.getScreenCTM();
  return matrix ? [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d] : null;
}
function listen(svg) {
  let drag = null;
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, pointOf(event));
    },
    { passive: false },
  );
  svg.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, view: picture.view, far: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const matrix = svg.getScreenCTM();
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.far && Math.abs(dx) + Math.abs(dy) < 5) return;
    drag.far = true;
    svg.classList.add("moved");
    setView([drag.view[0] - dx / matrix.a, drag.view[1] - dy / matrix.d, drag.view[2], drag.view[3]]);
  });
  svg.addEventListener("pointerup", () => {
    drag = null;
    svg.classList.remove("moved");
  });
  svg.addEventListener("pointerleave", () => {
    drag = null;
    svg.classList.remove("moved");
  });
  svg.addEventListener("dblclick", (event) => zoom(1.6, pointOf(event)));
  svg.addEventListener("keydown", onKey);
}
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function onKey(event) {
  const node = event.target.closest(".thing");
  if (event.key === "+" || event.key === "-") {
    zoom(event.key === "+" ? 1.25 : 0.8);
    return;
  }
  if (event.key === "Escape" && picture.opened) {
    openPod(null);
    return;
  }
  if (!node) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(node.item);
    return;
  }
  const way = STEPS[event.key];
  if (!way) return;
  event.preventDefault();
  const next = nearest(node.spot, way);
  if (next) {
    node.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
function nearest(from, [dx, dy]) {
  let best = null,
    least = Infinity;
  for (const node of drawing.nodes) {
    const [ax, ay] = [(node.spot.x - from.x) * dx, (node.spot.y - from.y) * dy];
    if (ax + ay <= 1) continue;
    const aside = Math.abs(dx ? node.spot.y - from.y : node.spot.x - from.x);
    const cost = ax + ay + aside * 3;
    if (cost < least) {
      best = node;
      least = cost;
    }
  }
  return best;
}
// What is chosen, and its cables; of a host each one to its leaf.
function light() {
  if (!drawing) return;
  const item = picture.chosen;
  drawing.nodes.forEach((node) => node.classList.toggle("chosen", Boolean(item) && node.item === item));
  drawing.svg.querySelector(".own")?.replaceChildren();
  const names = item && item.kind === "bundle" ? [item.lower, item.upper] : item ? [item.name] : [];
  const lit = [...drawing.svg.querySelectorAll(".cable[data-lower]")].filter(
    (line) =>
      names.length &&
      (item.kind === "bundle"
        ? line.dataset.lower === names[0] && line.dataset.upper === names[1]
        : [line.dataset.lower, line.dataset.upper].includes(names[0])),
  );
  drawing.svg.querySelectorAll(".cable.lit").forEach((line) => line.classList.remove("lit"));
  lit.forEach((line) => line.classList.add("lit"));
  drawing.svg.classList.toggle("faded", lit.length > 0 || (item && item.kind === "host"));
  if (!item || item.kind !== "host") return;
  const spot = new Map(drawing.nodes.map((node) => [node.item, node.spot]));
  const from = spot.get(item);
  if (!from) return;
  const lines = cablesOf(item)
    .map((port) => [port, spot.get(switchNamed.get(port.at))])
    .filter(([, to]) => to)
    .map(([port, to]) =>
      draw("line", {
        class: `cable lit ${colourOf({ ...port, lower: port.at })}`,
        x1: from.x,
        y1: from.top,
        x2: to.x,
        y2: to.bottom,
        "stroke-width": 2,
      }),
    );
  drawing.svg.querySelector(".own").append(...lines);
}
// Brings what was found so near that its name can be read.
function approach(item) {
  const node = drawing && drawing.nodes.find((each) => each.item === item);
  const wide = canvas.clientWidth,
    high = canvas.clientHeight;
  if (!node || !wide || wide / picture.home[2] > 0.8) return;
  const width = Math.min(picture.home[2], wide / 1.1),
    tall = (width * high) / wide;
  const mates = drawing.nodes.filter((each) => each.item.pod === item.pod).map((each) => each.spot.x);
  const [first, last] = [Math.min(...mates), Math.max(...mates)];
  const x = last - first < width * 0.9 ? (first + last) / 2 : node.spot.x;
  const y = (node.spot.top + node.spot.bottom) / 2;
  const [left, , whole] = picture.home;
  setView([
    Math.min(Math.max(x - width / 2, left), left + whole - width),
    item.kind === "host" ? y - tall * 0.7 : y - tall / 2,
    width,
    tall,
  ]);
}
function openPod(pod) {
  picture.opened = pod;
  paint();
}
const back = el(
  "button",
  {
    type: "button",
    hidden: true,
    onclick: () => {
      openPod(null);
      choose(null);
    },
  },
  "\u2190 All pods",
);
function topologyPart() {
  const pick = el(
    "select",
    {
      id: "colour",
      onchange: () => {
        picture.by = pick.value;
        paint();
      },
    },
    Object.keys(colours).map((name) => el("option", { value: name }, name)),
  );
  const tools = el(
    "div",
    { class: "tools" },
    back,
    el("label", { for: "colour" }, "Colour cables by"),
    pick,
    el("button", { type: "button", "aria-label": "Zoom in", onclick: () => zoom(1.3) }, "+"),
    el("button", { type: "button", "aria-label": "Zoom out", onclick: () => zoom(1 / 1.3) }, "\u2212"),
    el("button", { type: "button", onclick: () => setView(picture.home) }, "Fit"),
    el("span", { class: "said" }, "Drag to move; Ctrl and the wheel zoom; arrow keys and Enter select."),
  );
  if (!switches.length)
    return part(
      "topology",
      "Topology",
      "The inventory has no switches: the provider runs the fabric. Click a host for its details.",
      tools,
      el("div", { class: "draw", id: "draw" }, canvas, drawer),
    );
  const lead = many
    ? "Spines, and a card for each pod: leaves with the hosts cabled to them. Click a card to open its pod."
    : "Spines, leaves, and the hosts cabled to them. Click a host, a switch or a cable for its details.";
  return part(
    "topology",
    "Topology",
    lead,
    tools,
    legend,
    el("div", { class: "draw", id: "draw" }, canvas, drawer),
  );
}
