
// The page of all runs: filters, strips and charts that follow them, the list, and two runs compared.
(() => {
  const source = document.getElementById("data");
  if (!source) return;
  const { head: data, runs: rows } = JSON.parse(source.textContent);
  const byId = name => document.getElementById(name);

  // Numbers as the rest of the page spells them.
  const grouped = number => number.toLocaleString("en");
  const counted = (number, noun) => grouped(number) + " " + noun + (number === 1 ? "" : "s");
  const rounded = (value, places) => (Math.round(Math.abs(value) * 10 ** places) / 10 ** places).toFixed(places);
  const percent = value => value > 99.99 && value < 100 ? ">99.99%" : value > 0 && value < 0.01 ? "<0.01%"
    : Number(rounded(value, 2)) + "%";
  const duration = us => us < 999.5 ? rounded(us, 0) + " µs" : us < 9995 ? rounded(us / 1e3, 2) + " ms"
    : us < 99950 ? rounded(us / 1e3, 1) + " ms" : us < 999500 ? rounded(us / 1e3, 0) + " ms" : rounded(us / 1e6, 2) + " s";
  const tenth = value => Math.round(value * 10) / 10;
  const date = day => new Date(day * 864e5).toISOString().slice(0, 10);

  class Run {
    constructor(row, index) {
      Object.assign(this, row);
      this.minute = Math.floor(row.started_at_us / 6e7);
      this.seconds = Math.floor(Math.max(0, row.ended_at_us - row.started_at_us) / 1e6);
      [, this.title, this.tone] = data.outcomes.find(([outcome]) => outcome === row.outcome);
      this.release = new Map(Object.entries(row.labels)).get(data.label) ?? "";
      this.marks = data.marks[index];
      this.reason = data.reasons[index];
      this.hasLink = data.served || row.page;
      this.isDrawn = data.drawn[index];
      this.onTime = row.on_time;
      this.figures = data.figures.map(name => row.figures_us[name] ?? null);
      this.labels = Object.entries(row.labels).map(([name, value]) => name + "=" + value).sort();
      this.doubt = row.doubt ?? "";
    }
    get day() { return Math.floor(this.minute / 1440); }
    get start() { return new Date(this.minute * 6e4).toISOString().slice(0, 16).replace("T", " "); }
    get onTimePercent() { return this.due > 0 ? this.onTime * 100 / this.due : null; }
    get isJudged() { return !["capacity", "searched", "shard"].includes(this.kind); }
    figure(place) { return this.figures[place]; }
  }
  const runs = rows.map((row, index) => new Run(row, index));
  const byPath = new Map(runs.map(run => [run.path, run]));
  const onTimeText = run => run.onTimePercent === null ? "–" : percent(run.onTimePercent);
  const shared = some => {
    const due = some.reduce((sum, run) => sum + run.due, 0);
    return due > 0 ? percent(some.reduce((sum, run) => sum + run.onTime, 0) * 100 / due) : "–";
  };
  const byProfile = some => {
    const groups = new Map();
    for (const run of some) {
      const group = groups.get(run.profile);
      if (group) group.push(run); else groups.set(run.profile, [run]);
    }
    return groups;
  };
  const all = byProfile(runs);

  const reference = path => data.base + path.replace(/\.json$/, ".html").split("/").map(encodeURIComponent).join("/");
  const element = (name, style, content) => {
    const made = document.createElement(name);
    if (style) made.className = style;
    if (content) made.textContent = content;
    return made;
  };

  // Parts that are of use with this script only; names from the data come in as text.
  const written = html => {
    const box = document.createElement("template");
    box.innerHTML = html;
    return box.content;
  };
  const none = `<p class="sub none" hidden>No run is like this.</p>`;
  byId("nights").before(written(`<form id="filters" hidden aria-label="Filter" autocomplete="off">
    <label>Profile <select id="f-profile"><option value="">all</option></select></label>
    <label>Verdict <select id="f-outcome"><option value="">all</option></select></label>
    <label>Label <input id="f-label" type="search" list="labels" autocomplete="off" spellcheck="false"></label>
    <datalist id="labels"></datalist>
    <label>From <input id="f-since" type="date"></label>
    <label>Until <input id="f-until" type="date"></label>
    <button type="button" id="f-reset">All runs</button>
    <p id="found" role="status"></p></form>`));
  document.querySelector("#nights .lead").after(written(none));
  document.querySelector("#runs .lead").append(" Choose two to compare the newer with the older.");
  document.querySelector("#runs .wide").after(written(none + `<button type="button" id="more" hidden>Show more</button>`));
  byId("runs").after(written(`<section id="compared" aria-labelledby="compared-h" tabindex="-1" hidden>
    <h2 id="compared-h">Side by side</h2>
    <p class="lead" id="compared-lead"></p>
    <div class="wide" tabindex="0" role="group" aria-label="Two runs side by side"><table id="sides"><thead><tr>
    <th class="l"><span class="hidden">What</span></th><th class="l">Older</th><th class="l">Newer</th>
    <th class="l">Difference</th></tr></thead><tbody></tbody></table></div>
    <p class="sub">One run on each side: a difference may be chance, which podswarm compare judges by all that the results
    hold. <span id="compared-commands"></span></p></section>`));
  document.querySelector("#releases .lead").after(written(none + `<p class="sub" id="of-all" hidden>Faint dots are runs that
    the filter leaves out. Lines, changes and counts below the charts are of all runs; the tables are of the runs that it
    shows.</p>`));
  byId("releases").after(written(`<p class="hidden" id="choice-said" role="status"></p>
    <div id="choice" role="region" aria-label="Comparison" hidden><p id="choice-text"></p>
    <a id="choice-sides" href="#compared" hidden>Side by side</a><a id="choice-link" hidden>Whole comparison</a>
    <button type="button" id="choice-clear">Clear</button></div>`));
  byId("f-profile").append(...data.profiles.map(name => new Option(name, name)));
  byId("f-outcome").append(...data.outcomes.map(([value, title]) => new Option(title, value)));
  byId("f-label").placeholder = data.label + "=…";
  byId("found").textContent = counted(runs.length, "run");
  const uses = new Map();
  for (const label of runs.flatMap(run => run.labels)) uses.set(label, (uses.get(label) || 0) + 1);
  byId("labels").append(...[...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 200)
    .map(([label]) => new Option("", label)));

  // The filter and the choice, which stand in the address, so that what they show can be linked and come back to.
  const fields = { profile: byId("f-profile"), verdict: byId("f-outcome"), label: byId("f-label"),
    since: byId("f-since"), until: byId("f-until") };
  let found = runs, shownFor = "";
  // Which two runs are to be compared, in the order in which they were chosen, and what the address names besides.
  let chosen = [], missing = [];

  // Names from the data, whatever became of them in the text of the page.
  document.querySelectorAll(".of-profile").forEach(part => {
    part.profile = data.profiles[part.dataset.profile];
    // What it shows: as it was written, all of them.
    part.runs = all.get(part.profile);
  });

  const recall = () => {
    shownFor = location.search;
    const asked = new URLSearchParams(shownFor);
    for (const [name, field] of Object.entries(fields)) {
      field.value = asked.get(name) ?? "";
      // A menu that has no such entry has none that is chosen.
      if (field.selectedIndex === -1) field.value = "";
    }
    const paths = [...new Set(asked.getAll("compare"))].slice(0, 2);
    chosen = paths.map(path => byPath.get(path)).filter(Boolean);
    missing = paths.filter(path => !byPath.has(path));
  };
  const remember = () => {
    const asked = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) asked.set(name, field.value);
    for (const path of [...chosen.map(run => run.path), ...missing]) asked.append("compare", path);
    const query = asked.size ? "?" + String(asked).replaceAll("%2F", "/") : "";
    if (query !== location.search) {
      // Where a browser lets no file have an address of its own choice, the filter works without.
      try { history.replaceState(history.state, "", location.pathname + query + location.hash); } catch { }
    }
    shownFor = location.search;
  };
  const matching = () => {
    const label = fields.label.value.trim().toLowerCase();
    return runs.filter(run => (!fields.profile.value || run.profile === fields.profile.value)
      && (!fields.verdict.value || run.outcome === fields.verdict.value)
      && (!label || run.labels.some(value => value.toLowerCase().includes(label)))
      && (!fields.since.value || run.start.slice(0, 10) >= fields.since.value)
      && (!fields.until.value || run.start.slice(0, 10) <= fields.until.value));
  };

  // The figures at the head.
  const figures = new Map([...document.querySelectorAll("#verdict .figures > div")].map(part =>
    [part.querySelector("dt").textContent, part.querySelectorAll("dd")]));
  const showFigures = () => {
    const judged = found.filter(run => run.tone), others = found.length - judged.length;
    const show = (name, value, tone) => {
      const parts = figures.get(name);
      if (!parts) return;
      parts[0].textContent = value;
      parts[0].className = tone;
    };
    const tones = { Passed: "good", Failed: "bad", Undecided: "warn" };
    for (const [name, tone] of Object.entries(tones)) {
      const number = judged.filter(run => run.tone === tone).length;
      show(name, grouped(number), number || tone === "good" ? tone : "");
    }
    show("Runs", grouped(judged.length), "");
    show("On time", new Set(judged.map(run => run.profile)).size === 1 ? shared(judged) : "–", "");
    figures.get("Runs")[1].textContent = [found.length < runs.length ? "of " + grouped(runs.filter(run => run.tone).length) : "",
      others ? "and " + counted(others, "capacity result") : ""].filter(Boolean).join(" ");
  };

  // Nights: the worst verdict of each day.
  const grades = { good: 0.4, warn: 0.7, bad: 1 };
  const drawing = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const shapes = plot => {
    const outer = plot.querySelector("svg");
    let inner = outer.querySelector("svg");
    if (!inner) {
      inner = drawing("svg", { width: "100%", height: outer.dataset.h, preserveAspectRatio: "none",
        viewBox: "0 0 1000 " + outer.dataset.h });
      outer.append(inner);
    }
    return inner;
  };
  const shape = (plot, style, d) => {
    if (d) shapes(plot).append(drawing("path", { class: style, d }));
  };
  const read = (plot, readings) => {
    plot.readings = readings;
    plot.dispatchEvent(new Event("readings", { bubbles: true }));
  };
  const outcomes = some => {
    const counts = new Map();
    for (const run of some) counts.set(run.title, (counts.get(run.title) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([title, number]) => (some.length === 1 ? "" : number + " ") + title.toLowerCase()).join(", ");
  };
  const worst = some => some.filter(run => run.due > 0)
    .reduce((low, run) => !low || run.onTimePercent < low.onTimePercent ? run : low, null);
  const byDay = some => {
    const days = new Map();
    for (const run of some) {
      const day = run.day - data.first_day;
      if (!run.tone || day < 0 || day >= data.days) continue;
      if (days.has(day)) days.get(day).push(run); else days.set(day, [run]);
    }
    return new Map([...days].sort((a, b) => a[0] - b[0]));
  };
  const readNights = (part, some) => read(part.querySelector(".plot"), () => {
    const days = byDay(some), known = [...days.keys()];
    return {
      x: known.map(day => Math.round((day + 0.5) / data.days * 1e4)), h: known.map(day => date(day + data.first_day)),
      s: [{ n: "", k: "", v: known.map(day => outcomes(days.get(day))) },
        { n: "on time", k: "", v: known.map(day => { const run = worst(days.get(day)); return run ? onTimeText(run) : ""; }) }],
    };
  });
  const showNights = (part, some) => {
    const plot = part.querySelector(".plot"), height = Number(plot.querySelector("svg").dataset.h);
    const width = 1000 / Math.max(data.days, 14), paths = { good: "", warn: "", bad: "" };
    for (const [day, of] of byDay(some)) {
      const tones = of.map(run => run.tone);
      const grade = tones.includes("bad") ? "bad" : tones.includes("warn") ? "warn" : "good";
      const left = (day + 0.5) * 1000 / data.days - width * 0.42, top = height - height * grades[grade];
      paths[grade] += `M${tenth(left)} ${tenth(top)}H${tenth(left + width * 0.84)}V${tenth(height)}H${tenth(left)}z`;
    }
    shapes(plot).replaceChildren();
    for (const [grade, d] of Object.entries(paths)) shape(plot, "night-" + grade, d);
    readNights(part, some);
    const total = all.get(part.profile).length;
    part.querySelector("figcaption span").textContent = some.length < total
      ? grouped(some.length) + " of " + counted(total, "run") : counted(total, "run");
    const newest = part.querySelector(".tag");
    newest.textContent = some[0].title.toLowerCase();
    newest.className = "tag " + some[0].tone;
  };

  // Releases: dots of what the filter leaves out are faint; lines and changes are of all runs.
  const valueOf = metric => {
    const place = data.figures.indexOf(metric);
    return place < 0 ? run => run.onTimePercent : run => run.figure(place);
  };
  const metricOf = part => {
    const metric = part.querySelector("figcaption code").textContent;
    return [metric, valueOf(metric), data.figures.includes(metric) ? duration : percent];
  };
  const readChart = (part, drawn, fits) => read(part.querySelector(".plot"), () => {
    const [metric, value, spelled] = metricOf(part);
    const changes = new Map([...part.querySelectorAll("[data-at]")].map(line => [Number(line.dataset.at), line.textContent]));
    return {
      x: drawn.map((_, index) => Math.round((index + 0.5) / drawn.length * 1e4)),
      h: drawn.map(run => run.start + (run.release ? ", " + data.label + " " + run.release : "")),
      s: [{ n: metric, k: "", v: drawn.map(run => value(run) === null ? "" : spelled(value(run))) },
        { n: "", k: "", v: drawn.map(run => fits(run) ? "" : "left out by the filter") },
        { n: "", k: "", v: drawn.map((_, index) => changes.get(index) || "") }],
    };
  });
  const showChart = (part, drawn, fitting) => {
    const plot = part.querySelector(".plot"), [, value, spelled] = metricOf(part);
    const known = drawn.filter(run => value(run) !== null);
    const dots = plot.querySelector("path.dots:not(.faint)");
    if (!part.segments) part.segments = dots.getAttribute("d").split(/(?=M)/);
    const pick = isIn => part.segments.filter((_, index) => fitting.has(known[index]) === isIn).join("");
    plot.querySelectorAll("path.faint").forEach(path => path.remove());
    dots.setAttribute("d", pick(true));
    const faint = dots.cloneNode(false);
    faint.setAttribute("class", "dots faint");
    faint.setAttribute("d", pick(false));
    if (faint.getAttribute("d")) dots.before(faint);
    const newest = drawn.findLast(run => fitting.has(run));
    part.querySelector("figcaption b").textContent = newest && value(newest) !== null ? spelled(value(newest)) : "–";
    readChart(part, drawn, run => fitting.has(run));
  };
  const showReleases = (part, some) => {
    const heads = [...part.querySelectorAll("thead th")].slice(4, -1)
      .map(head => data.figures.findIndex(name => name.startsWith(head.textContent.replace(/ p99$/, ".response"))));
    const releases = new Map();
    for (const run of some) {
      const name = run.release || "–";
      if (releases.has(name)) releases.get(name).push(run); else if (releases.size < 40) releases.set(name, [run]);
    }
    part.querySelector("tbody").replaceChildren(...[...releases].map(([name, of]) => {
      const row = element("tr"), first = element("th", "", name), known = of.filter(run => run.isDrawn);
      first.scope = "row";
      const medians = heads.map(place => {
        const values = known.map(run => run.figure(place)).filter(value => value !== null).sort((a, b) => a - b);
        return values.length ? duration(values[values.length >> 1]) : "–";
      });
      const days = [...new Set([of.at(-1), of[0]].map(run => run.start.slice(0, 10)))].join(" to ");
      row.append(first, ...[grouped(of.length), grouped(of.filter(run => run.outcome === "passed").length), shared(known),
        ...medians].map(content => element("td", "n", content)), element("td", "", days));
      return row;
    }));
  };
  const histories = new Map([...all].map(([profile, some]) =>
    [profile, some.filter(run => run.isDrawn).slice(0, data.longest).reverse()]));

  const parts = section => byId(section).querySelectorAll(".of-profile");
  const isSame = (some, others) => some.length === others.length && some.every((run, index) => run === others[index]);
  // The page was written with all runs: what a part shows of them is right, and only has to be read out.
  const readParts = () => {
    for (const part of parts("nights")) readNights(part, part.runs);
    for (const part of parts("releases")) {
      part.querySelectorAll("figure").forEach(chart => readChart(chart, histories.get(part.profile), () => true));
    }
  };
  const showParts = () => {
    const groups = byProfile(found), fitting = new Set(found);
    for (const section of [byId("nights"), byId("releases")]) {
      let isEmpty = true;
      for (const part of parts(section.id)) {
        const some = groups.get(part.profile) || [], judged = some.filter(run => run.isJudged);
        part.hidden = section.id === "nights" ? !some.some(run => run.tone) : !judged.length;
        if (part.hidden) continue;
        isEmpty = false;
        if (isSame(some, part.runs)) continue;
        part.runs = some;
        if (section.id === "nights") { showNights(part, some); continue; }
        part.querySelectorAll("figure").forEach(chart => showChart(chart, histories.get(part.profile), fitting));
        showReleases(part, judged);
      }
      section.querySelector(".none").hidden = !isEmpty || found.length === runs.length;
    }
    byId("of-all").hidden = found.length === runs.length
      || Object.entries(fields).every(([name, field]) => name === "profile" || !field.value);
  };

  // The list.
  const body = document.querySelector("#list tbody");
  const step = 100;
  let shown = body.rows.length;

  const box = run => {
    const input = element("input");
    input.type = "checkbox";
    input.dataset.path = run.path;
    input.checked = chosen.includes(run);
    input.setAttribute("aria-label", "Compare " + run.profile + " of " + run.start);
    return input;
  };

  const row = run => {
    const line = element("tr", chosen.includes(run) ? "chosen" : "");
    const pick = element("td", "pick");
    pick.append(box(run));
    const start = element("th", "", run.hasLink ? "" : run.start);
    start.scope = "row";
    if (run.hasLink) {
      const link = element("a", "", run.start);
      link.href = reference(run.path);
      start.append(link);
    }
    const profile = element("td", "", run.profile);
    for (const mark of run.marks) profile.append(" ", element("span", "tag", mark));
    const verdict = element("td");
    verdict.append(element("span", "tag " + run.tone, run.title));
    if (run.reason) verdict.append(element("span", "why", run.reason));
    line.append(pick, start, profile, verdict, element("td", "n time", onTimeText(run)),
      element("td", "n", run.findings ? grouped(run.findings) : ""), element("td", "", run.release));
    return line;
  };

  const showMore = () => {
    const further = found.slice(shown, shown + step);
    body.append(...further.map(row));
    shown += further.length;
    byId("more").hidden = shown >= found.length;
  };

  const filter = () => {
    found = matching();
    body.replaceChildren();
    shown = 0;
    showMore();
    document.querySelector("#runs .none").hidden = found.length > 0;
    byId("found").textContent = found.length === runs.length ? counted(runs.length, "run")
      : grouped(found.length) + " of " + counted(runs.length, "run");
    showFigures();
    showParts();
    remember();
  };

  const quoted = value => /^[\w@%+=:,./-]+$/.test(value) && !value.startsWith("-") ? value
    : "'" + value.replace(/'/g, "'\\''") + "'";
  const place = run => (data.folder ? data.folder.replace(/\/$/, "") + "/" : "") + run.path;

  // Two runs side by side, by what their rows say.
  const long = s => s < 120 ? grouped(s) + " s" : s < 7200 ? Number(rounded(s / 60, 1)) + " min" : Number(rounded(s / 3600, 1)) + " h";
  const points = value => rounded(value, 2) + " points";
  const difference = (from, to, spelled, hasRatio) => {
    if (from === null || to === null) return "";
    if (from === to) return "the same";
    const ratio = hasRatio && from > 0 && to > 0
      ? ", ×" + Number((to / from).toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 3 }) : "";
    return (to > from ? "+" : "−") + spelled(Math.abs(to - from)) + ratio;
  };
  const amount = (name, value, spelled, apart = spelled, hasRatio = true) => (base, candidate) => {
    const [from, to] = [value(base), value(candidate)];
    return from === null && to === null ? null : [name, from === null ? "–" : spelled(from), to === null ? "–" : spelled(to),
      difference(from, to, apart, hasRatio)];
  };
  const wording = (name, value, other) => (base, candidate) => {
    const [from, to] = [value(base), value(candidate)];
    return !from && !to ? null : [name, from || "–", to || "–", from === to ? "the same" : other];
  };
  const news = (name, values) => (base, candidate) => {
    const [from, to] = [values(base), values(candidate)];
    const apart = [...from.filter(value => !to.includes(value)).map(value => "−" + value),
      ...to.filter(value => !from.includes(value)).map(value => "+" + value)];
    return from.length || to.length ? [name, from.join(", ") || "–", to.join(", ") || "–", apart.join(", ") || "the same"] : null;
  };
  const ofRun = value => run => run.kind === "capacity" ? null : value(run);
  const short = digest => digest.length > 20 ? digest.slice(0, 19) + "…" : digest;
  const aspects = [
    wording("Verdict", run => run.title, "another"),
    wording("Reason", run => run.reason, ""),
    amount("On time", run => run.onTimePercent, percent, points, false),
    ...data.figures.map((figure, place) => amount(figure.replace(".response", ""), run => run.figure(place), duration)),
    amount("Findings", ofRun(run => run.findings), grouped),
    news("Their kinds", run => run.finding_codes),
    amount("Requests", ofRun(run => run.requests), grouped),
    amount("Errors", ofRun(run => run.errors), grouped),
    amount("Viewers", run => run.viewers ?? null, grouped),
    amount("Breaks", ofRun(run => run.breaks), grouped),
    amount("Due", ofRun(run => run.due), grouped),
    amount("Length", run => run.seconds, long),
    wording("Labels", run => run.labels.join(", "), "others"),
    wording("Profile", run => run.profile, "another"),
    wording("Profile text", run => short(run.profile_digest), "another"),
    wording("Machine", run => run.host_class, "another"),
    wording("Says nothing certain", run => run.kind === "capacity" ? "" : run.doubt, ""),
  ];

  // The rule of podswarm compare, as far as rows say what it asks for.
  const obstacles = (base, candidate) => {
    const work = base.workload_digest && candidate.workload_digest ? [["workload_digest", "workloads"]]
      : [["profile", "profiles"], ["profile_digest", "profile texts"]];
    const other = work.find(([field]) => base[field] !== candidate[field]);
    return [other ? "their " + other[1] + " are not the same" : "",
      base.host_class === candidate.host_class ? "" : "their machines are not of one class",
      base.viewers === candidate.viewers ? "" : "they had different numbers of viewers",
      ...[["older", base], ["newer", candidate]].map(([which, run]) => run.doubt && run.kind !== "capacity"
        ? "the " + which + " says nothing certain: " + run.doubt : "")].filter(Boolean);
  };
  const showSides = (base, candidate) => {
    const apart = obstacles(base, candidate);
    byId("compared-lead").textContent = apart.length ? "Not comparable as they are: " + apart.join("; ") + "."
      : "Comparable, as far as this page knows: the same " + (base.profile_digest === candidate.profile_digest ? "profile text" : "workload")
        + " on the same class of machine. What else must be the same, such as the seed and the kernel, the results say.";
    byId("compared-lead").classList.toggle("warn", apart.length > 0);
    document.querySelectorAll("#sides thead th").forEach((head, index) => {
      const run = [null, base, candidate][index];
      if (!run) return;
      head.replaceChildren(element("span", "", ["", "Older", "Newer"][index]), element("br"));
      const name = run.start + (run.release ? ", " + run.release : "");
      const link = element(run.hasLink ? "a" : "span", "", name);
      if (run.hasLink) link.href = reference(run.path);
      head.append(link);
    });
    document.querySelector("#sides tbody").replaceChildren(...aspects.map(aspect => aspect(base, candidate)).filter(Boolean)
      .map(([name, ...cells]) => {
        const line = element("tr"), first = element("th", "", name);
        first.scope = "row";
        line.append(first, ...cells.map(cell => element("td", "", cell)));
        if (name === "Verdict") [base, candidate].forEach((run, index) =>
          line.cells[index + 1].replaceChildren(element("span", "tag " + run.tone, run.title)));
        return line;
      }));
    const [first, second] = [quoted(place(base)), quoted(place(candidate))];
    const sides = "--base " + first + " --candidate " + second;
    const commands = base.kind === "capacity" ? ["podswarm compare --capacity " + sides]
      : ["podswarm compare " + sides, "podswarm compare " + sides + " --html page.html"];
    byId("compared-commands").replaceChildren(...commands.flatMap((command, index) =>
      [index ? "As a page: " : "All of it: ", element("code", "", command), index < commands.length - 1 ? ". " : ""]));
  };

  const showChoice = () => {
    const region = byId("choice"), link = byId("choice-link");
    body.querySelectorAll("input").forEach(input => {
      const isChosen = chosen.some(run => run.path === input.dataset.path);
      input.checked = isChosen;
      input.closest("tr").classList.toggle("chosen", isChosen);
    });
    const name = run => run.profile + " of " + run.start + (run.release ? " (" + run.release + ")" : "");
    // Newest stand first among all.
    const [base, candidate] = [...chosen].sort((a, b) => runs.indexOf(b) - runs.indexOf(a));
    const searches = chosen.filter(run => run.kind === "capacity").length;
    const isPair = chosen.length === 2 && searches !== 1;
    const lacking = missing.length ? "Not among these runs: " + missing.join(", ") + ". " : "";
    byId("choice-text").textContent = lacking + (!chosen.length ? "" : chosen.length === 1 ? name(chosen[0]) + ". Choose one more."
      : searches === 1 ? "A capacity and a run cannot be compared." : name(candidate) + " against " + name(base) + ".");
    byId("choice-said").textContent = byId("choice-text").textContent;
    region.hidden = !chosen.length && !missing.length;
    byId("compared").hidden = !isPair;
    byId("choice-sides").hidden = !isPair;
    link.hidden = !(isPair && data.served && searches === 0);
    if (!isPair) return;
    showSides(base, candidate);
    if (!link.hidden) {
      link.href = "compare?base=" + encodeURIComponent(base.path) + "&candidate=" + encodeURIComponent(candidate.path);
    }
  };

  const choose = some => {
    [chosen, missing] = [some, []];
    remember();
    showChoice();
  };

  body.addEventListener("change", event => {
    const run = byPath.get(event.target.dataset.path);
    if (!run) return;
    choose(event.target.checked ? [...chosen, run].slice(-2) : chosen.filter(other => other !== run));
  });
  byId("choice-clear").addEventListener("click", () => {
    const first = chosen[0];
    choose([]);
    const input = first && [...body.querySelectorAll("input")].find(other => other.dataset.path === first.path);
    (input || fields.profile).focus();
  });
  byId("more").addEventListener("click", () => {
    const before = shown;
    showMore();
    const line = body.rows[before];
    if (line) line.querySelector("input").focus();
  });
  for (const field of Object.values(fields)) field.addEventListener("input", filter);
  byId("f-reset").addEventListener("click", () => {
    for (const field of Object.values(fields)) field.value = "";
    filter();
  });
  byId("filters").addEventListener("submit", event => event.preventDefault());
  // Jumps within the page, and the ways back from them, come here too.
  addEventListener("popstate", () => {
    if (location.search === shownFor) return;
    recall();
    filter();
    showChoice();
  });

  byId("filters").hidden = false;
  body.querySelectorAll("input").forEach(input => { input.hidden = false; });
  recall();
  readParts();
  if (Object.values(fields).some(field => field.value)) filter(); else byId("more").hidden = shown >= found.length;
  showChoice();
})();
