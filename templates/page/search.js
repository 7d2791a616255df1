// One field for names, ports, VLANs, subnets, workloads and codes.
const MOST_FOUND = 12;
const PARTS_OF = {
  VLAN: "networks",
  subnet: "networks",
  finding: "findings",
  workload: "workloads",
  pool: "capacity",
};
function* candidates(wanted) {
  const [name, ...rest] = wanted.split(/\s+/);
  const port = rest.join(" ");
  const exact = switchNamed.get(name);
  if (exact && port)
    yield* portsOf(exact)
      .filter((p) => p.port.toLowerCase().startsWith(port))
      .map((p) => ["port", `${p.at} ${p.port} to ${p.peer} ${p.peerPort}`, () => choose(exact)]);
  for (const each of switches)
    if (each.name.toLowerCase().includes(wanted)) yield [each.role, each.name, () => choose(each)];
  for (const host of hosts)
    if (host.name.toLowerCase().includes(wanted)) yield ["host", host.name, () => choose(host)];
  for (const pod of pods) if (pod.name.toLowerCase() === wanted) yield ["pod", pod.name, () => choose(pod)];
  for (const [vlan, names] of data.vlans)
    if (`vlan ${vlan}`.includes(wanted) || names.toLowerCase().includes(wanted))
      yield ["VLAN", `VLAN ${vlan} ${names}`, null];
  for (const row of data.segments)
    if (row[4].toLowerCase().includes(wanted) || row[0].toLowerCase().includes(wanted))
      yield ["subnet", `${row[0]} ${row[4]}`, null];
  for (const pool of data.pools) if (pool[0].toLowerCase().includes(wanted)) yield ["pool", pool[0], null];
  for (const each of data.workloads)
    if (each.name.toLowerCase().includes(wanted)) yield ["workload", each.name, null];
  for (const row of data.findings)
    if (`${row[1]} ${row[2]}`.toLowerCase().includes(wanted)) yield ["finding", `${row[1]} ${row[3]}`, null];
}
function setUpSearch() {
  const input = document.getElementById("find"),
    list = document.getElementById("found");
  let found = [],
    at = -1;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    at = -1;
  };
  const pick = (row) => {
    close();
    go(row[2] ? "topology" : PARTS_OF[row[0]]);
    if (row[2]) {
      row[2]();
      approach(picture.chosen);
      drawer.focus({ preventScroll: true });
    }
  };
  const mark = () =>
    [...list.children].forEach((item, index) => {
      item.setAttribute("aria-selected", String(index === at));
      if (index === at) {
        input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    });
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    found = [];
    if (wanted)
      for (const row of candidates(wanted)) {
        found.push(row);
        if (found.length === MOST_FOUND) break;
      }
    const exact = found.findIndex((row) => row[1].toLowerCase() === wanted);
    if (exact > 0) found.unshift(...found.splice(exact, 1));
    list.replaceChildren(
      ...found.map((row, index) =>
        el(
          "li",
          {
            role: "option",
            id: `found-${index}`,
            "aria-selected": "false",
            onmousedown: (event) => {
              event.preventDefault();
              pick(row);
            },
          },
          el("span", {}, row[1]),
          el("span", { class: "kind" }, row[0]),
        ),
      ),
    );
    at = found.length ? 0 : -1;
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
    mark();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key === "Enter" && found[at] && !list.hidden) pick(found[at]);
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || !found.length) return;
    event.preventDefault();
    at = (at + (event.key === "ArrowDown" ? 1 : -1) + found.length) % found.length;
    mark();
  });
  input.addEventListener("blur", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
      event.preventDefault();
      input.focus();
    }
  });
}
