// The other parts: what changes, the lossless chain, networks, findings, work by hand, workloads.
function changePart() {
  const change = data.change;
  if (!change) return null;
  if (change.same) return part("change", "Change", `Nothing differs from ${change.old}.`);
  const effects = table({ caption: "Effects, the worst first: each change by itself and at once", rows: change.effects, find: (e) => `${e.title} ${e.target} ${e.change}`, columns: [
    ["effect", (e) => el("span", { class: e.weight === 2 ? "stop" : null }, e.title)], ["what", (e) => (e.where ? `${e.target} (${e.where})` : e.target)], ["change", (e) => e.change], ["why", (e) => [e.effect.what, e.effect.source ? el("div", { class: "place" }, e.effect.source) : null]]] });
  const wave = (w) => el("li", {}, el("b", {}, `${w.who}: ${w.what}`), ` (${gather(w.targets)})`, el("div", {}, "Interrupts: ", w.interrupts.length ? el("span", { class: "stop" }, w.interrupts.join("; ")) : "nothing"),
    w.by_hand.length ? el("div", {}, `By hand: ${w.by_hand.join("; ")}`) : null, el("div", {}, `Then look at: ${w.check.join("; ")}`), el("div", {}, `Go back: ${w.back}`));
  const restarted = [...new Set(change.waves.filter((w) => ["pods", "stop", "start"].includes(w.kind)).flatMap((w) => w.targets))];
  const against = change.order.against.map((a) => `${a.order} is refuted: ${a.refuted.slice(0, 2).join("; ")}${a.refuted.length > 2 ? ` and ${a.refuted.length - 2} more` : ""}`);
  const files = Object.entries(change.files).filter(([, [count]]) => count).map(([word, [count, names]]) => el("details", {}, el("summary", {}, `${plural(count, "file")} ${word}`), el("p", { class: "mono" }, names.join(", "), count > names.length ? ` and ${number(count - names.length)} more` : "")));
  return part("change", "Change", `What differs from ${change.old}, and what that does to whatever runs. Changed hosts and switches have a dashed border in the topology.`,
    el("p", {}, "Pods made anew: ", el("b", {}, restarted.length ? restarted.join(", ") : "none")), el("h3", {}, "Effects"), change.effects.length ? effects : el("p", {}, "None: only pages and lists of files differ."),
    el("h3", {}, "Waves"), el("p", {}, change.order.why), listed(against), el("ol", { class: "waves" }, change.waves.map(wave)),
    el("h3", {}, "Inventory"), table({ caption: "What the inventory states otherwise", small: true, rows: change.intent, find: (i) => i.path, mark: () => true, columns: [["key", (i) => el("code", {}, i.path)], ["before", (i) => i.old || "not there"], ["now", (i) => i.new || "gone"], ["where", (i) => el("span", { class: "place mono" }, i.place)]] }),
    gone("switches").length || gone("hosts").length ? el("p", {}, `Gone: ${gather([...gone("switches"), ...gone("hosts")])}`) : null,
    el("p", {}, `Not touched: ${change.untouched.join("; ") || "nothing"}.`), files, listed(change.notes));
}
function chainPart() {
  if (!data.chains.length) return null;
  const blocks = data.chains.map((each) => {
    const worst = ["refuted", "not proved", "proved"].find((word) => each.hops.some((hop) => hop[4] === word)) || "proved";
    return [el("h3", {}, `${each.name}: DSCP ${each.dscp}, priority ${each.priority}${each.lossless ? ", lossless" : ""} `, badge(worst)),
      el("ol", { class: "chain", "aria-label": `Chain of class ${each.name}`, tabindex: "0" }, [...new Set(each.hops.map((hop) => hop[0]))].map((stage) => el("li", {}, el("h4", {}, stage), each.hops.filter((hop) => hop[0] === stage).map(hopCard)))),
      el("p", { class: "lead" }, wayBack(each))];
  });
  const hopCount = data.chains.reduce((sum, each) => sum + each.hops.length, 0);
  return part("chain", "Lossless chain", `Each traffic class from the application to the wire and back, in ${plural(hopCount, "hop")}: value, file and verdict. Read back from the rendered files, not taken from the plan; switches that do the same stand together.`, blocks);
}
const hopCard = ([, who, value, file, verdict, why]) => el("div", { class: `card ${verdict.replace(" ", "-")}` }, el("div", { class: "who" }, el("b", {}, who), badge(verdict)),
  el("div", {}, value), el("div", { class: "place mono" }, file), why.length ? el("details", {}, el("summary", {}, plural(why.length, "reason")), listed(why)) : null);
function wayBack(each) {
  if (each.lossless) return "From the spines the packet passes the same ports downwards to the NIC of the receiver; PFC goes the other way, so each port is judged for both.";
  return each.name === "cnp" ? "The NIC of the receiver makes CNPs for marked packets; they go back through the same ports to the sender, which slows down." : "The way back passes the same ports.";
}
function networksPart() {
  if (!data.segments.length && !data.vlans.length) return null;
  const strips = data.space.map(([net, pieces]) => [el("h4", {}, net), draw("svg", { class: "bar", viewBox: "0 0 900 34", role: "img", "aria-label": `${net}: ${pieces.map(([name, count]) => `${name} with ${plural(count, "subnet")}`).join(", ")}` }, draw("rect", { class: "rest", width: 900, height: 18 }),
    pieces.map(([name, count, low, high], index) => [draw("rect", { class: `f${index % 8}`, x: low * 900, width: Math.max(1.5, (high - low) * 900), height: 18 }, draw("title", {}, `${name}: ${plural(count, "subnet")}`)), (high - low) * 900 > 34 || pieces.length <= 8 ? text(Math.min(880, Math.max(18, ((low + high) / 2) * 900)), 30, pieces.length <= 8 ? name : String(index), { "font-size": 10 }) : null]))]);
  return part("networks", "VLANs and subnets", "Segments of the rails and subnets beside them; rows that count up together are one.", data.space.length ? el("h3", {}, "Address space of the rails") : null, strips,
    data.segments.length ? [el("h3", {}, "Segments"), table({ caption: "Segments", small: true, rows: data.segments, find: (s) => s.slice(0, 6).join(" "), columns: [["segment", (s) => s[0]], ["rail", (s) => s[1]], ["leaf", (s) => (switchNamed.has(s[2]) ? link(switchNamed.get(s[2])) : s[2] || "all")], ["VLAN", (s) => s[3] || "\u2013"], ["subnet", (s) => el("span", { class: "mono" }, s[4])], ["gateway", (s) => s[5]], ["hosts", (s) => (s[6] ? number(s[6]) : ""), "num"], ["inventory", (s) => el("span", { class: "place mono" }, place(s[7]))]] })] : null,
    data.vlans.length ? [el("h3", {}, "VLANs on switches"), table({ caption: "VLANs", small: true, rows: data.vlans, find: (v) => v.join(" "), columns: [["VLAN", (v) => v[0]], ["name", (v) => v[1]], ["switches", (v) => number(v[3]), "num"], ["which", (v) => v[2]]] })] : null);
}
function findingsPart() {
  const open = data.findings.filter((row) => !row[6]), accepted = data.findings.filter((row) => row[6]);
  const columns = [["severity", (r) => badge(r[0])], ["code", (r) => r[1]], ["finding", (r) => [r[3], r[4] ? el("div", { class: "place" }, `\u2192 ${r[4]}`) : null]], ["where", (r) => (r[5] < 0 ? r[2] : sources(r[5]))]];
  const section = part("findings", "Findings", `No error: with one nothing is made. ${number(data.facts.checks)} checks had something to look at. netplan explain CODE says more.`,
    open.length ? table({ caption: "Findings, those that fail under --strict first", small: true, rows: [...open].sort((a, b) => (a[0] === "warning" ? 0 : 1) - (b[0] === "warning" ? 0 : 1)), find: (r) => r.join(" "), columns }) : el("p", {}, "None."),
    accepted.length ? [el("h3", {}, "Accepted by the inventory"), table({ caption: "Accepted findings", small: true, rows: accepted, find: (r) => r.join(" "), columns })] : null, listed(data.skipped));
  parts[parts.length - 1].count = [open.length, open.some((r) => r[0] === "warning") ? "warning" : ""];
  return section;
}
function handPart() {
  const work = data.tasks.map((row) => [...row]);
  data.sheets.forEach((sheet) => { const mine = ofSheet(sheet); sheet.by_hand.forEach(([title, why]) => work.push([byPod(mine.map((s) => s.name)), title, why, `switches/${mine[0].name}/README.md`])); });
  const left = data.sheets.flatMap((sheet) => sheet.left_out.map(([title, why]) => [byPod(ofSheet(sheet).map((s) => s.name)), title, why]));
  const section = part("hand", "By hand", "What the files do not do: a person enters, installs or confirms it.",
    work.length ? table({ caption: "Work by hand", small: true, rows: work, find: (r) => r.join(" "), columns: [["where", (r) => r[0]], ["what", (r) => r[1]], ["why", (r) => r[2]], ["how", (r) => el("span", { class: "place mono" }, r[3])]] }) : el("p", {}, "Nothing."),
    left.length ? [el("h3", {}, "Wanted, and left out"), table({ caption: "Features a switch has no confirmed command for", small: true, rows: left, find: (r) => r.join(" "), columns: [["switches", (r) => r[0]], ["feature", (r) => r[1]], ["why", (r) => r[2]]] })] : null,
    data.cluster.changes.length ? [el("h3", {}, "What a change does to nodes"), table({ caption: "Changes of objects", small: true, rows: data.cluster.changes, columns: [["change of", (c) => c[0]], ["effect", (c) => c[1]], ["at once", (c) => c[2]]] })] : null);
  parts[parts.length - 1].count = [work.length, ""];
  return section;
}
function workloadsPart() {
  if (!data.workloads.length) return null;
  const block = (each) => el("article", { class: "sheet" }, el("h3", {}, each.name, " ", el("span", { class: "place" }, `namespace ${each.namespace}, ${plural(each.nodes, "node")}${each.group ? `, bound to leaf group ${each.group}` : ""}`), changed.pods.has(each.name) ? [" ", badge("changed")] : null),
    pairs([["GPUs of a pod", each.gpus || ""], ["image", each.image], ["networks", each.networks.map(([name, reference]) => `${name}: ${reference}`).join(", ")], ["limits", each.limits.map((row) => row.join(" ")).join(", ")], ["test jobs", each.jobs.join(", ")]]),
    el("details", {}, el("summary", {}, plural(each.env.length, "variable")), table({ caption: `Variables of ${each.name}`, small: true, most: 60, rows: each.env, columns: [["name", (e) => el("code", {}, e[0])], ["value", (e) => el("code", {}, e[1])], ["why", (e) => e[2]]] })), sources(each.line));
  const rest = data.workloads.slice(20);
  return part("workloads", "Workloads", "", data.workloads.slice(0, 20).map(block), rest.length ? el("button", { type: "button", onclick: (event) => event.target.replaceWith(...rest.map(block)) }, `Show ${rest.length} more`) : null,
    data.cluster.resources.length ? [el("h3", {}, "Extended resources"), table({ caption: "Resources", small: true, rows: data.cluster.resources, find: (r) => r.join(" "), columns: [["resource", (r) => r[0]], ["plugin", (r) => r[1]], ["owner", (r) => r[2]], ["on each node", (r) => r[3]]] })] : null,
    data.cluster.facts.length ? [el("h3", {}, "Cluster"), table({ caption: "Cluster", small: true, rows: data.cluster.facts, columns: [["what", (f) => f[0]], ["value", (f) => f[1]], ["so", (f) => f[2]]] })] : null);
}
