// Hosts, switches and cables out of the rows of the data.
const types = data.types;
const gone = (part) => (data.change ? data.change.marks.gone[part] || [] : []);
const changedNames = (part) => new Set(data.change ? data.change.marks.changed[part] || [] : []);
const changed = {
  switches: changedNames("switches"),
  hosts: changedNames("hosts"),
  pods: changedNames("pods"),
};

const hosts = data.hosts.flatMap(([names, ids, count, type, pod, nodes, line, mark]) => {
  const all = expand(names);
  const numbers = expand(ids);
  return all.map((name, index) => ({
    kind: "host",
    name,
    id: numbers[index],
    type: types[type],
    pod,
    nodes,
    line,
    mark,
    changed: changed.hosts.has(name) || changed.hosts.has(types[type].name),
  }));
});
const switches = data.switches.map(
  ([name, role, pod, id, asn, loopback, rails, sheet, rows, files, line, typeLine, mark]) => ({
    kind: "switch",
    name,
    role,
    pod,
    id,
    asn,
    loopback,
    rails,
    sheet: data.sheets[sheet],
    rows,
    files: data.files[files],
    line,
    typeLine,
    mark,
    changed: changed.switches.has(name),
  }),
);
const hostNamed = new Map(hosts.map((host) => [host.name, host]));
const switchNamed = new Map(switches.map((each) => [each.name, each]));
const spines = switches.filter((each) => each.pod < 0);
const pods = data.pods.map((name, index) => ({
  kind: "pod",
  name,
  index,
  leaves: switches.filter((each) => each.pod === index),
  hosts: [],
}));
hosts.forEach((host) => pods[host.pod].hosts.push(host));
pods.forEach((pod) => {
  pod.changed = pod.leaves.some((s) => s.changed) || pod.hosts.some((h) => h.changed);
  pod.mark = Math.max(0, ...pod.leaves.map((s) => s.mark), ...pod.hosts.map((h) => h.mark));
});

const F = Object.fromEntries(data.fields.map((name, index) => [name, index]));
const known = new Map();
// All ports of a switch, each by itself.
function portsOf(each) {
  if (!known.has(each.name)) {
    known.set(
      each.name,
      each.rows.flatMap((row) => {
        const ports = expand(row[F.ports]);
        const texts = ["peers", "peer_ports", "rails", "carries", "peer_address"].map((name) => {
          const all = expand(row[F[name]]);
          return (index) => (all.length === ports.length ? all[index] : row[F[name]]);
        });
        return ports.map((port, index) => ({
          kind: "cable",
          at: each.name,
          port,
          peer: texts[0](index),
          peerPort: texts[1](index),
          rail: texts[2](index),
          carries: texts[3](index),
          peerAddress: texts[4](index),
          to: data.kinds[row[F.kind]],
          gbps: row[F.gbps],
          metres: row[F.metres],
          mtu: row[F.mtu],
          pfc: row[F.pfc],
          headroom: row[F.headroom],
          size: row[F.size],
          line: row[F.line],
          mark: row[F.mark],
        }));
      }),
    );
  }
  return known.get(each.name);
}
// Cables of a host: the ports of the leaves of its pod that lead to it.
const cablesOf = (host) =>
  pods[host.pod].leaves
    .flatMap((leaf) => portsOf(leaf).filter((port) => port.to === "host" && port.peer === host.name))
    .sort((a, b) => Number(a.rail) - Number(b.rail) || (a.peerPort < b.peerPort ? -1 : 1));
// Cables of a switch, or of a pod, to other switches, together by what is at both ends; they look alike or are told apart.
function bundles(of, wanted = "uplink") {
  const found = new Map();
  for (const each of of) {
    for (const port of portsOf(each)) {
      if (port.to !== wanted) continue;
      const key = `${each.name} ${port.peer} ${port.gbps}`;
      if (!found.has(key))
        found.set(key, {
          kind: "bundle",
          lower: each.name,
          upper: port.peer,
          gbps: port.gbps,
          pfc: port.pfc,
          mark: 0,
          cables: [],
        });
      const bundle = found.get(key);
      bundle.cables.push(port);
      bundle.mark = Math.max(bundle.mark, port.mark);
    }
  }
  return [...found.values()];
}
// Without taking every port apart: number, Gb/s and worst finding of the cables of a pod.
function totals(of, wanted) {
  const found = { count: 0, gbps: 0, mark: 0, speeds: new Set(), pfc: new Set() };
  for (const each of of) {
    for (const row of each.rows.filter((r) => data.kinds[r[F.kind]] === wanted)) {
      found.count += row[F.count];
      found.gbps += row[F.count] * row[F.gbps];
      found.mark = Math.max(found.mark, row[F.mark]);
      found.speeds.add(row[F.gbps]);
      found.pfc.add(row[F.pfc]);
    }
  }
  return found;
}
const className = (priorities) =>
  priorities
    .split(",")
    .filter(Boolean)
    .map((p) => (data.classes.find((c) => String(c[2]) === p) || [`priority ${p}`])[0])
    .join(", ") || "none lossless";
