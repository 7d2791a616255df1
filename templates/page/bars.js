// Buffers and thresholds of each kind of switch, and what is taken of tables and pools.
function headroomLeft(sheet) {
  const { room, reserved } = sheet.buffers;
  if (!room)
    return reserved
      ? `${bytes(reserved)} reserved; the buffer's size is not known`
      : sheet.headroom.length
        ? "not known: headroom is a pool of its own"
        : "";
  return `${bytes(room - reserved)} of ${bytes(room)}`;
}
function bar(label, pieces, total) {
  const WIDE = 900,
    HIGH = 26;
  let x = 0;
  const rects = pieces.map(([name, value, kind]) => {
    const width = Math.max(0, (value / total) * WIDE);
    const rect = draw(
      "rect",
      { class: kind, x, y: 2, width, height: HIGH - 4 },
      draw("title", {}, `${name}: ${bytes(value)}`),
    );
    x += width;
    return rect;
  });
  return draw(
    "svg",
    {
      class: "bar",
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      role: "img",
      "aria-label": `${label}: ${pieces.map(([name, value]) => `${name} ${bytes(value)}`).join(", ")}`,
    },
    draw("rect", { class: "rest", x: 0, y: 2, width: WIDE, height: HIGH - 4 }),
    rects,
  );
}
const PIECES = ["f0", "f2", "f3", "f5", "f6", "f4"];
function bufferBar(name, sheet) {
  const { total, pool, reserved } = sheet.buffers;
  const rows = sheet.headroom.map((row, index) => [
    `headroom of ${plural(row[2], "port")} at ${row[0]} Gb/s over ${row[1]} m`,
    row[5] * row[3],
    PIECES[1 + (index % 5)],
  ]);
  if (total && (pool || reserved)) {
    const known = rows.filter((row) => row[1]);
    const free = Math.max(0, total - pool - reserved);
    const pieces = [
      ...(pool ? [["ingress lossless pool", pool, PIECES[0]]] : []),
      ...known,
      [pool ? "left for headroom" : "left for the shared pool", free, "rest"],
    ];
    return [
      el("h4", {}, `Packet buffer, ${bytes(total)}`),
      bar(`Packet buffer of ${name}`, pieces, Math.max(total, pool + reserved)),
      el(
        "ul",
        { class: "legend" },
        pieces.map(([said, value, kind]) =>
          el("li", {}, el("i", { class: kind.replace("f", "c") }), `${said}: ${bytes(value)}`),
        ),
      ),
    ];
  }
  return [
    el(
      "p",
      { class: "lead" },
      sheet.headroom.length
        ? "The size of the packet buffer is not known, or the switch has a pool of its own for headroom."
        : sheet.missing.length
          ? `No headroom is computed: ${sheet.missing.join("; ")}.`
          : "The NOS sizes the headroom itself, or no port is lossless.",
    ),
  ];
}
function portBars(sheet) {
  if (!sheet.headroom.length) return null;
  const most = Math.max(
    ...sheet.headroom.map((row) => row[4]),
    sheet.buffers.xoff_one,
    sheet.buffers.xoff_all,
  );
  return table({
    caption:
      "Headroom of a lossless priority group on one port, against the share of the pool at which it sends XOFF",
    rows: sheet.headroom,
    columns: [
      ["ports", (r) => `${number(r[2])} at ${r[0]} Gb/s over ${r[1]} m`],
      ["XOFF headroom", (r) => number(r[4]), "num"],
      ["reserved by each", (r) => (r[5] ? number(r[5]) : "a pool of its own"), "num"],
      ["headroom", (r) => meter(r[4], most, "headroom", false)],
      ["pool share, alone", () => meter(sheet.buffers.xoff_one, most, "share", false)],
      ["pool share, all congested", () => meter(sheet.buffers.xoff_all, most, "share", false)],
    ],
  });
}
function axis(name, sheet) {
  const { xoff_one: one, xoff_all: all } = sheet.buffers;
  const points = [
    ...(one ? [["XOFF, one group congested", one, "c4"]] : []),
    ...(all ? [["XOFF, all groups congested", all, "c2"]] : []),
  ];
  const spans = sheet.ecn.map(([queue, classes, low, high, percent]) => [
    `ECN of queue ${queue} (${classes}): Kmin ${number(low)}, Kmax ${number(high)}, ${percent} %`,
    low,
    high,
  ]);
  if (!spans.length || !(one || all))
    return spans.length
      ? [el("p", {}, spans.map((s) => s[0]).join("; "), ". XOFF is not computed: the pool is not known.")]
      : [];
  const most = Math.max(...points.map((p) => p[1]), ...spans.map((s) => s[2])) * 1.05;
  const at = (value) => 10 + (value / most) * 880;
  const high = 30 + spans.length * 18;
  const label = [
    ...spans.map((s) => s[0]),
    ...points.map(([said, value]) => `${said} at ${bytes(value)}`),
  ].join("; ");
  return [
    el("h4", {}, "ECN thresholds against XOFF, bytes in the queue"),
    draw(
      "svg",
      { class: "bar", viewBox: `0 0 900 ${high + 16}`, role: "img", "aria-label": `${name}: ${label}` },
      draw("line", { class: "axis", x1: 10, x2: 890, y1: high, y2: high }),
      [0, 0.25, 0.5, 0.75, 1].map((part) =>
        text(at((most / 1.05) * part), high + 13, number(Math.round((most / 1.05) * part)), {
          class: "dim",
          "font-size": 10,
        }),
      ),
      spans.map(([said, low, up], index) =>
        draw(
          "rect",
          {
            class: `f${index}`,
            x: at(low),
            y: 8 + index * 18,
            width: Math.max(2, at(up) - at(low)),
            height: 10,
            rx: 3,
          },
          draw("title", {}, said),
        ),
      ),
      points.map(([said, value, kind]) =>
        draw(
          "line",
          { class: `tick ${kind}`, x1: at(value), x2: at(value), y1: 2, y2: high },
          draw("title", {}, `${said}: ${bytes(value)}`),
        ),
      ),
    ),
    el(
      "ul",
      { class: "legend" },
      spans.map((s, index) => el("li", {}, el("i", { class: `c${index}` }), s[0])),
      points.map(([said, value, kind]) => el("li", {}, el("i", { class: kind }), `${said}: ${bytes(value)}`)),
    ),
  ];
}
function meter(used, of, what, judged = true) {
  if (!of) return "not known";
  const part = Math.min(1, used / of);
  const kind = !judged ? "used" : used > of ? "over" : part > 0.8 ? "high" : "used";
  return draw(
    "svg",
    {
      class: "meter",
      viewBox: "0 0 100 8",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${number(used)} of ${number(of)} ${what}`,
    },
    draw("rect", { class: "rest", width: 100, height: 8 }),
    draw("rect", { class: kind, width: 100 * part, height: 8 }),
  );
}
const ofSheet = (sheet) => switches.filter((each) => each.sheet === sheet);
const byPod = (names) => gather(names);
function sheetBlock(sheet) {
  const mine = ofSheet(sheet);
  const name = byPod(mine.map((each) => each.name));
  const numbers = sheet.numbers.map((index) => data.numbers[index]);
  return el(
    "article",
    {
      class: "sheet",
      "data-switches": mine
        .slice(0, 400)
        .map((each) => each.name)
        .join(" "),
    },
    el(
      "h3",
      {},
      name,
      " ",
      el("span", { class: "place" }, `${sheet.nos} ${sheet.release}, ${sheet.model} (${sheet.asic})`),
      mine.some((s) => s.changed) ? [" ", badge("changed")] : null,
    ),
    headroomLeft(sheet) ? el("p", {}, "Headroom left: ", el("b", {}, headroomLeft(sheet))) : null,
    bufferBar(name, sheet),
    axis(name, sheet),
    portBars(sheet),
    el(
      "details",
      {},
      el("summary", {}, `Every number with its arithmetic and source (${numbers.length})`),
      el("div", { class: "late" }),
    ),
    el("details", {}, el("summary", {}, "Queues"), queueTable(name, sheet)),
  );
}
// Tables inside a fold are made when it is opened.
function lateTables(block, sheet) {
  const [fold] = block.querySelectorAll("details");
  const spot = fold.querySelector(".late");
  const make = () => {
    if (!spot.firstChild)
      spot.append(
        table({
          caption: "Numbers",
          small: true,
          most: 60,
          rows: sheet.numbers.map((index) => data.numbers[index]),
          columns: [
            ["what", (n) => n[0]],
            ["value", (n) => `${number(n[1])} ${n[2]}`.trim(), "num"],
            ["verdict", (n) => n[3]],
            ["formula", (n) => n[4]],
            ["inputs", (n) => n[5]],
            ["source", (n) => n[6]],
          ],
        }),
      );
  };
  fold.addEventListener("toggle", make);
  window.addEventListener("beforeprint", make);
  return block;
}
function buffersPart() {
  if (!data.sheets.length) return null;
  const shown = data.sheets.slice(0, 24).map((sheet) => lateTables(sheetBlock(sheet), sheet));
  const rest = data.sheets.length - shown.length;
  const more =
    rest > 0
      ? el(
          "button",
          {
            type: "button",
            onclick: (event) =>
              event.target.replaceWith(
                ...data.sheets.slice(24).map((sheet) => lateTables(sheetBlock(sheet), sheet)),
              ),
          },
          `Show ${rest} more kinds of switch`,
        )
      : null;
  return part(
    "buffers",
    "Buffers",
    "Switches with the same numbers are grouped. Headroom absorbs the frames in flight after XOFF is sent. ECN should mark before PFC pauses, so its thresholds belong below XOFF.",
    shown,
    more,
  );
}
