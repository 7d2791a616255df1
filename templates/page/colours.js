// Colours of the cables, and what they mean.
const colours = {
  speed: {
    names: [...new Set(switches.flatMap((s) => s.rows.map((row) => row[F.gbps])))].sort((a, b) => b - a),
    of: (cable) => cable.gbps,
    word: (gbps) => `${gbps} Gb/s`,
  },
  class: {
    names: [...new Set(switches.flatMap((s) => s.rows.map((row) => row[F.pfc])))].sort().reverse(),
    of: (cable) => cable.pfc,
    word: (pfc) => (pfc ? `lossless: ${className(pfc)}` : "no lossless class"),
  },
  rail: {
    names: [...new Set(switches.flatMap((s) => s.rails))].sort((a, b) => a - b),
    of: (cable) => {
      const rails = switchNamed.get(cable.lower || cable.at).rails;
      return rails.length === 1 ? rails[0] : "";
    },
    word: (rail) => `rail ${rail}`,
  },
  finding: {
    names: [2, 1, 0],
    of: (cable) => cable.mark,
    word: (mark) => ["no finding", "note", "warning"][mark],
    classes: ["c7", "c0", "c2"],
  },
};
function colourOf(cable) {
  const by = colours[picture.by];
  const value = by.of(cable);
  if (by.classes) return by.classes[value];
  const index = by.names.indexOf(value);
  return index < 0 ? "c7" : `c${index % 8}`;
}
function showLegend() {
  const by = colours[picture.by];
  legend.replaceChildren(
    ...by.names.map((name, index) =>
      el("li", {}, el("i", { class: by.classes ? by.classes[name] : `c${index % 8}` }), by.word(name)),
    ),
  );
}
