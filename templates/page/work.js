// Findings, work by hand, workloads.
function findingsPart() {
  const open = data.findings.filter((row) => !row[6]),
    accepted = data.findings.filter((row) => row[6]);
  const columns = [
    ["severity", (r) => badge(r[0])],
    ["code", (r) => r[1]],
    ["finding", (r) => [r[3], r[4] ? el("div", { class: "place" }, `\u2192 ${r[4]}`) : null]],
    ["where", (r) => (r[5] < 0 ? r[2] : sources(r[5]))],
  ];
  const section = part(
    "findings",
    "Findings",
    `No errors. ${number(data.facts.checks)} checks found something to look at; netplan explain CODE says what one means and how to fix it.`,
    open.length
      ? table({
          caption: "Findings, those that fail under --strict first",
          small: true,
          rows: [...open].sort((a, b) => (a[0] === "warning" ? 0 : 1) - (b[0] === "warning" ? 0 : 1)),
          find: (r) => r.join(" "),
          columns,
        })
      : el("p", {}, "None."),
    accepted.length
      ? [
          el("h3", {}, "Accepted by the inventory"),
          table({
            caption: "Accepted findings",
            small: true,
            rows: accepted,
            find: (r) => r.join(" "),
            columns,
          }),
        ]
      : null,
    listed(data.skipped),
  );
  parts[parts.length - 1].count = [open.length, open.some((r) => r[0] === "warning") ? "warning" : ""];
  return section;
}
function handPart() {
  const work = data.tasks.map((row) => [...row]);
  data.sheets.forEach((sheet) => {
    const mine = ofSheet(sheet);
    sheet.by_hand.forEach(([title, why]) =>
      work.push([byPod(mine.map((s) => s.name)), title, why, `switches/${mine[0].name}/README.md`]),
    );
  });
  const left = data.sheets.flatMap((sheet) =>
    sheet.left_out.map(([title, why]) => [byPod(ofSheet(sheet).map((s) => s.name)), title, why]),
  );
  const section = part(
    "hand",
    "By hand",
    "What the files do not do: to be installed, entered or confirmed by a person.",
    work.length
      ? table({
          caption: "Work by hand",
          small: true,
          rows: work,
          find: (r) => r.join(" "),
          columns: [
            ["where", (r) => r[0]],
            ["what", (r) => r[1]],
            ["why", (r) => r[2]],
            ["how", (r) => el("span", { class: "place mono" }, r[3])],
          ],
        })
      : el("p", {}, "Nothing."),
    left.length
      ? [
          el("h3", {}, "Left out"),
          table({
            caption: "Features a switch has no confirmed command for",
            small: true,
            rows: left,
            find: (r) => r.join(" "),
            columns: [
              ["switches", (r) => r[0]],
              ["feature", (r) => r[1]],
              ["why", (r) => r[2]],
            ],
          }),
        ]
      : null,
    data.cluster.changes.length
      ? [
          el("h3", {}, "What a change does to nodes"),
          table({
            caption: "Changes of objects",
            small: true,
            rows: data.cluster.changes,
            columns: [
              ["change of", (c) => c[0]],
              ["effect", (c) => c[1]],
              ["at once", (c) => c[2]],
            ],
          }),
        ]
      : null,
  );
  parts[parts.length - 1].count = [work.length, ""];
  return section;
}
function workloadsPart() {
  if (!data.workloads.length) return null;
  const block = (each) =>
    el(
      "article",
      { class: "sheet" },
      el(
        "h3",
        {},
        each.name,
        " ",
        el(
          "span",
          { class: "place" },
          `namespace ${each.namespace}, ${plural(each.nodes, "node")}${each.group ? `, bound to leaf group ${each.group}` : ""}`,
        ),
        changed.pods.has(each.name) ? [" ", badge("changed")] : null,
      ),
      pairs([
        ["GPUs per pod", each.gpus || ""],
        ["image", each.image],
        ["networks", each.networks.map(([name, reference]) => `${name}: ${reference}`).join(", ")],
        ["limits", each.limits.map((row) => row.join(" ")).join(", ")],
        ["test jobs", each.jobs.join(", ")],
      ]),
      el(
        "details",
        {},
        el("summary", {}, plural(each.env.length, "variable")),
        table({
          caption: `Variables of ${each.name}`,
          small: true,
          most: 60,
          rows: each.env,
          columns: [
            ["name", (e) => el("code", {}, e[0])],
            ["value", (e) => el("code", {}, e[1])],
            ["why", (e) => e[2]],
          ],
        }),
      ),
      sources(each.line),
    );
  const rest = data.workloads.slice(20);
  return part(
    "workloads",
    "Workloads",
    "",
    data.workloads.slice(0, 20).map(block),
    rest.length
      ? el(
          "button",
          { type: "button", onclick: (event) => event.target.replaceWith(...rest.map(block)) },
          `Show ${rest.length} more`,
        )
      : null,
    data.cluster.resources.length
      ? [
          el("h3", {}, "Extended resources"),
          table({
            caption: "Resources",
            small: true,
            rows: data.cluster.resources,
            find: (r) => r.join(" "),
            columns: [
              ["resource", (r) => r[0]],
              ["plugin", (r) => r[1]],
              ["owner", (r) => r[2]],
              ["on each node", (r) => r[3]],
            ],
          }),
        ]
      : null,
    data.cluster.facts.length
      ? [
          el("h3", {}, "Cluster"),
          table({
            caption: "Cluster",
            small: true,
            rows: data.cluster.facts,
            columns: [
              ["what", (f) => f[0]],
              ["value", (f) => f[1]],
              ["so", (f) => f[2]],
            ],
          }),
        ]
      : null,
  );
}
