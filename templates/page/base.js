// Small helpers: elements without markup, numbers, the notation of ranges.
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""),
  );
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const number = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
const plural = (count, one, many) => `${number(count)} ${count === 1 ? one : many || one + "s"}`;
const badge = (text, kind) => el("span", { class: `badge ${(kind || text).replace(" ", "-")}` }, text);
const bytes = (value) => `${number(value)} bytes`;

// gpu-[001-003] -> its three names; the last range varies fastest, as in the inventory.
function expand(text) {
  const parts = text.split(/\[(\d+)-(\d+)(?:\/(\d+))?\]/);
  let found = [parts[0]];
  for (let at = 1; at < parts.length; at += 4) {
    const [first, last, step, after] = [
      parts[at],
      Number(parts[at + 1]),
      Number(parts[at + 2] || 1),
      parts[at + 3],
    ];
    const values = [];
    for (let n = Number(first); n <= last; n += step)
      values.push(String(n).padStart(first.length, "0") + after);
    found = found.flatMap((before) => values.map((value) => before + value));
  }
  return found;
}
const member = (text, index, count) => {
  const all = expand(text);
  return all.length === count ? all[index] : text;
};

// Names in order -> leaf-[1-4], spine-1
function gather(names, most = 6) {
  const runs = [];
  for (const name of names) {
    const [, head, digits] = /^(.*?)(\d*)$/.exec(name);
    const run = runs[runs.length - 1];
    const follows =
      run &&
      digits &&
      run.head === head &&
      Number(digits) === Number(run.last) + 1 &&
      (digits.length === run.last.length || run.first[0] !== "0");
    if (follows) run.last = digits;
    else runs.push({ head, first: digits, last: digits });
  }
  const texts = runs.map((r) => (r.first === r.last ? r.head + r.first : `${r.head}[${r.first}-${r.last}]`));
  const rest = texts.length - most;
  return texts.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

// The lines of the inventory that something comes from.
function sources(...numbers) {
  const known = [...new Set(numbers)].filter((n) => n >= 0).map((n) => data.lines[n]);
  return known.map(([file, line, text]) =>
    el("div", {}, el("span", { class: "place mono" }, `${file}:${line}`), el("code", { class: "src" }, text)),
  );
}
const place = (n) => (n < 0 ? "" : `${data.lines[n][0]}:${data.lines[n][1]}`);

const parts = [];
// A part of the page: id, title for the navigation, heading, what it says in a sentence.
function part(id, title, lead, ...children) {
  const section = el(
    "section",
    { class: "part", id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title`, tabindex: "-1" }, title),
    lead ? el("p", { class: "lead" }, lead) : null,
    children,
  );
  parts.push({ id, title, section, count: null });
  return section;
}
function go(id) {
  const heading = document.getElementById(`${id}-title`) || document.getElementById(id);
  if (heading) {
    heading.scrollIntoView({ block: "start" });
    heading.focus({ preventScroll: true });
  }
}
