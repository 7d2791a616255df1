// Tables with a filter, a part at a time: thousands of rows stay out of the page until they are asked for.
const AT_ONCE = 25;

// columns: [title, cell of a row, "num" or nothing]; a cell is a text or an element. find: the text of a row to filter by.
function table({ caption, columns, rows, find, mark, most = AT_ONCE, small = false }) {
  const body = el("tbody");
  const said = el("span", { class: "said", role: "status" });
  const more = el("button", { type: "button" }, "Show more");
  let shown = rows;
  let until = most;
  function render() {
    body.replaceChildren(
      ...shown.slice(0, until).map((row) =>
        el(
          "tr",
          { class: mark && mark(row) ? "changed" : null },
          columns.map(([, cell, kind], index) =>
            el(index ? "td" : "th", { class: kind || null, scope: index ? null : "row" }, cell(row)),
          ),
        ),
      ),
    );
    more.hidden = shown.length <= until;
    said.textContent =
      shown.length > until || shown.length < rows.length
        ? `${number(Math.min(until, shown.length))} of ${number(rows.length)}`
        : "";
  }
  more.addEventListener("click", () => {
    until += 8 * most;
    render();
  });
  const head = el(
    "thead",
    {},
    el(
      "tr",
      {},
      columns.map(([title, , kind]) => el("th", { class: kind || null, scope: "col" }, title)),
    ),
  );
  const whole = el("table", {}, el("caption", { class: small ? "hidden" : null }, caption), head, body);
  const tools = [];
  if (find && rows.length > 8) {
    const input = el("input", {
      type: "search",
      "aria-label": `Filter: ${caption}`,
      placeholder: "filter",
      spellcheck: "false",
    });
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      shown = wanted ? rows.filter((row) => find(row).toLowerCase().includes(wanted)) : rows;
      until = most;
      render();
    });
    tools.push(input);
  }
  render();
  if (rows.length <= most && !tools.length)
    return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, whole);
  return el(
    "div",
    {},
    el("div", { class: "tools" }, tools, said),
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, whole),
    more,
  );
}

const pairs = (rows) =>
  el(
    "dl",
    { class: "pairs" },
    rows
      .filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );

const listed = (texts) =>
  texts.length
    ? el(
        "ul",
        { class: "why" },
        texts.map((text) => el("li", {}, text)),
      )
    : null;
