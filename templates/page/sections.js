// What changes, the lossless chain, VLANs and subnets.
function changePart() {
  const change = data.change;
  if (!change) return null;
  if (change.same) return part("change", "Change", `Nothing differs from ${change.old}.`);
  const effects = table({
    caption: "Effects, the worst first: each change by itself and at once",
    rows: change.effects,
    find: (e) => `${e.title} ${e.target} ${e.change}`,
    columns: [
      ["effect", (e) => el("span", { class: e.weight === 2 ? "stop" : null }, e.title)],
      ["what", (e) => (e.where ? `${e.target} (${e.where})` : e.target)],
      ["change", (e) => e.change],
      [
        "why",
        (e) => [e.effect.what, e.effect.source ? el("div", { class: "place" }, e.effect.source) : null],
      ],
    ],
  });
  const wave = (w) =>
    el(
      "li",
      {},
      el("b", {}, `${w.who}: ${w.what}`),
      ` (${gather(w.targets, 12)})`,
      el(
        "div",
        {},
        "Interrupts: ",
        w.interrupts.length ? el("span", { class: "stop" }, w.interrupts.join("; ")) : "nothing",
      ),
      w.by_hand.length ? el("div", {}, `By hand: ${w.by_hand.join("; ")}`) : null,
      el("div", {}, `Then check: ${w.check.join("; ")}`),
      el("div", {}, `Roll back: ${w.back}`),
    );
  const restarted = [
    ...new Set(
      change.waves.filter((w) => ["pods", "stop", "start"].includes(w.kind)).flatMap((w) => w.targets),
    ),
  ];
  const nodes = [
    ...new Set(
      change.effects
        .filter((e) => ["drain", "reboot"].includes(e.effect.word))
        .map((e) => e.where || e.target),
    ),
  ];
  const onNodes = nodes.length ? [`those on nodes that drain or reboot (${nodes.join("; ")})`] : [];
  const restarting = [...restarted, ...onNodes].join(", ") || "none";
  const files = Object.entries(change.files)
    .filter(([, [count]]) => count)
    .map(([word, [count, names]]) =>
      el(
        "details",
        {},
        el("summary", {}, `${plural(count, "file")} ${word}`),
        el(
          "p",
          { class: "mono" },
          names.join(", "),
          count > names.length ? ` and ${number(count - names.length)} more` : "",
        ),
      ),
    );
  return part(
    "change",
    "Change",
    `What differs from ${change.old}, and what that does to whatever runs. Changed hosts and switches have a dashed border in the topology.`,
    el("p", {}, "Pods that restart: ", el("b", {}, restarting)),
    el("h3", {}, "Effects"),
    change.effects.length ? effects : el("p", {}, "None: only READMEs and lists of files differ."),
    el("h3", {}, "Waves"),
    el("p", {}, change.order.why),
    listed(change.order.against),
    el("ol", { class: "waves" }, change.waves.map(wave)),
    el("h3", {}, "Inventory"),
    table({
      caption: "What the inventory states otherwise",
      small: true,
      rows: change.intent,
      find: (i) => i.path,
      mark: () => true,
      columns: [
        ["key", (i) => el("code", {}, i.path)],
        ["before", (i) => i.old || "not there"],
        ["now", (i) => i.new || "gone"],
        ["where", (i) => el("span", { class: "place mono" }, i.place)],
      ],
    }),
    gone("switches").length || gone("hosts").length
      ? el("p", {}, `Gone: ${gather([...gone("switches"), ...gone("hosts")])}`)
      : null,
    el("p", {}, `Not touched: ${change.untouched.join("; ") || "nothing"}.`),
    files,
    listed(change.notes),
  );
}
function chainPart() {
  if (!data.chains.length) return null;
  const blocks = data.chains.map((each) => {
    const verdicts = [...each.hops.map((hop) => hop[4]), ...each.open.map(() => "not proved")];
    const worst = ["refuted", "not proved", "proved"].find((word) => verdicts.includes(word));
    return [
      el(
        "h3",
        {},
        `${each.name}: DSCP ${each.dscp}, priority ${each.priority}${each.lossless ? ", lossless" : ""} `,
        badge(worst),
      ),
      el(
        "ol",
        { class: "chain", "aria-label": `Chain of class ${each.name}`, tabindex: "0" },
        [...new Set(each.hops.map((hop) => hop[0]))].map((stage) =>
          el("li", {}, el("h4", {}, stage), each.hops.filter((hop) => hop[0] === stage).map(hopCard)),
        ),
      ),
      listed(each.open),
      el("p", { class: "lead" }, wayBack(each)),
    ];
  });
  const hopCount = data.chains.reduce((sum, each) => sum + each.hops.length, 0);
  return part(
    "chain",
    "Lossless chain",
    `Each traffic class from the application to the wire and back, in ${plural(hopCount, "hop")}: value, file and verdict. Read back from the rendered files, headroom in bytes as computed; identical switches are grouped.`,
    blocks,
  );
}
const hopCard = ([, who, value, file, verdict, why]) =>
  el(
    "div",
    { class: `card ${verdict.replace(" ", "-")}` },
    el("div", { class: "who" }, el("b", {}, who), badge(verdict)),
    el("div", {}, value),
    el("div", { class: "place mono" }, file),
    why.length ? el("details", {}, el("summary", {}, plural(why.length, "reason")), listed(why)) : null,
  );
function wayBack(each) {
  if (each.lossless)
    return !spines.length
      ? "The packet leaves through a port like the one it came in by; PFC goes the other way, so each port is judged for both."
      : "From the spines the packet passes the same ports downwards to the NIC of the receiver; PFC goes the other way, so each port is judged for both.";
  return each.name === "cnp"
    ? "The NIC of the receiver makes CNPs for marked packets; they go back through the same ports to the sender, which slows down."
    : "The way back passes the same ports.";
}
function networksPart() {
  if (!data.segments.length && !data.vlans.length) return null;
  const strips = data.space.map(([net, pieces]) => [
    el("h4", {}, net),
    draw(
      "svg",
      {
        class: "bar",
        viewBox: "0 0 900 34",
        role: "img",
        "aria-label": `${net}: ${pieces.map(([name, count]) => `${name} with ${plural(count, "subnet")}`).join(", ")}`,
      },
      draw("rect", { class: "rest", width: 900, height: 18 }),
      pieces.map(([name, count, low, high], index) => [
        draw(
          "rect",
          { class: `f${index % 8}`, x: low * 900, width: Math.max(1.5, (high - low) * 900), height: 18 },
          draw("title", {}, `${name}: ${plural(count, "subnet")}`),
        ),
        (high - low) * 900 > 34 || pieces.length <= 8
          ? text(
              Math.min(880, Math.max(18, ((low + high) / 2) * 900)),
              30,
              pieces.length <= 8 ? name : String(index),
              { "font-size": 10 },
            )
          : null,
      ]),
    ),
  ]);
  return part(
    "networks",
    "VLANs and subnets",
    "Segments of the rails and the subnets beside them. Consecutive rows are folded into one.",
    data.space.length ? el("h3", {}, "Address space of the rails") : null,
    strips,
    data.segments.length
      ? [
          el("h3", {}, "Segments"),
          table({
            caption: "Segments",
            small: true,
            rows: data.segments,
            find: (s) => s.slice(0, 6).join(" "),
            columns: [
              ["segment", (s) => s[0]],
              ["rail", (s) => s[1]],
              ["leaf", (s) => (switchNamed.has(s[2]) ? link(switchNamed.get(s[2])) : s[2] || "all")],
              ["VLAN", (s) => s[3] || "\u2013"],
              ["subnet", (s) => el("span", { class: "mono" }, s[4])],
              ["gateway", (s) => s[5]],
              ["hosts", (s) => (s[6] ? number(s[6]) : ""), "num"],
              ["inventory", (s) => el("span", { class: "place mono" }, place(s[7]))],
            ],
          }),
        ]
      : null,
    data.vlans.length
      ? [
          el("h3", {}, "VLANs on switches"),
          table({
            caption: "VLANs",
            small: true,
            rows: data.vlans,
            find: (v) => v.join(" "),
            columns: [
              ["VLAN", (v) => v[0]],
              ["name", (v) => v[1]],
              ["switches", (v) => number(v[3]), "num"],
              ["which", (v) => v[2]],
            ],
          }),
        ]
      : null,
  );
}
