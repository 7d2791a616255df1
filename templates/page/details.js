// What is chosen in the picture or found: a host, a switch, a bundle of cables, a pod, each with its lines of the inventory.
const drawer = el("div", {
  class: "drawer",
  role: "region",
  hidden: true,
  "aria-live": "polite",
  "aria-label": "Details",
  tabindex: "-1",
});

function choose(item, focus = false) {
  if (item && item.kind === "pod" && many) openPod(item);
  if (
    item &&
    many &&
    ["host", "switch"].includes(item.kind) &&
    item.pod >= 0 &&
    (!picture.opened || picture.opened.index !== item.pod)
  )
    openPod(pods[item.pod]);
  picture.chosen = item;
  light();
  drawer.hidden = !item;
  drawer.parentElement.classList.toggle("open", Boolean(item));
  if (!item) return;
  drawer.replaceChildren(...SHOWN[item.kind](item).flat(Infinity).filter(Boolean));
  drawer.scrollTop = 0;
  if (focus) drawer.focus({ preventScroll: true });
}
const heading = (kind, name) =>
  el(
    "h3",
    {},
    el("span", {}, `${kind} ${name}`),
    el(
      "button",
      { type: "button", "aria-label": "Close the details", onclick: () => choose(null) },
      "\u00d7",
    ),
  );
const link = (item, said) =>
  item
    ? el("button", { type: "button", class: "plain", onclick: () => choose(item) }, said || item.name)
    : said || "";
const aboutFindings = (item) => {
  const own = [item.line, item.typeLine, item.type && item.type.line];
  const mine = data.findings.filter((row) => row[5] >= 0 && own.includes(row[5]));
  return mine.length ? [el("h4", {}, "Findings"), mine.map(findingBlock)] : null;
};
const findingBlock = (row) =>
  el(
    "p",
    {},
    badge(row[0]),
    " ",
    el("b", {}, row[1]),
    ` ${row[3]}`,
    row[4] ? el("span", { class: "place" }, ` \u2192 ${row[4]}`) : null,
  );
const changedNote = (item, folder) =>
  item.changed
    ? el("p", {}, badge("changed"), ` files below ${folder} differ from ${data.change.old}`)
    : null;

function hostDetails(host) {
  const cables = cablesOf(host);
  const type = host.type;
  const without = type.hcas.filter((hca) => !cables.some((c) => c.peerPort === hca[0]));
  return [
    heading("Host", host.name),
    changedNote(host, `hosts/${type.name}/ or hosts/${host.name}/`),
    pairs([
      ["type", type.name],
      ["nodes", host.nodes > 1 ? number(host.nodes) : ""],
      ["id", host.id === "0" ? "" : host.id],
      ["GPUs", type.gpus || ""],
      ["instance", type.instance],
      ["labels", type.labels.join(", ")],
      ["pod", pods[host.pod].name],
    ]),
    cables.length
      ? table({
          caption: `Cables of ${host.name}`,
          small: true,
          most: 64,
          rows: cables,
          columns: [
            ["rail", (c) => c.rail || "\u2013"],
            ["HCA", (c) => c.peerPort],
            ["switch", (c) => link(switchNamed.get(c.at))],
            ["port", (c) => el("span", { class: "mono" }, c.port)],
            ["Gb/s", (c) => number(c.gbps), "num"],
            ["VLAN or address", (c) => c.peerAddress || c.carries],
          ],
        })
      : null,
    without.length
      ? table({
          caption: `HCAs of ${host.name} without a cable in the inventory`,
          most: 64,
          rows: without,
          columns: [
            ["HCA", (h) => h[0]],
            ["rail", (h) => (h[1] < 0 ? "\u2013" : h[1])],
            ["Gb/s", (h) => h[3], "num"],
            ["use", (h) => h[4]],
          ],
        })
      : null,
    el("h4", {}, "HCAs"),
    table({
      caption: `HCAs of type ${type.name}`,
      small: true,
      most: 64,
      rows: type.hcas,
      columns: [
        ["HCA", (h) => h[0]],
        ["model", (h) => h[2]],
        ["use", (h) => (h[5] ? `${h[4]}, ${h[5]} VFs` : h[4])],
        ["PCI", (h) => h[6]],
        ["netdev", (h) => h[7]],
      ],
    }),
    aboutFindings(host),
    el("h4", {}, "Inventory"),
    sources(host.line, type.line, ...new Set(cables.map((c) => c.line))),
    type.files.length
      ? [el("h4", {}, `Files below hosts/${type.name}/`), el("p", { class: "mono" }, type.files.join(", "))]
      : null,
  ];
}
function switchDetails(each) {
  const sheet = each.sheet;
  return [
    heading(each.role === "leaf" ? "Leaf" : "Spine", each.name),
    changedNote(each, `switches/${each.name}/`),
    pairs([
      ["NOS", `${sheet.nos} ${sheet.release}`],
      ["model", sheet.model],
      ["ASIC", sheet.asic],
      ["AS", each.asn ? number(each.asn).replaceAll(",", "") : ""],
      ["loopback", each.loopback],
      ["rails", each.rails.join(", ")],
      ["port MTU", number(sheet.mtu)],
      ["headroom left", headroomLeft(sheet)],
    ]),
    table({
      caption: `Ports of ${each.name}`,
      small: true,
      most: 64,
      rows: each.rows,
      columns: [
        ["ports", (r) => el("span", { class: "mono" }, r[F.ports])],
        ["to", (r) => el("span", {}, neighbour(r), ` ${r[F.peer_ports]}`)],
        ["Gb/s", (r) => r[F.gbps], "num"],
        ["m", (r) => r[F.metres], "num"],
        ["VLAN or address", (r) => r[F.carries]],
        ["PFC", (r) => r[F.pfc] || "\u2013"],
      ],
    }),
    el("h4", {}, "Queues"),
    queueTable(each.name, sheet),
    aboutFindings(each),
    el("h4", {}, "Inventory"),
    sources(each.line, each.typeLine, ...each.rows.map((r) => r[F.line])),
    el("h4", {}, `Files below switches/${each.name}/`),
    el("p", { class: "mono" }, each.files.join(", ")),
  ];
}
const neighbour = (row) => {
  const one = switchNamed.get(row[F.peers]) || hostNamed.get(row[F.peers]);
  return one ? link(one) : row[F.peers];
};
const queueTable = (name, sheet) =>
  sheet.queues.length
    ? table({
        caption: `Queues of ${name}`,
        small: true,
        rows: sheet.queues,
        columns: [
          ["class", (q) => q[0]],
          ["DSCP", (q) => q[1]],
          ["queue", (q) => q[2], "num"],
          ["PFC", (q) => q[3]],
          ["scheduling", (q) => q[4]],
          ["ECN", (q) => q[5]],
        ],
      })
    : el("p", {}, "No QoS in the inventory.");
function bundleDetails(bundle) {
  const [lower, upper] = [switchNamed.get(bundle.lower), switchNamed.get(bundle.upper)];
  return [
    heading("Link", `${bundle.lower} to ${bundle.upper}`),
    el(
      "p",
      {},
      link(lower),
      " to ",
      link(upper),
      `: ${plural(bundle.cables.length, "cable")} of ${bundle.gbps} Gb/s`,
    ),
    table({
      caption: "Cables",
      small: true,
      most: 64,
      rows: bundle.cables,
      columns: [
        ["port", (c) => el("span", { class: "mono" }, c.port)],
        ["peer port", (c) => el("span", { class: "mono" }, c.peerPort)],
        ["address", (c) => c.carries],
        ["m", (c) => c.metres, "num"],
        ["MTU", (c) => number(c.mtu), "num"],
        ["PFC", (c) => c.pfc || "\u2013"],
        ["headroom", (c) => (c.headroom ? number(c.headroom) : "\u2013"), "num"],
      ],
    }),
    el("h4", {}, "Inventory"),
    sources(...bundle.cables.map((c) => c.line)),
  ];
}
function podDetails(pod) {
  const up = totals(pod.leaves, "uplink"),
    down = totals(pod.leaves, "host");
  return [
    heading("Pod", pod.name.replace(/^pod /, "")),
    pairs([
      ["hosts", `${blockWords(pod)}: ${gather(pod.hosts.map((h) => h.name))}`],
      ["leaves", gather(pod.leaves.map((l) => l.name))],
      ["to hosts", `${plural(down.count, "cable")}, ${number(down.gbps)} Gb/s`],
      ["to spines", `${plural(up.count, "cable")}, ${number(up.gbps)} Gb/s`],
      ["oversubscription", up.gbps ? `${(down.gbps / up.gbps).toFixed(2)}:1` : ""],
    ]),
    table({
      caption: `Leaves of ${pod.name}`,
      most: 16,
      rows: pod.leaves,
      columns: [
        ["leaf", (s) => link(s)],
        ["rails", (s) => s.rails.join(", ")],
        ["NOS", (s) => s.sheet.nos],
        ["model", (s) => s.sheet.model],
      ],
    }),
  ];
}
const SHOWN = { host: hostDetails, switch: switchDetails, bundle: bundleDetails, pod: podDetails };
