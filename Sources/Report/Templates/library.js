
// The page of all runs: filters, the list, and two runs held against each other.
(() => {
  const source = document.getElementById("data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const byId = name => document.getElementById(name);
  const text = number => data.texts[number];
  const runs = data.runs.map(run => ({
    path: run[0], start: run[1], profile: text(run[2]), outcome: text(run[3]), title: text(run[4]), tone: text(run[5]),
    release: text(run[6]), kind: text(run[7]), marks: text(run[8]), onTime: run[9], findings: run[10], reason: run[11],
    hasLink: run[12] === 1, labels: run[13],
  }));
  const byPath = new Map(runs.map(run => [run.path, run]));
  const lowered = data.texts.map(value => value.toLowerCase());
  const body = document.querySelector("#list tbody");
  const step = 100;
  let found = runs, shown = body.rows.length;

  const reference = path => data.base + path.replace(/\.json$/, ".html").split("/").map(encodeURIComponent).join("/");
  const element = (name, style, content) => {
    const made = document.createElement(name);
    if (style) made.className = style;
    if (content) made.textContent = content;
    return made;
  };
  const counted = (number, noun) => number.toLocaleString("en") + " " + noun + (number === 1 ? "" : "s");

  // Which two runs are to be compared, in the order in which they were chosen.
  let chosen = [];
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
    for (const mark of run.marks ? run.marks.split(", ") : []) profile.append(" ", element("span", "tag", mark));
    const verdict = element("td");
    verdict.append(element("span", "tag " + run.tone, run.title));
    if (run.reason) verdict.append(element("span", "why", run.reason));
    line.append(pick, start, profile, verdict, element("td", "n time", run.onTime),
      element("td", "n", run.findings ? run.findings.toLocaleString("en") : ""), element("td", "", run.release));
    return line;
  };

  const showMore = () => {
    const next = found.slice(shown, shown + step);
    body.append(...next.map(row));
    shown += next.length;
    byId("more").hidden = shown >= found.length;
  };

  const fields = { profile: byId("f-profile"), outcome: byId("f-outcome"), label: byId("f-label"),
    since: byId("f-since"), until: byId("f-until") };

  const filter = () => {
    const label = fields.label.value.trim().toLowerCase();
    const fitting = new Set();
    if (label) lowered.forEach((value, index) => { if (value.includes(label)) fitting.add(index); });
    found = runs.filter(run => (!fields.profile.value || run.profile === fields.profile.value)
      && (!fields.outcome.value || run.outcome === fields.outcome.value)
      && (!label || run.labels.some(index => fitting.has(index)))
      && (!fields.since.value || run.start.slice(0, 10) >= fields.since.value)
      && (!fields.until.value || run.start.slice(0, 10) <= fields.until.value));
    body.replaceChildren();
    shown = 0;
    showMore();
    byId("nothing").hidden = found.length > 0;
    byId("found").textContent = found.length === runs.length ? counted(runs.length, "run")
      : found.length.toLocaleString("en") + " of " + counted(runs.length, "run");
    document.querySelectorAll(".of-profile").forEach(part => {
      part.hidden = fields.profile.value !== "" && part.dataset.profile !== fields.profile.value;
    });
  };

  const quoted = value => /^[\w@%+=:,./-]+$/.test(value) && !value.startsWith("-") ? value
    : "'" + value.replace(/'/g, "'\\''") + "'";
  const place = run => (data.folder ? data.folder.replace(/\/$/, "") + "/" : "") + run.path;

  const choose = () => {
    const region = byId("choice"), link = byId("choice-link"), command = byId("choice-command");
    body.querySelectorAll("input").forEach(input => {
      const isChosen = chosen.some(run => run.path === input.dataset.path);
      input.checked = isChosen;
      input.closest("tr").classList.toggle("chosen", isChosen);
    });
    region.hidden = chosen.length === 0;
    link.hidden = true;
    command.hidden = true;
    if (!chosen.length) return;
    const name = run => run.profile + " of " + run.start + (run.release ? " (" + run.release + ")" : "");
    if (chosen.length === 1) {
      byId("choice-text").textContent = name(chosen[0]) + ". Choose one more.";
      return;
    }
    const [base, candidate] = [...chosen].sort((a, b) => a.start < b.start ? -1 : a.start > b.start ? 1 : 0);
    const searches = chosen.filter(run => run.kind === "capacity").length;
    byId("choice-text").textContent = searches === 1 ? "A capacity cannot be held against a run."
      : name(candidate) + " against " + name(base) + ".";
    if (searches === 1) return;
    if (data.served && searches === 0) {
      link.href = "compare?base=" + encodeURIComponent(base.path) + "&candidate=" + encodeURIComponent(candidate.path);
      link.hidden = false;
    } else {
      command.textContent = (searches ? "podswarm compare --capacity " : "podswarm report ") + quoted(place(base))
        + " --against " + quoted(place(candidate));
      command.hidden = false;
    }
  };

  body.addEventListener("change", event => {
    const run = byPath.get(event.target.dataset.path);
    if (!run) return;
    chosen = event.target.checked ? [...chosen, run].slice(-2) : chosen.filter(other => other !== run);
    choose();
  });
  byId("choice-clear").addEventListener("click", () => {
    const first = chosen[0];
    chosen = [];
    choose();
    const input = first && [...body.querySelectorAll("input")].find(other => other.dataset.path === first.path);
    (input || fields.profile).focus();
  });
  byId("more").addEventListener("click", () => {
    const at = shown;
    showMore();
    const next = body.rows[at];
    if (next) next.querySelector("input").focus();
  });
  for (const field of Object.values(fields)) field.addEventListener("input", filter);
  byId("f-reset").addEventListener("click", () => {
    for (const field of Object.values(fields)) field.value = "";
    filter();
  });
  byId("filters").addEventListener("submit", event => event.preventDefault());

  byId("filters").hidden = false;
  body.querySelectorAll("input").forEach(input => { input.hidden = false; });
  byId("more").hidden = shown >= found.length;
  // A browser that goes back may have kept what was written into the fields.
  if (Object.values(fields).some(field => field.value)) filter();
})();
