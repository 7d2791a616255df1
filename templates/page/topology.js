// The picture: spines above, pods of leaves and hosts below; of many pods a card each, opened one at a time.
const LEAF = 46, LEAF_HIGH = 30, GAP = 4, SPINE = 78, ROW = 14;
const MANY_PODS = 4, MANY_LEAVES = 40, MANY_HOSTS = 320;
const many = pods.length > MANY_PODS || pods.some((pod) => pod.leaves.length > MANY_LEAVES || pod.hosts.length > MANY_HOSTS);
const picture = { by: "speed", opened: null, chosen: null, view: null, home: null };
const canvas = el("div", { class: "canvas" });
const legend = el("ul", { class: "legend", "aria-label": "Colours of the cables" });

const colours = {
  speed: { names: [...new Set(switches.flatMap((s) => s.rows.map((row) => row[F.gbps])))].sort((a, b) => b - a),
    of: (cable) => cable.gbps, word: (gbps) => `${gbps} Gb/s` },
  class: { names: [...new Set(switches.flatMap((s) => s.rows.map((row) => row[F.pfc])))].sort().reverse(),
    of: (cable) => cable.pfc, word: (pfc) => (pfc ? `lossless: ${className(pfc)}` : "no lossless class") },
  rail: { names: [...new Set(switches.flatMap((s) => s.rails))].sort((a, b) => a - b),
    of: (cable) => { const rails = switchNamed.get(cable.lower || cable.at).rails; return rails.length === 1 ? rails[0] : ""; }, word: (rail) => `rail ${rail}` },
  finding: { names: [2, 1, 0], of: (cable) => cable.mark, word: (mark) => ["no finding", "note", "warning"][mark], classes: ["c7", "c0", "c2"] },
};
function colourOf(cable) {
  const by = colours[picture.by];
  const value = by.of(cable);
  if (by.classes) return by.classes[value];
  const index = by.names.indexOf(value);
  return index < 0 ? "c7" : `c${index % 8}`;
}
function showLegend() {
  const by = colours[picture.by];
  legend.replaceChildren(...by.names.map((name, index) => el("li", {}, el("i", { class: by.classes ? by.classes[name] : `c${index % 8}` }), by.word(name))));
}
const wide = (count) => Math.min(9, 1 + Math.sqrt(count));
const text = (x, y, said, more = {}) => draw("text", { x, y, "font-size": 11, "text-anchor": "middle", ...more }, said);
const fits = (said, width, size = 11) => (said.length * size * 0.58 > width ? `${said.slice(0, Math.max(2, Math.floor(width / (size * 0.58)) - 1))}\u2026` : said);

// A box that can be chosen. kind and name find it again; row and x are for the arrow keys.
function thing(item, x, y, width, height, label, lines, more = "") {
  const said = [label, item.changed ? "changed" : "", ["", "has a note", "has a warning"][item.mark || 0]].filter(Boolean).join(", ");
  const node = draw("g", { class: `thing ${item.changed ? "changed" : ""} ${more}`, role: "button", tabindex: "-1", "aria-label": said, transform: `translate(${x} ${y})`,
    "data-kind": item.kind, "data-name": item.name, onclick: () => choose(item) },
  draw("title", {}, said), draw("rect", { class: "box", width, height, rx: 4 }),
  lines.map(([line, size, soft], index) => text(width / 2, height / 2 + (index - (lines.length - 1) / 2) * ROW + 4, fits(line, width - 4, size), { "font-size": size, class: soft ? "dim" : null })),
  item.mark ? draw("circle", { class: `dot${item.mark}`, cx: width - 5, cy: 5, r: 3 }) : null);
  node.item = item;
  node.spot = { x: x + width / 2, y, top: y, bottom: y + height };
  return node;
}
function cable(bundle, from, to) {
  const label = `${bundle.lower} to ${bundle.upper}: ${plural(bundle.cables.length, "cable")} of ${bundle.gbps} Gb/s`;
  const line = draw("line", { class: `cable ${colourOf(bundle)}`, x1: from.x, y1: from.top, x2: to.x, y2: to.bottom, "stroke-width": wide(bundle.cables.length),
    "data-lower": bundle.lower, "data-upper": bundle.upper, onclick: () => choose(bundle) }, draw("title", {}, label));
  line.bundle = bundle;
  return line;
}

// One pod with its own leaves, its hosts by name.
function podSize(pod) {
  const label = Math.max(...pod.hosts.map((h) => h.name.length), 4) * 5.9 + 9;
  const box = Math.min(label, 120);
  const least = Math.min(pod.hosts.length, pod.leaves.length ? 4 : Math.ceil(Math.sqrt(pod.hosts.length * 4))) * (box + 4) - 4;
  const inner = Math.max(pod.leaves.length * (LEAF + GAP) - GAP, least, pods.length > 2 ? 120 : 420);
  const columns = Math.max(1, Math.floor((inner + 4) / (box + 4)));
  return { box, inner, columns, rows: Math.ceil(pod.hosts.length / columns), width: inner + 24 };
}
function drawPod(pod, x, y, size, nodes, cables) {
  const first = x + 12 + (size.inner - (pod.leaves.length * (LEAF + GAP) - GAP)) / 2;
  const top = y + 108;
  const high = 30 + size.rows * 22 + 8;
  const group = draw("g", {}, draw("rect", { class: "band", x, y: y - 12, width: size.width, height: 120 + high + 26, rx: 8 }),
    text(x + size.width / 2, top + high + 17, pod.name, { class: "dim" }));
  pod.leaves.forEach((leaf, index) => {
    const at = first + index * (LEAF + GAP);
    const rails = leaf.rails.length > 2 ? `${leaf.rails.length} rails` : leaf.rails.length ? `rail ${leaf.rails.join(" ")}` : "";
    const node = thing(leaf, at, y, LEAF, LEAF_HIGH + (rails ? 6 : 0), `leaf ${leaf.name}, ${rails}`, rails ? [[leaf.name, 10], [rails, 9, true]] : [[leaf.name, 10]]);
    nodes.push(node);
    group.append(node);
    const down = totals([leaf], "host");
    if (down.count) cables.push(stub(leaf, down, at + LEAF / 2, y + LEAF_HIGH + 6, top));
  });
  if (pod.hosts.length) {
    group.append(draw("rect", { class: "block", x: x + 6, y: top, width: size.width - 12, height: high, rx: 6 }), text(x + size.width / 2, top + 18, blockWords(pod)));
  }
  pod.hosts.forEach((host, index) => {
    const at = x + 12 + (index % size.columns) * (size.box + 4);
    const node = thing(host, at, top + 28 + Math.floor(index / size.columns) * 22, size.box, 18, `host ${host.name}${host.nodes > 1 ? `, ${host.nodes} nodes` : ""}`, [[host.name, 10]]);
    nodes.push(node);
    group.append(node);
  });
  return group;
}
function stub(leaf, down, x, from, to) {
  const bundle = { kind: "stub", lower: leaf.name, leaf, gbps: Math.max(...down.speeds), pfc: [...down.pfc].sort().reverse()[0], mark: down.mark, cables: { length: down.count } };
  return draw("line", { class: `cable ${colourOf(bundle)}`, x1: x, y1: from, x2: x, y2: to, "stroke-width": wide(down.count), "data-lower": leaf.name, onclick: () => choose(leaf) },
    draw("title", {}, `${leaf.name}: ${plural(down.count, "cable")} to hosts`));
}
function blockWords(pod) {
  const byType = new Map();
  pod.hosts.forEach((host) => byType.set(host.type.name, (byType.get(host.type.name) || 0) + host.nodes));
  return [...byType].map(([name, count]) => `${number(count)} \u00d7 ${name}`).join(", ");
}
function drawSpines(width, y, nodes) {
  const most = Math.max(1, Math.floor(width / (SPINE + 14)));
  const step = Math.max(SPINE + 14, Math.min(2.4 * SPINE, (width * 0.8) / Math.max(1, spines.length)));
  return spines.map((spine, index) => {
    const row = Math.floor(index / most), inRow = Math.min(most, spines.length - row * most);
    const x = (width - ((inRow - 1) * step + SPINE)) / 2 + (index % most) * step;
    const node = thing(spine, x, y + row * 44, SPINE, LEAF_HIGH, `spine ${spine.name}`, [[spine.name, 11]]);
    nodes.push(node);
    return node;
  });
}
// Every pod whole.
function wholePicture(shown) {
  const nodes = [], cables = [];
  const sizes = shown.map(podSize);
  const width = Math.max(sizes.reduce((sum, size) => sum + size.width + 16, -16), Math.min(spines.length, 16) * (SPINE + 14), 300);
  const above = drawSpines(width, 0, nodes);
  const y = spines.length ? Math.ceil(spines.length / Math.max(1, Math.floor(width / (SPINE + 14)))) * 44 + Math.max(120, Math.min(420, width * 0.2)) : 30;
  let x = (width - (sizes.reduce((sum, size) => sum + size.width + 16, -16))) / 2;
  const groups = shown.map((pod, index) => { const group = drawPod(pod, x, y, sizes[index], nodes, cables); x += sizes[index].width + 16; return group; });
  const spot = new Map(nodes.map((node) => [`${node.item.kind} ${node.item.name}`, node.spot]));
  const leaves = shown.flatMap((pod) => pod.leaves);
  for (const bundle of [...bundles(leaves), ...bundles(leaves, "peer")]) {
    const [from, to] = [spot.get(`switch ${bundle.lower}`), spot.get(`switch ${bundle.upper}`)];
    if (from && to) cables.push(cable(bundle, from, to));
  }
  if (cables.length > 120) cables.forEach((line) => line.classList.add("thin"));
  const low = Math.max(...sizes.map((size) => size.rows)) * 22 + y + 160;
  return { nodes, parts: [draw("g", {}, groups.map((g) => g.firstChild)), draw("g", { class: "cables" }, cables), groups, above], box: [-10, -14, width + 20, low + 14] };
}
// A card for each pod, its cables to the spines on a bus beside it.
function cardPicture() {
  const nodes = [];
  const across = Math.max(4, Math.ceil(Math.sqrt(pods.length * 1.1)));
  const wideCard = 186, high = 82, stepX = wideCard + 16, stepY = high + 38;
  const width = across * stepX;
  const above = spines.length <= 64 ? drawSpines(width, 0, nodes) : [];
  const perRow = Math.max(1, Math.floor(width / (SPINE + 14)));
  const top = spines.length ? (spines.length <= 64 ? Math.ceil(spines.length / perRow) * 44 : 20) + 34 : 20;
  if (spines.length > 64) above.push(text(width / 2, 14, `${number(spines.length)} spines: ${gather(spines.map((s) => s.name))}`));
  const lines = [];
  const cards = pods.map((pod, index) => {
    const x = (index % across) * stepX + 16, y = top + Math.floor(index / across) * stepY + 18;
    const up = totals(pod.leaves, "uplink"), down = totals(pod.leaves, "host");
    const words = [[`${pod.name}: ${blockWords(pod)}`, 12], [gather(pod.hosts.map((h) => h.name), 2) || "no hosts", 10], [gather(pod.leaves.map((l) => l.name), 2) || "no switches", 10],
      [`Tb/s: ${down.gbps / 1000} down, ${up.gbps / 1000} up`, 10, true]];
    const node = thing(pod, x, y, wideCard, high, `${pod.name}: ${gather(pod.leaves.map((l) => l.name), 2)}, ${blockWords(pod)}; opens it`, words);
    nodes.push(node);
    if (up.count) lines.push(draw("line", { class: `cable ${colourOf({ gbps: Math.max(...up.speeds), pfc: [...up.pfc].sort().reverse()[0], mark: pod.mark, lower: pod.leaves[0].name })}`, x1: x + wideCard / 2, x2: x + wideCard / 2, y1: y - 14, y2: y, "stroke-width": wide(up.count) }));
    return node;
  });
  const rows = Math.ceil(pods.length / across);
  if (spines.length && data.facts.switches) {
    const end = (row) => Math.min(across, pods.length - row * across) * stepX - wideCard / 2;
    const bus = (x1, x2, y1, y2) => lines.push(draw("line", { class: "cable c7", x1, x2, y1, y2, "stroke-width": 3 }));
    for (let row = 0; row < rows; row++) bus(0, row ? end(row) : Math.max(end(0), width / 2), top + row * stepY + 4, top + row * stepY + 4);
    bus(0, 0, top + 4, top + (rows - 1) * stepY + 4);
    above.filter((node) => node.spot).forEach(({ spot }) => bus(spot.x, spot.x, spot.bottom, top + 4));
  }
  return { nodes, parts: [draw("g", { class: "cables" }, lines), above, cards], box: [-12, -14, width + 20, top + rows * stepY + 24] };
}

let drawing = null;
function paint() {
  const made = many && !picture.opened ? cardPicture() : wholePicture(picture.opened ? [picture.opened] : pods);
  drawing = { ...made, svg: draw("svg", { role: "group", "aria-label": "Topology: arrow keys move, Enter chooses, + and - zoom" }, made.parts) };
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
  const next = Math.min(picture.home[2] * 1.5, Math.max(160, width / factor)), ratio = next / width;
  const [cx, cy] = at || [x + width / 2, y + high / 2];
  setView([cx - (cx - x) * ratio, cy - (cy - y) * ratio, next, high * ratio]);
}
function pointOf(event) {
  const matrix = drawing.svg.getScreenCTM();
  return matrix ? [(event.clientX - matrix.e) / matrix.a, (event.clientY - matrix.f) / matrix.d] : null;
}
function listen(svg) {
  let drag = null;
  svg.addEventListener("wheel", (event) => { if (!event.ctrlKey && !event.metaKey) return; event.preventDefault(); zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, pointOf(event)); }, { passive: false });
  svg.addEventListener("pointerdown", (event) => { drag = { x: event.clientX, y: event.clientY, view: picture.view, far: false }; });
  svg.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const matrix = svg.getScreenCTM();
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.far && Math.abs(dx) + Math.abs(dy) < 5) return;
    drag.far = true;
    svg.classList.add("moved");
    setView([drag.view[0] - dx / matrix.a, drag.view[1] - dy / matrix.d, drag.view[2], drag.view[3]]);
  });
  svg.addEventListener("pointerup", () => { drag = null; svg.classList.remove("moved"); });
  svg.addEventListener("pointerleave", () => { drag = null; svg.classList.remove("moved"); });
  svg.addEventListener("dblclick", (event) => zoom(1.6, pointOf(event)));
  svg.addEventListener("keydown", onKey);
}
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function onKey(event) {
  const node = event.target.closest(".thing");
  if (event.key === "+" || event.key === "-") { zoom(event.key === "+" ? 1.25 : 0.8); return; }
  if (event.key === "Escape" && picture.opened) { openPod(null); return; }
  if (!node) return;
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(node.item); return; }
  const way = STEPS[event.key];
  if (!way) return;
  event.preventDefault();
  const next = nearest(node.spot, way);
  if (next) { node.setAttribute("tabindex", "-1"); next.setAttribute("tabindex", "0"); next.focus(); }
}
function nearest(from, [dx, dy]) {
  let best = null, least = Infinity;
  for (const node of drawing.nodes) {
    const [ax, ay] = [(node.spot.x - from.x) * dx, (node.spot.y - from.y) * dy];
    if (ax + ay <= 1) continue;
    const aside = Math.abs(dx ? node.spot.y - from.y : node.spot.x - from.x);
    const cost = ax + ay + aside * 3;
    if (cost < least) { best = node; least = cost; }
  }
  return best;
}
// What is chosen, and its cables; of a host each one to its leaf.
function light() {
  if (!drawing) return;
  const item = picture.chosen;
  drawing.nodes.forEach((node) => node.classList.toggle("chosen", Boolean(item) && node.item === item));
  drawing.svg.querySelectorAll(".own").forEach((line) => line.remove());
  const names = item && item.kind === "bundle" ? [item.lower, item.upper] : item ? [item.name] : [];
  const lit = [...drawing.svg.querySelectorAll(".cable[data-lower]")].filter((line) => names.length && (item.kind === "bundle"
    ? line.dataset.lower === names[0] && line.dataset.upper === names[1] : [line.dataset.lower, line.dataset.upper].includes(names[0])));
  drawing.svg.querySelectorAll(".cable.lit").forEach((line) => line.classList.remove("lit"));
  lit.forEach((line) => line.classList.add("lit"));
  drawing.svg.classList.toggle("faded", lit.length > 0 || (item && item.kind === "host"));
  if (!item || item.kind !== "host") return;
  const spot = new Map(drawing.nodes.map((node) => [node.item, node.spot]));
  const from = spot.get(item);
  if (!from) return;
  const lines = cablesOf(item).map((port) => [port, spot.get(switchNamed.get(port.at))]).filter(([, to]) => to)
    .map(([port, to]) => draw("line", { class: `cable lit own ${colourOf({ ...port, lower: port.at })}`, x1: from.x, y1: from.top, x2: to.x, y2: to.bottom, "stroke-width": 2 }));
  drawing.svg.querySelector(".cables").append(...lines);
}
function openPod(pod) {
  picture.opened = pod;
  paint();
}
const back = el("button", { type: "button", hidden: true, onclick: () => { openPod(null); choose(null); } }, "\u2190 All pods");
function topologyPart() {
  const pick = el("select", { id: "colour", onchange: () => { picture.by = pick.value; paint(); } }, Object.keys(colours).map((name) => el("option", { value: name }, name)));
  const tools = el("div", { class: "tools" }, back, el("label", { for: "colour" }, "Colour cables by"), pick,
    el("button", { type: "button", "aria-label": "Zoom in", onclick: () => zoom(1.3) }, "+"), el("button", { type: "button", "aria-label": "Zoom out", onclick: () => zoom(1 / 1.3) }, "\u2212"),
    el("button", { type: "button", onclick: () => setView(picture.home) }, "Fit"), el("span", { class: "said" }, "Drag to move; Ctrl and the wheel zoom; arrow keys and Enter choose."));
  const lead = many ? "Spines above, a card for each pod: leaves with the hosts that are cabled to them. A card opens its pod." : "Spines above, leaves, and the hosts that are cabled to them. Click a host, a switch or a cable for its details.";
  return part("topology", "Topology", lead, tools, legend, el("div", { class: "draw", id: "draw" }, canvas, drawer));
}
