"use strict";
(() => {
  const byId = id => document.getElementById(id);
  const svgName = "http://www.w3.org/2000/svg";

  // Everything shown goes through textContent and attributes: no text of a target ever becomes markup.
  const make = (tag, attributes = {}, ...children) => {
    const element = tag.startsWith("svg:")
      ? document.createElementNS(svgName, tag.slice(4)) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== undefined && child !== null));
    return element;
  };
  const say = (id, text, tone) => {
    const element = byId(id);
    if (element.textContent !== text) element.textContent = text;
    if (tone !== undefined) element.className = tone;
  };

  // ---- Quantities as text

  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const tenth = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
  const count = number => whole.format(number);
  const rate = number => (number > 0 && number < 10 ? tenth : whole).format(number);
  const time = us => {
    if (us === undefined || us === null) return "–";
    if (us < 1e3) return `${us} µs`;
    if (us < 1e4) return `${(us / 1e3).toFixed(2)} ms`;
    if (us < 1e5) return `${(us / 1e3).toFixed(1)} ms`;
    if (us < 1e6) return `${Math.round(us / 1e3)} ms`;
    return `${(us / 1e6).toFixed(2)} s`;
  };
  const memory = bytes => `${tenth.format(bytes / 1048576)} MiB`;
  const clock = seconds => {
    const s = Math.max(0, Math.round(seconds));
    const two = n => String(n).padStart(2, "0");
    return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
      : `${Math.floor(s / 60)}:${two(s % 60)}`;
  };
  // Never rounded up to 100 or down to 0.
  const percent = (part, all) => {
    if (!all) return "–";
    const value = part * 100 / all;
    if (value < 100 && value > 99.9) return ">99.9%";
    if (value > 0 && value < 0.1) return "<0.1%";
    return `${tenth.format(value)}%`;
  };
  const moment = us => new Date(us / 1000).toLocaleTimeString("en-GB");
  const words = name => name.replaceAll("_", " ");

  // ---- Charts

  const height = 150;
  const margin = { left: 52, right: 10, top: 8, bottom: 20 };

  const niceTop = (value, unit) => {
    if (!(value > 0)) return unit;
    const power = 10 ** Math.floor(Math.log10(value / unit));
    return [1, 2, 5, 10].map(step => step * power * unit).find(top => top >= value) ?? value;
  };

  class Chart {
    constructor(title, series, format, unit = 1) {
      this.all = series;
      this.series = series.filter(s => !s.optional);
      this.format = format;
      this.unit = unit;
      this.points = [];
      this.pinned = null;
      this.spoken = 0;
      this.readout = make("p", { class: "readout" });
      this.keys = series.map(s => make("li", { class: s.tone, hidden: s.optional ? "" : null },
        make("i", { "aria-hidden": "true" }), s.label));
      const key = make("ul", { class: "keys" }, ...this.keys);
      this.svg = make("svg:svg", {
        class: "live", role: "slider", tabindex: 0, "aria-label": `${title}: value over time, arrow keys move through it`, "aria-valuemin": 0, "aria-valuemax": 0,
        "aria-valuenow": 0, "aria-valuetext": "nothing yet",
      });
      this.figure = make("figure", {}, make("figcaption", {}, make("b", {}, title), key), this.readout, this.svg);
      this.svg.addEventListener("pointermove", event => this.point(event));
      this.svg.addEventListener("pointerleave", () => this.pin(null));
      this.svg.addEventListener("blur", () => this.pin(null));
      this.svg.addEventListener("keydown", event => this.key(event));
      new ResizeObserver(() => this.draw()).observe(this.svg);
    }

    get width() { return Math.max(240, this.svg.clientWidth || 600); }

    x(seconds) {
      const from = this.points[0].at_s - this.points[0].span_s;
      const all = Math.max(this.points[this.points.length - 1].at_s - from, 1);
      return margin.left + (seconds - from) / all * (this.width - margin.left - margin.right);
    }

    point(event) {
      if (!this.points.length) return;
      const box = this.svg.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * this.width;
      let best = 0;
      for (let i = 1; i < this.points.length; i++) {
        if (Math.abs(this.x(this.points[i].at_s) - at) < Math.abs(this.x(this.points[best].at_s) - at)) best = i;
      }
      this.pin(best);
    }

    key(event) {
      const last = this.points.length - 1;
      if (last < 0) return;
      // From what was read out last, although the newest value has moved on.
      const now = Math.min(this.spoken, last);
      const steps = { ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1,
        PageDown: now - 10, PageUp: now + 10, Home: 0, End: last };
      if (!(event.key in steps)) {
        if (event.key === "Escape") this.pin(null);
        return;
      }
      event.preventDefault();
      this.pin(Math.min(last, Math.max(0, steps[event.key])));
    }

    pin(index) {
      this.pinned = index;
      this.draw();
    }

    text(point) {
      const parts = this.series.map(s => {
        const value = s.value(point);
        return `${value === undefined || value === null ? "–" : this.format(value)} ${s.label}`;
      });
      return `at ${clock(point.at_s)}: ${parts.join(", ")}`;
    }

    show(points) {
      this.points = points;
      // What only some runs have is there once it was told of.
      this.series = this.all.filter((s, order) => {
        const isShown = !s.optional || points.some(p => Number.isFinite(s.value(p)));
        this.keys[order].hidden = !isShown;
        return isShown;
      });
      this.draw();
    }

    draw() {
      if (!this.points.length) return;
      const last = this.points.length - 1;
      const index = Math.min(this.pinned ?? last, last);
      const spoken = this.text(this.points[index]);
      this.readout.textContent = spoken;
      // Who rests on a chart is not read another value every second.
      if (this.pinned !== null || document.activeElement !== this.svg) {
        this.spoken = index;
        this.svg.setAttribute("aria-valuemax", last);
        this.svg.setAttribute("aria-valuenow", index);
        this.svg.setAttribute("aria-valuetext", spoken);
      }
      this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
      this.svg.replaceChildren(...this.axes(), ...this.lines(), ...this.cursor(index));
    }

    values() {
      return this.points.flatMap(p => this.series.map(s => s.value(p))).filter(v => Number.isFinite(v));
    }

    get top() { return niceTop(Math.max(0, ...this.values()), this.unit); }

    y(value) { return height - margin.bottom - value / this.top * (height - margin.top - margin.bottom); }

    axes() {
      const marks = [];
      for (const share of [0, 0.5, 1]) {
        const y = this.y(this.top * share);
        marks.push(make("svg:line", { class: "gr", x1: margin.left, x2: this.width - margin.right, y1: y, y2: y }));
        const label = make("svg:text", { x: margin.left - 6, y: y + 4, "text-anchor": "end" });
        label.textContent = this.format(this.top * share);
        marks.push(label);
      }
      const first = this.points[0], last = this.points[this.points.length - 1];
      const ends = [[first.at_s - first.span_s, "start"], [last.at_s, "end"]];
      for (const [at, anchor] of ends) {
        const label = make("svg:text", { x: this.x(at), y: height - 4, "text-anchor": anchor });
        label.textContent = clock(at);
        marks.push(label);
      }
      return marks;
    }

    lines() {
      const top = this.top, floor = height - margin.bottom, reach = floor - margin.top;
      return this.series.flatMap((s, order) => {
        let path = "", isOpen = false;
        for (const point of this.points) {
          const value = s.value(point);
          if (!Number.isFinite(value)) { isOpen = false; continue; }
          path += `${isOpen ? "L" : "M"}${this.x(point.at_s).toFixed(1)} ${(floor - value / top * reach).toFixed(1)}`;
          // A step alone between gaps would have no length and not be seen.
          if (!isOpen) path += "h.5";
          isOpen = true;
        }
        const line = make("svg:path", { class: s.tone, d: path });
        if (order > 0 || !s.filled || !path) return [line];
        const from = this.x(this.points[0].at_s), to = this.x(this.points[this.points.length - 1].at_s);
        return [make("svg:path", { class: "area", d: `${path}L${to} ${floor}L${from} ${floor}Z` }), line];
      });
    }

    cursor(index) {
      if (this.pinned === null) return [];
      const x = this.x(this.points[index].at_s);
      return [make("svg:line", { class: "cursor", x1: x, x2: x, y1: margin.top, y2: height - margin.bottom })];
    }
  }

  const charts = [
    new Chart("Requests and errors per second", [
      { label: "requests/s", tone: "c1", value: p => p.requests_per_s, filled: true },
      { label: "errors/s", tone: "c3", value: p => p.errors_per_s },
    ], rate),
    new Chart("Response time, p99 of each second", [
      { label: "playlists", tone: "c1", value: p => p.playlist_p99_us },
      { label: "pods", tone: "c3", value: p => p.pod_p99_us },
    ], us => time(Math.round(us))),
    new Chart("Viewers", [
      { label: "viewers", tone: "c1", value: p => p.viewers, filled: true },
      { label: "asked for", tone: "c3", value: p => p.planned_viewers, optional: true },
    ], count),
    new Chart("The generator’s own delay", [
      { label: "latest request", tone: "c1", value: p => p.lateness_max_us },
      { label: "event loops", tone: "c3", value: p => p.loop_delay_max_us },
    ], us => time(Math.round(us))),
    new Chart("Processor of the generator", [
      { label: "cores", tone: "c1", value: p => p.cpu_cores, filled: true },
    ], cores => cores.toFixed(2)),
    new Chart("Memory of the generator", [
      { label: "resident", tone: "c1", value: p => p.resident_bytes, filled: true },
    ], memory, 1048576),
  ];
  byId("charts").append(...charts.map(chart => chart.figure));

  // ---- Breaks

  const burst = record => {
    if (!record.burst) return null;
    const { counts, step_ms: step, first_ms: first } = record.burst;
    const most = Math.max(...counts), end = first + counts.length * step;
    // The start is always in the picture, and it reaches as far as something happened.
    const reach = Math.max(end, 0) - Math.min(first, 0), margin = Math.max(reach, 20) * 0.04;
    const from = Math.min(first, 0) - margin, to = Math.max(end, 0) + margin;
    const width = 600, tall = 110, floor = tall - 18;
    const x = ms => (ms - from) / (to - from) * width;
    const bars = counts.map((n, i) => {
      const tallness = n / most * (floor - 14);
      return n ? make("svg:rect", { x: x(first + i * step).toFixed(1),
        y: (floor - tallness).toFixed(1), width: Math.max(1, step / (to - from) * width * 0.9).toFixed(1),
        height: tallness.toFixed(1) }) : null;
    });
    const label = (ms, text, anchor) => {
      const element = make("svg:text", { x: x(ms).toFixed(1), y: tall - 4, "text-anchor": anchor });
      element.textContent = text;
      return element;
    };
    const peak = first + counts.indexOf(most) * step;
    const offset = ms => (ms > 0 ? "+" : "") + (Math.abs(ms) < 1000 ? `${ms} ms` : `${ms / 1000} s`);
    const total = counts.reduce((sum, n) => sum + n, 0);
    const per = `${step} ms`;
    const about = `${count(total)} pod requests from ${offset(first)} to ${offset(end)} around the start of the break; `
      + `at most ${count(most)} in ${per}, at ${offset(peak)}`;
    const isFarIn = x(0) > 90;
    return make("figure", {}, make("figcaption", {}, make("b", {}, `Pod requests per ${per}`),
      ` around its start, at most ${count(most)} at ${offset(peak)}`),
      make("svg:svg", { class: "live", role: "img", "aria-label": about, viewBox: `0 0 ${width} ${tall}` },
        make("svg:line", { class: "gr", x1: 0, x2: width, y1: floor, y2: floor }),
        make("svg:line", { class: "start", x1: x(0), x2: x(0), y1: 4, y2: floor }), ...bars,
        isFarIn ? label(first, offset(first), "start") : null,
        label(0, "start", isFarIn ? "middle" : "start"), x(end) - x(0) > 90 ? label(end, offset(end), "end") : null));
  };

  const parts = record => [
    ["ok", "in time", record.on_time], ["late", "late", record.late], ["bad", "failed", record.failed],
    ["open", "not known yet", record.unresolved],
  ];
  const tone = (onTime, open, due) =>
    onTime + open >= due ? "good" : onTime + open >= due * 0.99 ? "warn" : "bad";

  const showLatest = record => {
    const shares = parts(record);
    const bar = make("div", { class: "parts", "aria-hidden": "true" }, ...shares.map(([kind, , n]) => {
      const span = make("span", { class: kind });
      span.style.flexGrow = n;
      return span;
    }));
    const keys = shares.map(([kind, name, n]) =>
      make("li", {}, make("i", { class: kind, "aria-hidden": "true" }), make("b", {}, count(n)), ` ${name}`));
    byId("latest-break").replaceChildren(make("div", { class: "latest" },
      make("div", {},
        make("p", { class: `big ${tone(record.on_time, record.unresolved, record.due)}` },
          percent(record.on_time, record.due)),
        make("p", { class: "claim" }, `of ${count(record.due)} viewers had their pod in time for the latest break, `
          + `${moment(record.start_us)}, ${record.duration_ms / 1000} s`),
        bar, make("ul", { class: "keys" }, ...keys)),
      burst(record)));
  };

  const row = (head, cells) => make("tr", {}, make("th", { scope: "row" }, head),
    ...cells.map(cell => cell instanceof Node ? cell : make("td", {}, cell)));

  const showBreaks = breaks => {
    if (!breaks.length) return;
    showLatest(breaks[0]);
    byId("breaks-region").hidden = false;
    byId("breaks").tBodies[0].replaceChildren(...breaks.map(record => row(moment(record.start_us), [
      count(record.due),
      make("td", { class: tone(record.on_time, record.unresolved, record.due) }, percent(record.on_time, record.due)),
      count(record.late), count(record.failed), count(record.unresolved),
      Object.entries(record.reasons).map(([why, n]) => `${words(why)} ${count(n)}`).join(", "),
    ])));
  };

  // ---- The rest

  const showFindings = findings => {
    if (!findings.length) return;
    byId("findings").replaceChildren(...findings.map(finding => make("div", { class: "finding" },
      make("h3", {},
        make("code", {}, finding.code),
        make("span", { class: `tag ${{ broken: "bad", wrong: "warn" }[finding.severity] ?? ""}` }, finding.severity),
        make("span", { class: "sub" }, `${count(finding.count)} ${finding.count === 1 ? "time" : "times"}`)),
      make("p", {}, finding.meaning),
      finding.first_seen_us ? make("p", { class: "sub" },
        `First at ${moment(finding.first_seen_us)}: expected ${finding.expected || "–"}; observed ${finding.observed || "–"}`)
        : null)));
  };

  const showLatencies = latencies => {
    byId("latency").tBodies[0].replaceChildren(...latencies.map(l => row(words(l.kind), [
      count(l.requests), make("td", { class: l.errors ? "bad" : null }, count(l.errors)),
      time(l.interval?.p50_us), time(l.interval?.p99_us),
      time(l.total?.p50_us), time(l.total?.p95_us), time(l.total?.p99_us), time(l.total?.max_us),
    ])));
  };

  const showViewers = viewers => {
    const most = Math.max(1, viewers.reduce((sum, v) => sum + v.count, 0));
    byId("viewers").tBodies[0].replaceChildren(...viewers.map(v => {
      const fill = make("span", { class: "fill" });
      fill.style.width = `${v.count * 100 / most}%`;
      return row(v.name, [count(v.count), make("td", {}, fill)]);
    }));
  };

  const showGenerator = g => {
    const limited = g.limits.length > 0;
    say("tile-generator", limited ? "limits the run" : "keeps up", limited ? "warn" : "good");
    say("note-generator", `${g.cpu_cores.toFixed(2)} cores, ${memory(g.resident_bytes)}`);
    byId("limits").replaceChildren(...g.limits.map(text => make("p", { class: "note" }, text)));
    say("g-cpu", `${g.cpu_cores.toFixed(2)} of ${g.loop_cores} ${g.loop_cores === 1 ? "core" : "cores"}`);
    say("g-memory", memory(g.resident_bytes));
    say("g-descriptors", `${count(g.open_descriptors)} of ${count(g.descriptor_limit)}`);
    say("g-lateness", `left ${time(g.lateness_max_us)} late (p99 allowed: ${time(g.lateness_allowed_us)})`);
    say("g-delay", `delayed by ${time(g.loop_delay_max_us)}`);
    say("g-late", count(g.late_starts));
    say("g-dropped", count(g.dropped_starts), g.dropped_starts ? "bad" : "");
  };

  const showShards = shards => {
    byId("shards-section").hidden = !shards;
    if (!shards) return;
    byId("shards").tBodies[0].replaceChildren(...shards.map(shard => row(`${shard.index}`, [
      make("td", { class: "l" }, shard.host ?? "–"),
      make("td", { class: shard.state === "lost" ? "l bad" : "l" }, shard.state),
      count(shard.viewers), count(shard.requests),
      make("td", { class: shard.errors ? "bad" : null }, count(shard.errors)),
      time(shard.lateness_max_us),
      make("td", { class: shard.is_limited ? "l warn" : "l" },
        shard.is_limited ? "limits the run" : shard.state === "lost" ? "–" : "keeps up"),
    ])));
  };

  const showClock = update => {
    const bar = byId("progress");
    bar.hidden = update.left_s === undefined;
    if (bar.hidden) {
      say("clock", `${clock(update.elapsed_s)}, no end set`);
    } else {
      say("clock", `${clock(update.elapsed_s)}, ${clock(update.left_s)} left`);
      bar.max = Math.max(1, update.elapsed_s + update.left_s);
      bar.value = update.elapsed_s;
    }
  };

  const showTiles = update => {
    const point = update.point;
    say("tile-next", update.next_break_s === undefined ? "none in sight"
      : update.next_break_s > 0 ? `in ${clock(update.next_break_s)}` : "now");
    const watching = update.viewers.find(v => v.name === "watching"), inBreak = update.viewers.find(v => v.name === "in a break");
    say("note-next", `${count(watching?.count ?? 0)} watching, ${count(inBreak?.count ?? 0)} in a break`);
    const open = update.breaks.reduce((sum, b) => sum + b.unresolved, 0);
    say("tile-on-time", percent(update.on_time, update.due), update.due ? tone(update.on_time, open, update.due) : "");
    say("note-on-time", update.due ? `${count(update.on_time)} of ${count(update.due)}` : "");
    say("tile-requests", rate(point.requests_per_s));
    say("note-requests", `${count(update.requests)} in all`);
    say("tile-errors", rate(point.errors_per_s), point.errors_per_s > 0 ? "bad" : "");
    say("note-errors", `${count(update.errors)} in all`);
    const grave = update.findings.filter(f => f.severity !== "advice");
    say("tile-findings", count(grave.reduce((sum, f) => sum + f.count, 0)),
      grave.some(f => f.severity === "broken") ? "bad" : grave.length ? "warn" : "");
    say("note-findings", grave.length ? `of ${grave.length} ${grave.length === 1 ? "code" : "codes"}`
      : update.findings.length ? "but advice" : "");
  };

  // ---- News for who does not look: a break that is through, a new code, the connection; never the figures of a second.

  let told = { breakKey: null, codes: new Set() };
  let waiting = null;
  const announce = text => {
    clearTimeout(waiting);
    waiting = setTimeout(() => say("news", text), 500);
  };
  const tellNews = update => {
    const latest = update.breaks[0];
    const news = update.findings.filter(f => f.severity !== "advice" && !told.codes.has(f.code)).map(f => f.code);
    if (news.length) {
      announce(`New finding: ${words(news[0])}${news.length > 1 ? ` and ${news.length - 1} more` : ""}`);
    } else if (latest && latest.unresolved === 0 && latest.key !== told.breakKey) {
      told.breakKey = latest.key;
      announce(`Break of ${moment(latest.start_us)}: ${percent(latest.on_time, latest.due)} of viewers in time`);
    }
    for (const code of news) told.codes.add(code);
  };

  const show = (update, points) => {
    showClock(update);
    showTiles(update);
    showBreaks(update.breaks);
    showFindings(update.findings);
    showLatencies(update.latencies);
    showViewers(update.viewers);
    showGenerator(update.generator);
    showShards(update.shards);
    for (const chart of charts) chart.show(points);
    tellNews(update);
    document.documentElement.dataset.updates = Number(document.documentElement.dataset.updates || 0) + 1;
  };

  // ---- The connection

  let source = null, points = [], lastHeard = Date.now(), isOver = false;

  const state = (name, text) => {
    const element = byId("state");
    if (element.dataset.state !== name && name !== "connecting") announce(text);
    element.dataset.state = name;
    if (element.textContent !== text) element.textContent = text;
  };

  const heard = () => {
    lastHeard = Date.now();
    state("running", "Running");
  };

  const connect = () => {
    source?.close();
    source = new EventSource("events");
    source.addEventListener("history", event => {
      const data = JSON.parse(event.data);
      points = data.points;
      heard();
      show(data.update, points);
    });
    source.addEventListener("update", event => {
      const update = JSON.parse(event.data);
      const last = points[points.length - 1];
      heard();
      // After a gap, and when there is more than a chart can show, the server's shorter history is the better one.
      if ((last && update.point.at_s - last.at_s > 3 * update.point.span_s + 2) || points.length > 1200) {
        connect();
        return;
      }
      points.push(update.point);
      show(update, points);
    });
    source.addEventListener("end", () => {
      isOver = true;
      source.close();
      state("ended", "Over; here comes the report");
      location.replace("report");
    });
    source.onerror = () => {
      state("lost", "Connection lost, trying again");
      // A browser tries again by itself unless the server refused.
      if (source.readyState === EventSource.CLOSED && !isOver) setTimeout(connect, 3000);
    };
  };

  setInterval(() => {
    const silent = Math.round((Date.now() - lastHeard) / 1000);
    if (!isOver && byId("state").dataset.state === "running" && silent > 5) {
      byId("state").textContent = `Running, no news for ${silent} s`;
    }
  }, 1000);
  connect();
})();
