// Rails by rails of each workload; a cell shows the way of a packet, there and back.
const WORDS = data.signs;
function reachPart() {
  if (!data.reach.length) return null;
  const pick = el(
    "select",
    { id: "workload", onchange: () => show(data.reach[pick.selectedIndex]) },
    data.reach.map((each) => el("option", {}, each.name)),
  );
  const spot = el("div");
  const show = (each) => spot.replaceChildren(...workloadGrids(each));
  show(data.reach[0]);
  const legendOf = [...new Set(data.reach.flatMap((w) => w.grids.flatMap((g) => [...g.signs])))]
    .filter((sign) => sign.trim())
    .map((sign) => el("li", {}, el("b", {}, sign), ` ${WORDS[sign][0]}`));
  return part(
    "reach",
    "Reachability",
    "Every rail to every rail, traced through the rendered files for each class of hosts. Click a cell for its path; grey cells do not count towards the verdict.",
    el("div", { class: "tools" }, el("label", { for: "workload" }, "Workload"), pick),
    el("ul", { class: "legend" }, legendOf),
    spot,
  );
}
function workloadGrids(each) {
  const path = el(
    "div",
    {
      class: "path",
      "aria-live": "polite",
      tabindex: "0",
      role: "region",
      "aria-label": "Path of the chosen cell",
    },
    el("p", { class: "place" }, "Click a cell for its path."),
  );
  const head = el(
    "p",
    {},
    badge(each.proof),
    ` ${each.verdict}; ${plural(each.hosts, "host")} in ${plural(each.classes, "class", "classes")}, ${number(each.walks)} walks there and back`,
    each.missing ? `: ${each.missing}` : "",
  );
  const shown = each.grids.map((grid) => gridOf(each, grid, path));
  const main = el("div", { class: "side" }, el("div", { class: "grids" }, shown), path);
  const worst =
    main.querySelector("button.refuted") ||
    main.querySelector("button.not-proved") ||
    main.querySelectorAll("button.proved")[1];
  if (worst) worst.click();
  return [head, main];
}
function gridOf(each, grid, path) {
  const names = each.interfaces,
    size = names.length;
  const title = `${grid.relation}, ${grid.flow}`;
  const rows = names
    .map((name, row) => [name, [...grid.signs.slice(row * size, (row + 1) * size)]])
    .filter(([, signs]) => signs.some((sign) => sign.trim()));
  const cell = (name, sign, row, column) => {
    if (!sign.trim()) return el("td");
    const at = names.indexOf(name) * size + column;
    const kind = grid.shown.includes(at) ? "shown" : WORDS[sign][1].replace(" ", "-");
    const button = el(
      "button",
      {
        type: "button",
        class: kind,
        "aria-pressed": "false",
        "aria-label": `${title}: ${name} to ${names[column]}, ${WORDS[sign][0]}`,
        onclick: () => {
          path.parentElement
            .querySelectorAll("[aria-pressed=true]")
            .forEach((other) => other.setAttribute("aria-pressed", "false"));
          button.setAttribute("aria-pressed", "true");
          path.replaceChildren(...wayOf(each, grid, name, names[column], at, sign));
        },
      },
      sign,
    );
    return el("td", {}, button);
  };
  const grey = grid.decides ? "" : ", does not count";
  return el(
    "div",
    {},
    el("h3", {}, `${title}${grey}`),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": `Reachability, ${title}` },
      el(
        "table",
        { class: "grid" },
        el("caption", { class: "hidden" }, `${each.name}, ${title}: from the row to the column`),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("td"),
            names.map((name) => el("th", { scope: "col" }, /^rail\d+$/.test(name) ? name.slice(4) : name)),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map(([name, signs], row) =>
            el(
              "tr",
              {},
              el("th", { scope: "row" }, name),
              signs.map((sign, column) => cell(name, sign, row, column)),
            ),
          ),
        ),
      ),
    ),
  );
}
function wayOf(each, grid, start, end, at, sign) {
  const [a, b] = grid.examples[at] || grid.example;
  const said = (grid.why[at] || []).map((n) =>
    n < 0 ? `${-n} in all: netplan trace has them` : data.reasons[n],
  );
  const legs = grid.ways[at];
  const command = `netplan trace INVENTORY ${each.name}@${a}/${start} ${each.name}@${b}/${end}`;
  const leg = (title, way) =>
    way
      ? [
          el("h4", {}, `${title}${way[0] ? ` from ${way[0]}` : ""}`),
          el(
            "ol",
            { class: "way" },
            way[2].map((n) => hop(data.hops[n])),
          ),
          way[1]
            ? el("p", { class: "place" }, `and ${plural(way[1], "other equal path")}, each judged`)
            : null,
        ]
      : null;
  return [
    el("h3", {}, `${each.name}@${a}/${start} to ${each.name}@${b}/${end}`),
    el("p", {}, badge(WORDS[sign][1]), ` ${WORDS[sign][0]}; ${grid.relation}, ${grid.flow}`),
    listed(said),
    legs ? [leg("There,", legs[0]), leg("Back,", legs[1])] : null,
    el("p", { class: "place" }, "The same on the command line: ", el("code", {}, command)),
  ]
    .flat(Infinity)
    .filter(Boolean);
}
const hop = ([node, enter, leave, does, values, file]) =>
  el(
    "li",
    {},
    el("b", {}, switchNamed.has(node) ? link(switchNamed.get(node)) : node),
    ` ${[enter, leave].filter(Boolean).join(" \u2192 ")}`,
    el("div", {}, does),
    el("div", {}, values),
    el("div", { class: "place mono" }, file),
  );
