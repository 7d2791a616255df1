// The picture: spines above, pods of leaves and hosts below; of many pods a card each, opened one at a time.
const longest = (names) => Math.max(0, ...names.map((name) => name.length));
const LEAF_HIGH = 30,
  GAP = 4,
  ROW = 14,
  LEAST_WIDE = 760;
const LEAF = Math.min(
  120,
  Math.max(46, longest(switches.filter((s) => s.pod >= 0).map((s) => s.name)) * 5.9 + 8),
);
const SPINE = Math.min(140, Math.max(78, longest(spines.map((s) => s.name)) * 6.5 + 10));
const MANY_PODS = 4,
  MANY_LEAVES = 40,
  MANY_HOSTS = 320,
  MANY_CARDS = 100,
  ASPECT = 2.2;
const many =
  pods.length > MANY_PODS ||
  pods.some((pod) => pod.leaves.length > MANY_LEAVES || pod.hosts.length > MANY_HOSTS);
const picture = { by: "speed", opened: null, chosen: null, view: null, home: null };
const canvas = el("div", { class: "canvas" });
const legend = el("ul", { class: "legend", "aria-label": "Colours of the cables" });

const wide = (count) => Math.min(9, 1 + Math.sqrt(count));
const text = (x, y, said, more = {}) =>
  draw("text", { x, y, "font-size": 11, "text-anchor": "middle", ...more }, said);
const fits = (said, width, size = 11) =>
  said.length * size * 0.58 > width
    ? `${said.slice(0, Math.max(2, Math.floor(width / (size * 0.58)) - 1))}\u2026`
    : said;

// A box that can be chosen. kind and name find it again; row and x are for the arrow keys.
function thing(item, x, y, width, height, label, lines, more = "") {
  const said = [label, item.changed ? "changed" : "", ["", "has a note", "has a warning"][item.mark || 0]]
    .filter(Boolean)
    .join(", ");
  const node = draw(
    "g",
    {
      class: `thing ${item.changed ? "changed" : ""} ${more}`,
      role: "button",
      tabindex: "-1",
      "aria-label": said,
      transform: `translate(${x} ${y})`,
      "data-kind": item.kind,
      "data-name": item.name,
      onclick: () => choose(item),
    },
    draw("title", {}, said),
    draw("rect", { class: "box", width, height, rx: 4 }),
    lines.map(([line, size, soft], index) =>
      text(width / 2, height / 2 + (index - (lines.length - 1) / 2) * ROW + 4, fits(line, width - 4, size), {
        "font-size": size,
        class: soft ? "dim" : null,
      }),
    ),
    item.mark && more !== "tile"
      ? draw("circle", { class: `dot${item.mark}`, cx: width - 5, cy: 5, r: 3 })
      : null,
  );
  node.item = item;
  node.spot = { x: x + width / 2, y, top: y, bottom: y + height };
  return node;
}
function cable(bundle, from, to) {
  const label = `${bundle.lower} to ${bundle.upper}: ${plural(bundle.cables.length, "cable")} of ${bundle.gbps} Gb/s`;
  // Between two of one tier it goes over the boxes between them.
  const over = `M${from.x} ${from.top}Q${(from.x + to.x) / 2} ${from.top - 40} ${to.x} ${to.top}`;
  const line = draw(
    "path",
    {
      class: `cable ${colourOf(bundle)}`,
      d: from.top === to.top ? over : `M${from.x} ${from.top}L${to.x} ${to.bottom}`,
      "stroke-width": wide(bundle.cables.length),
      "data-lower": bundle.lower,
      "data-upper": bundle.upper,
      onclick: () => choose(bundle),
    },
    draw("title", {}, label),
  );
  line.bundle = bundle;
  return line;
}

// One pod with its own leaves, its hosts by name.
function podSize(pod) {
  const label = Math.max(longest(pod.hosts.map((h) => h.name)), 4) * 5.9 + 9;
  const box = Math.min(label, 120);
  const least =
    Math.min(pod.hosts.length, pod.leaves.length ? 4 : Math.ceil(Math.sqrt(pod.hosts.length * 4))) *
      (box + 4) -
    4;
  const inner = Math.max(pod.leaves.length * (LEAF + GAP) - GAP, least, pods.length > 2 ? 120 : 420);
  const columns = Math.max(1, Math.floor((inner + 4) / (box + 4)));
  return { box, inner, columns, rows: Math.ceil(pod.hosts.length / columns), width: inner + 24 };
}
function drawPod(pod, x, y, size, nodes, cables) {
  const first = x + 12 + (size.inner - (pod.leaves.length * (LEAF + GAP) - GAP)) / 2;
  const top = pod.leaves.length ? y + 108 : y;
  const high = 30 + size.rows * 22 + 8;
  const group = draw(
    "g",
    {},
    draw("rect", { class: "band", x, y: y - 12, width: size.width, height: top - y + 12 + high + 26, rx: 8 }),
    text(x + size.width / 2, top + high + 17, pod.name, { class: "dim" }),
  );
  pod.leaves.forEach((leaf, index) => {
    const at = first + index * (LEAF + GAP);
    const rails =
      leaf.rails.length > 2
        ? `${leaf.rails.length} rails`
        : leaf.rails.length
          ? `rail ${leaf.rails.join(" ")}`
          : "";
    const node = thing(
      leaf,
      at,
      y,
      LEAF,
      LEAF_HIGH + (rails ? 6 : 0),
      `leaf ${leaf.name}, ${rails}`,
      rails
        ? [
            [leaf.name, 10],
            [rails, 9, true],
          ]
        : [[leaf.name, 10]],
    );
    nodes.push(node);
    group.append(node);
    const down = totals([leaf], "host");
    if (down.count) cables.push(stub(leaf, down, at + LEAF / 2, y + LEAF_HIGH + 6, top));
  });
  if (pod.hosts.length) {
    group.append(
      draw("rect", { class: "block", x: x + 6, y: top, width: size.width - 12, height: high, rx: 6 }),
      text(x + size.width / 2, top + 18, blockWords(pod)),
    );
  }
  pod.hosts.forEach((host, index) => {
    const at = x + 12 + (index % size.columns) * (size.box + 4);
    const node = thing(
      host,
      at,
      top + 28 + Math.floor(index / size.columns) * 22,
      size.box,
      18,
      `host ${host.name}${host.nodes > 1 ? `, ${host.nodes} nodes` : ""}`,
      [[host.name, 10]],
    );
    nodes.push(node);
    group.append(node);
  });
  return group;
}
function stub(leaf, down, x, from, to) {
  const bundle = {
    kind: "stub",
    lower: leaf.name,
    leaf,
    gbps: Math.max(...down.speeds),
    pfc: [...down.pfc].sort().reverse()[0],
    mark: down.mark,
    cables: { length: down.count },
  };
  return draw(
    "line",
    {
      class: `cable ${colourOf(bundle)}`,
      x1: x,
      y1: from,
      x2: x,
      y2: to,
      "stroke-width": wide(down.count),
      "data-lower": leaf.name,
      onclick: () => choose(leaf),
    },
    draw("title", {}, `${leaf.name}: ${plural(down.count, "cable")} to hosts`),
  );
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
    const row = Math.floor(index / most),
      inRow = Math.min(most, spines.length - row * most);
    const x = (width - ((inRow - 1) * step + SPINE)) / 2 + (index % most) * step;
    const node = thing(spine, x, y + row * 44, SPINE, LEAF_HIGH, `spine ${spine.name}`, [[spine.name, 11]]);
    nodes.push(node);
    return node;
  });
}
// Every pod whole.
function wholePicture(shown) {
  const nodes = [],
    cables = [];
  const sizes = shown.map(podSize);
  const width = Math.max(
    sizes.reduce((sum, size) => sum + size.width + 16, -16),
    Math.min(spines.length, 16) * (SPINE + 14),
    300,
  );
  const above = drawSpines(width, 0, nodes);
  const y = spines.length
    ? Math.ceil(spines.length / Math.max(1, Math.floor(width / (SPINE + 14)))) * 44 +
      Math.max(120, Math.min(420, width * 0.2))
    : 30;
  let x = (width - sizes.reduce((sum, size) => sum + size.width + 16, -16)) / 2;
  const groups = shown.map((pod, index) => {
    const group = drawPod(pod, x, y, sizes[index], nodes, cables);
    x += sizes[index].width + 16;
    return group;
  });
  const spot = new Map(nodes.map((node) => [`${node.item.kind} ${node.item.name}`, node.spot]));
  const leaves = shown.flatMap((pod) => pod.leaves);
  for (const bundle of [...bundles(leaves), ...bundles(leaves, "peer").filter((b) => b.lower < b.upper)]) {
    const [from, to] = [spot.get(`switch ${bundle.lower}`), spot.get(`switch ${bundle.upper}`)];
    if (from && to) cables.push(cable(bundle, from, to));
  }
  if (cables.length > 120) cables.forEach((line) => line.classList.add("thin"));
  const low = Math.max(...sizes.map((size) => size.rows)) * 22 + y + (leaves.length ? 190 : 80);
  return {
    nodes,
    parts: [
      draw(
        "g",
        {},
        groups.map((g) => g.firstChild),
      ),
      draw("g", { class: "cables" }, cables),
      groups,
      above,
      draw("g", { class: "own" }),
    ],
    box: boxed(-10, -14, width + 20, low + 14),
  };
}
// What is small is not blown up.
const boxed = (x, y, width, high) =>
  width < LEAST_WIDE ? [x - (LEAST_WIDE - width) / 2, y, LEAST_WIDE, high] : [x, y, width, high];
// A card for each pod, its cables to the spines on a bus beside it.
function cardPicture() {
  const nodes = [];
  const tiles = pods.length > MANY_CARDS;
  const [wideCard, high] = tiles ? [72, 24] : [186, 82];
  const stepX = wideCard + (tiles ? 8 : 16),
    stepY = high + (tiles ? 22 : 38);
  const across = Math.max(4, Math.ceil(Math.sqrt((pods.length * ASPECT * stepY) / stepX)));
  const width = across * stepX;
  const above = spines.length <= 64 ? drawSpines(width, 0, nodes) : [];
  const perRow = Math.max(1, Math.floor(width / (SPINE + 14)));
  const top = spines.length ? (spines.length <= 64 ? Math.ceil(spines.length / perRow) * 44 : 20) + 34 : 20;
  if (spines.length > 64)
    above.push(text(width / 2, 14, `${number(spines.length)} spines: ${gather(spines.map((s) => s.name))}`));
  const lines = [];
  const cards = pods.map((pod, index) => {
    const x = (index % across) * stepX + 16,
      y = top + Math.floor(index / across) * stepY + 18;
    const up = totals(pod.leaves, "uplink"),
      down = totals(pod.leaves, "host");
    const words = tiles
      ? [[pod.name, 12]]
      : [
          [`${pod.name}: ${blockWords(pod)}`, 12],
          [
            gather(
              pod.hosts.map((h) => h.name),
              2,
            ) || "no hosts",
            10,
          ],
          [
            gather(
              pod.leaves.map((l) => l.name),
              2,
            ) || "no switches",
            10,
          ],
          [`Tb/s: ${down.gbps / 1000} down, ${up.gbps / 1000} up`, 10, true],
        ];
    const node = thing(
      pod,
      x,
      y,
      wideCard,
      high,
      `${pod.name}: ${gather(
        pod.leaves.map((l) => l.name),
        2,
      )}, ${blockWords(pod)}; opens it`,
      words,
      tiles ? "tile" : "",
    );
    nodes.push(node);
    if (up.count)
      lines.push(
        draw("line", {
          class: `cable ${colourOf({ gbps: Math.max(...up.speeds), pfc: [...up.pfc].sort().reverse()[0], mark: pod.mark, lower: pod.leaves[0].name })}`,
          x1: x + wideCard / 2,
          x2: x + wideCard / 2,
          y1: y - 14,
          y2: y,
          "stroke-width": wide(up.count) / (tiles ? 2 : 1),
        }),
      );
    return node;
  });
  const rows = Math.ceil(pods.length / across);
  if (spines.length && data.facts.switches) {
    const end = (row) => (Math.min(across, pods.length - row * across) - 1) * stepX + 16 + wideCard / 2;
    const bus = (x1, x2, y1, y2) =>
      lines.push(draw("line", { class: "cable c7", x1, x2, y1, y2, "stroke-width": 3 }));
    for (let row = 0; row < rows; row++)
      bus(0, row ? end(row) : Math.max(end(0), width / 2), top + row * stepY + 4, top + row * stepY + 4);
    bus(0, 0, top + 4, top + (rows - 1) * stepY + 4);
    above.filter((node) => node.spot).forEach(({ spot }) => bus(spot.x, spot.x, spot.bottom, top + 4));
  }
  return {
    nodes,
    parts: [draw("g", { class: "cables" }, lines), above, cards],
    box: boxed(-12, -14, width + 20, top + rows * stepY + 24),
  };
}
