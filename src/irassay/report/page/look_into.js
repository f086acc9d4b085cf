// Looking into a system, a pair of systems or a topic: a dialog whose place is in the address, as #system=A&with=B.
const placesElement = document.querySelector("#places script");
const places = placesElement ? await readData(placesElement) : { systems: [] };
const MAX_TOPICS = 400; // of which a dialog shows rows; with more, those at both ends
const KEYS = ["collection", "measure", "system", "with", "topic"];

const addressOf = place => `#${KEYS.filter(key => place[key]).map(key => `${key}=${encodeURIComponent(place[key])}`).join("&")}`;

class LookInto {
  constructor() {
    this.title = build("h2", { id: "look-into-title", tabindex: "-1" });
    this.close = build("button", { type: "button", class: "close" }, "Close");
    this.body = build("div", { class: "look-into-body" });
    this.choices = build("form", { class: "choices" });
    this.dialog = build("dialog", { id: "look-into", "aria-labelledby": this.title.id },
      build("div", { class: "look-into-head" }, this.title, this.close), this.choices, this.body);
    document.body.append(this.dialog);
    this.close.addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", event => { if (event.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener("close", () => {
      if (this.place) history.pushState(null, "", location.href.split("#")[0]);
      this.place = null;
      this.opener?.focus();
    });
    addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  // Opens what the address says, if it says something that the page has.
  async follow() {
    const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if (!places.systems.includes(asked.system)) {
      this.place = null;
      if (this.dialog.open) this.dialog.close();
      return;
    }
    const address = location.hash;
    await this.load();
    if (address !== location.hash) return;
    this.show(this.complete(asked));
  }

  async load() {
    const rows = async name => {
      const script = places[name] && document.querySelector(`#${places[name]} > script`);
      return script ? rowsOf(await readData(script)) : [];
    };
    this.loading ||= Promise.all([rows("topic_scores"), rows("top_documents")]);
    [this.scores, this.documents] = await this.loading;
  }

  // The place with what the address leaves open; unknown names are left out.
  complete(asked) {
    const of = (key, rows) => [...new Set(rows.map(row => row[key]))];
    const known = (name, names) => (names.includes(name) ? name : names[0]);
    this.collections = this.scores[0] && "collection" in this.scores[0]
      ? of("collection", this.scores.filter(row => row.system === asked.system)) : [];
    const collection = known(asked.collection, this.collections);
    this.inCollection = collection === undefined ? this.scores : this.scores.filter(row => row.collection === collection);
    this.measures = of("measure", this.inCollection);
    const measure = known(asked.measure, this.measures);
    this.rows = this.inCollection.filter(row => row.measure === measure && row.score !== null)
      .map(row => ({ ...row, topic: String(row.topic) }));
    this.systems = of("system", this.rows);
    const other = this.systems.includes(asked.with) && asked.with !== asked.system ? asked.with : undefined;
    const topic = this.rows.some(row => row.topic === asked.topic) ? asked.topic : undefined;
    return { collection, measure, system: asked.system, with: other, topic };
  }

  show(place) {
    const again = this.dialog.open;
    if (!again) {
      this.opener = document.activeElement;
      this.dialog.showModal();
    }
    this.place = place;
    this.choices.replaceChildren(...this.selects(place));
    const reader = place.topic !== undefined && this.documents.length ? this.topicView(place) : this.systemView(place);
    this.body.replaceChildren(...reader);
    this.dialog.scrollTop = 0;
    if (!this.choices.contains(document.activeElement)) this.title.focus();
  }

  selects(place) {
    const systems = this.systems.filter(one => one !== place.system);
    const several = (key, label, options, first = null) => {
      if (options.length + (first ? 1 : 0) < 2) return null;
      const select = build("select", { name: key });
      if (first) select.append(build("option", { value: "" }, first));
      for (const one of options) select.append(build("option", { value: one }, one));
      select.value = place[key] ?? "";
      select.addEventListener("change", () => {
        const next = { ...this.place, [key]: select.value || undefined };
        if (key === "system" && next.with === next.system) next.with = undefined;
        this.refocus = key;
        location.hash = addressOf(next);
      });
      if (this.refocus === key) queueMicrotask(() => select.focus());
      return build("label", {}, `${label} `, select);
    };
    const selects = [
      several("collection", "Collection", this.collections),
      several("measure", "Measure", this.measures),
      several("system", "System", this.systems),
      several("with", "Compare with", systems, `the median of ${this.systems.length} systems`),
    ].filter(one => one !== null);
    queueMicrotask(() => { this.refocus = null; });
    return selects;
  }

  scoresOf(system) {
    return new Map(this.rows.filter(row => row.system === system).map(row => [row.topic, row.score]));
  }

  medians() {
    const scores = new Map();
    for (const row of this.rows) scores.set(row.topic, [...scores.get(row.topic) || [], row.score]);
    return new Map([...scores].map(([topic, values]) => {
      values.sort((a, b) => a - b);
      const half = values.length / 2;
      return [topic, Number.isInteger(half) ? (values[half - 1] + values[half]) / 2 : values[Math.floor(half)]];
    }));
  }

  // The topics of a system against another one or the median, the worst first.
  systemView(place) {
    const own = this.scoresOf(place.system), reference = place.with ? this.scoresOf(place.with) : this.medians();
    const name = place.with || "median";
    const all = [...own].filter(([topic]) => reference.has(topic)).map(([topic, score]) => ({
      topic, score, other: reference.get(topic), difference: score - reference.get(topic),
      href: addressOf({ ...place, topic }),
    })).sort((a, b) => a.difference - b.difference);
    const topics = all.length > MAX_TOPICS ? [...all.slice(0, MAX_TOPICS / 2), ...all.slice(-MAX_TOPICS / 2)] : all;
    const cut = all.length > MAX_TOPICS ? ` Shown are the ${MAX_TOPICS / 2} worst and the ${MAX_TOPICS / 2} best topics.` : "";
    this.title.textContent = place.with ? `${place.system} and ${place.with}: topics` : `${place.system}: topics`;
    const better = all.filter(one => one.difference > 1e-10).length;
    const worse = all.filter(one => one.difference < -1e-10).length;
    const summary = `By ${place.measure} ${place.system} is above ${place.with ? name : `the median of the ${this.systems.length} systems`}` +
      ` in ${better} of ${all.length} topics and below in ${worse}. The worst topics come first.${cut}`;
    const largest = Math.max(...topics.map(one => Math.abs(one.difference)), 0);
    const lines = topics.map(one => build("tr", {},
      build("th", { scope: "row" }, this.documents.length ? build("a", { href: one.href }, one.topic) : one.topic),
      ...[one.score, one.other].map(score => build("td", { class: "number" }, score.toFixed(3))),
      build("td", { class: "number" }, signed(one.difference)), build("td", {}, differenceBar(one.difference, largest))));
    const heads = ["topic", place.system, name, "difference"].map((text, column) =>
      build("th", { scope: "col", class: ["topic", "system number", "system number", "number"][column] }, text));
    const table = build("table", {}, build("thead", {}, build("tr", {}, ...heads, build("td", {}))), build("tbody", {}, ...lines));
    const chart = differenceChart(topics, Math.max(300, this.dialog.clientWidth - 40));
    return [build("p", {}, summary), chart, table];
  }

  // Where two systems have which documents; without a second system, the best other one of this topic.
  topicView(place) {
    const score = system => this.scoresOf(system).get(place.topic);
    const others = this.systems.filter(one => one !== place.system).sort((a, b) => score(b) - score(a));
    const systems = [place.system, place.with || others[0]].filter(one => one !== undefined);
    const rows = this.documents.filter(row => String(row.topic) === place.topic &&
      (place.collection === undefined || row.collection === undefined || row.collection === place.collection));
    const lists = systems.map(system => rows.filter(row => row.system === system).sort((a, b) => a.rank - b.rank));
    if (lists.length === 1) lists.push([]);
    this.title.textContent = `Topic ${place.topic}: ${systems.join(" and ")}`;
    const scores = systems.map(system => `${system} ${score(system)?.toFixed(3) ?? "-"}`).join(", ");
    const back = build("a", { href: addressOf({ ...place, topic: undefined }) }, "All topics");
    const line = build("p", {}, back, ` ${place.measure}: ${scores}.`);
    if (!lists.flat().length) return [line, build("p", {}, "The page has no documents of this topic.")];
    return [line, ...rankedLists([systems[0], systems[1] || ""], lists)];
  }
}
