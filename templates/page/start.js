// Puts the page together.
function factsList() {
  const f = data.facts;
  const rows = [
    [number(f.hosts), "hosts"],
    [f.gpus ? number(f.gpus) : "", "GPUs"],
    [f.rails || "", "rails"],
    [number(f.switches), f.switches ? `switches (${plural(f.leaves, "leaf", "leaves")})` : "switches"],
    [number(f.cables), "cables"],
    [number(f.mtu), "bytes of IP MTU"],
    [f.fabric, f.segment ? `fabric, a segment per ${f.segment}` : "fabric"],
    [number(f.files), "files rendered"],
  ];
  return el(
    "ul",
    { class: "facts", "aria-label": "The site in numbers" },
    rows.filter(([value]) => value !== "").map(([value, said]) => el("li", {}, el("b", {}, value), said)),
  );
}
function theme() {
  const button = document.getElementById("theme"),
    root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  const show = () => {
    const now = chosen || (dark.matches ? "dark" : "light");
    root.dataset.theme = now;
    button.textContent = now === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${now === "dark" ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    show();
  });
  dark.addEventListener("change", show);
  let before = null;
  window.addEventListener("beforeprint", () => {
    before = chosen;
    chosen = "light";
    show();
  });
  window.addEventListener("afterprint", () => {
    chosen = before;
    show();
  });
  show();
}
function navigation() {
  const nav = document.getElementById("nav");
  const links = parts.map(({ id, title, count }) =>
    el(
      "a",
      {
        href: `#${id}`,
        onclick: (event) => {
          event.preventDefault();
          history.replaceState(null, "", `#${id}`);
          go(id);
        },
      },
      title,
      count ? el("span", { class: `count ${count[1]}` }, number(count[0])) : null,
    ),
  );
  nav.append(...links);
  const seen = new Map();
  const watch = new IntersectionObserver(
    (entries) => {
      entries.forEach((entry) => seen.set(entry.target.id, entry.isIntersecting));
      const now = parts.findIndex(({ id }) => seen.get(id));
      links.forEach((each, index) =>
        index === now ? each.setAttribute("aria-current", "true") : each.removeAttribute("aria-current"),
      );
    },
    { rootMargin: "-90px 0px -55% 0px" },
  );
  parts.forEach(({ section }) => watch.observe(section));
}
theme();
const page = [
  factsList(),
  changePart(),
  topologyPart(),
  chainPart(),
  buffersPart(),
  capacityPart(),
  networksPart(),
  reachPart(),
  findingsPart(),
  handPart(),
  workloadsPart(),
];
document.getElementById("main").append(...page.filter(Boolean));
paint();
navigation();
setUpSearch();
if (location.hash.length > 1) go(decodeURIComponent(location.hash.slice(1)));
document.documentElement.dataset.ready = "true";
