// Two ranked lists side by side: the grade of each document, and lines between the places of documents in both.
const LINE = 28, GAP = 64; // pixels: height of a row, width between the lists

const gradeMark = (grade, highest) => {
  if (grade === null) return build("span", { class: "grade unjudged", title: "no judgment" }, "?");
  const level = grade <= 0 ? 0 : Math.max(1, Math.round(4 * grade / Math.max(highest, 1)));
  return build("span", { class: `grade grade-${level}`, title: `grade ${grade}` }, String(grade));
};

const rankedList = (system, documents, other, highest) => {
  const ranks = new Map(other.documents.map(one => [one.document, one.rank]));
  const items = documents.map(one => {
    const elsewhere = ranks.get(one.document);
    const place = elsewhere === undefined ? null : build("span", { class: "hidden" }, `, rank ${elsewhere} of ${other.system}`);
    return build("li", { class: elsewhere === undefined ? "alone" : "shared", value: one.rank },
      build("span", { class: "rank" }, String(one.rank)), gradeMark(one.grade, highest),
      build("span", { class: "document", title: one.document }, one.document), place);
  });
  return build("div", { class: "ranked-list" }, build("h3", {}, system), build("ol", {}, ...items));
};

const sharedLines = (left, right, count) => {
  const rows = new Map(right.map((one, place) => [one.document, place]));
  const svg = buildSvg("svg", {
    class: "shared-lines", width: GAP, height: LINE * count, viewBox: `0 0 ${GAP} ${LINE * count}`,
    preserveAspectRatio: "none", "aria-hidden": "true",
  });
  left.forEach((one, place) => {
    if (!rows.has(one.document)) return;
    const [from, to] = [place, rows.get(one.document)].map(row => LINE * (row + 0.5));
    svg.append(buildSvg("path", {
      d: `M0 ${from}C${GAP / 2} ${from} ${GAP / 2} ${to} ${GAP} ${to}`, class: one.grade > 0 ? "relevant" : "other",
    }));
  });
  return svg;
};

const rankedLists = (systems, lists) => {
  const highest = Math.max(1, ...lists.flat().map(one => one.grade ?? 0));
  const [left, right] = [0, 1].map(
    side => rankedList(systems[side], lists[side], { system: systems[1 - side], documents: lists[1 - side] }, highest));
  const count = Math.max(lists[0].length, lists[1].length);
  const middle = build("div", { class: "between" }, sharedLines(lists[0], lists[1], count));
  const relevant = list => list.filter(one => one.grade > 0).length, unjudged = list => list.filter(one => one.grade === null).length;
  const names = new Set(lists[1].map(one => one.document));
  const both = lists[0].filter(one => names.has(one.document)).length;
  const deepest = Math.max(...lists.flat().map(one => one.rank), 0);
  const summary = `Of the first ${deepest} documents ${both} are in both lists. Relevant: ${relevant(lists[0])} of ` +
    `${systems[0]}, ${relevant(lists[1])} of ${systems[1]}. Without a judgment (?): ${unjudged(lists[0])} and ${unjudged(lists[1])}.`;
  return [build("p", {}, summary), build("div", { class: "ranked-lists" }, left, middle, right)];
};
