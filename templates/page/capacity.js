// What is taken of tables and pools.
function capacityPart() {
  const kinds = data.sheets.map((sheet) => [byPod(ofSheet(sheet).map((s) => s.name)), ...sheet.neighbours]);
  const blocks = [];
  if (kinds.length)
    blocks.push(
      el("h3", {}, "Neighbour tables of switches"),
      table({
        caption: "Entries in the worst case against the host table of the ASIC",
        rows: kinds,
        find: (k) => k[0],
        columns: [
          ["switches", (k) => k[0]],
          ["hosts", (k) => number(k[1]), "num"],
          ["stale, of ended pods", (k) => number(k[2]), "num"],
          ["links to switches", (k) => number(k[3]), "num"],
          ["entries", (k) => number(k[4]), "num"],
          ["table", (k) => (k[5] ? number(k[5]) : "not known"), "num"],
          ["used", (k) => meter(k[4], k[5], "entries")],
        ],
      }),
    );
  if (data.host_tables.length)
    blocks.push(
      el("h3", {}, "Neighbour tables of hosts"),
      table({
        caption: "Entries of the kernel in the worst case against gc_thresh3, its hard limit",
        rows: data.host_tables,
        columns: [
          ["hosts", (h) => h[0]],
          ["family", (h) => h[1]],
          ["entries", (h) => number(h[2]), "num"],
          ["gc_thresh1, 2, 3", (h) => h.slice(3).map(number).join(", ")],
          ["used", (h) => meter(h[2], h[5], "entries")],
        ],
      }),
    );
  if (data.pools.length)
    blocks.push(
      el("h3", {}, "Address pools"),
      table({
        caption: "Blocks or prefixes of each nv-ipam pool against its nodes",
        rows: data.pools,
        find: (p) => `${p[0]} ${p[2]}`,
        columns: [
          ["pool", (p) => p[0]],
          ["kind", (p) => p[1]],
          ["network", (p) => p[2]],
          ["nodes", (p) => number(p[5]), "num"],
          ["parts", (p) => `${number(p[4])} ${p[3]}`, "num"],
          ["addresses of a node, at least", (p) => number(p[6]), "num"],
          ["used", (p) => meter(p[5], p[4], "parts")],
        ],
      }),
    );
  if (data.ranges.length)
    blocks.push(
      el("h3", {}, "Ranges of other IPAMs"),
      table({
        caption: "Ranges",
        small: true,
        rows: data.ranges,
        find: (r) => r.join(" "),
        columns: [
          ["attachment", (r) => r[0]],
          ["IPAM", (r) => r[1]],
          ["network", (r) => r[2]],
          ["addresses", (r) => number(r[3]), "num"],
        ],
      }),
    );
  return blocks.length
    ? part(
        "capacity",
        "Capacity",
        "Size of tables and pools against what the site takes in the worst case.",
        blocks,
      )
    : null;
}
