"use strict";
(() => {
  const root = document.documentElement;
  const svgName = "http://www.w3.org/2000/svg";

  // The theme: the system's, until the reader says otherwise.
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const remember = theme => { try { localStorage.setItem("podswarm-theme", theme); } catch { } };
  const label = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  try {
    const kept = localStorage.getItem("podswarm-theme");
    if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  } catch { }
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remember(root.dataset.theme);
      label();
    });
    dark.addEventListener("change", label);
    label();
  }

  // A shade where a table goes on beyond its right edge.
  const shade = table => table.classList.toggle("cut", table.scrollLeft + table.clientWidth < table.scrollWidth - 1);
  const sizes = new ResizeObserver(entries => entries.forEach(entry => shade(entry.target)));
  // With the tables of a page's own script.
  addEventListener("DOMContentLoaded", () => document.querySelectorAll(".wide").forEach(table => sizes.observe(table)));
  document.addEventListener("scroll", event => { if (event.target.matches?.(".wide")) shade(event.target); }, true);

  // Values of charts, under the pointer and by arrow keys.
  const tip = document.getElementById("tip");
  const charts = new WeakMap();

  const readings = plot => {
    let chart = charts.get(plot);
    if (!chart) {
      chart = plot.readings ? plot.readings() : JSON.parse(plot.querySelector("script").textContent);
      chart.at = -1;
      charts.set(plot, chart);
      plot.setAttribute("aria-valuemax", Math.max(chart.x.length, 1));
    }
    return chart;
  };

  const nearest = (places, wanted) => {
    let low = 0, high = places.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (places[middle] < wanted) low = middle; else high = middle;
    }
    return wanted - places[low] < places[high] - wanted ? low : high;
  };

  const words = (chart, index) => chart.h[index] + ": "
    + chart.s.filter(line => line.v[index]).map(line => (line.n + " " + line.v[index]).trim()).join(", ");

  const hide = plot => {
    tip.hidden = true;
    const cursor = plot && plot.querySelector(".cursor");
    if (cursor) cursor.remove();
  };

  const show = (plot, index) => {
    const chart = readings(plot);
    chart.at = index;
    const svg = plot.querySelector("svg");
    let cursor = plot.querySelector(".cursor");
    if (!cursor) {
      cursor = document.createElementNS(svgName, "line");
      cursor.setAttribute("class", "cursor");
      cursor.setAttribute("y1", "0");
      cursor.setAttribute("y2", svg.dataset.h);
      svg.append(cursor);
    }
    cursor.setAttribute("x1", chart.x[index] / 100 + "%");
    cursor.setAttribute("x2", chart.x[index] / 100 + "%");
    plot.setAttribute("aria-valuenow", index + 1);
    plot.setAttribute("aria-valuetext", words(chart, index));

    tip.replaceChildren();
    const heading = document.createElement("b");
    heading.textContent = chart.h[index];
    tip.append(heading);
    for (const line of chart.s) {
      if (!line.v[index]) continue;
      const row = document.createElement("div");
      const key = document.createElement("i");
      key.className = line.k;
      const value = document.createElement("span");
      value.textContent = line.v[index];
      row.append(key, line.n + " ", value);
      tip.append(row);
    }
    tip.hidden = false;
    const box = svg.getBoundingClientRect();
    const x = box.left + box.width * chart.x[index] / 10000;
    const width = tip.offsetWidth, height = tip.offsetHeight;
    const left = x + 12 + width > root.clientWidth - 4 ? x - 12 - width : x + 12;
    const top = box.top - height - 6 < 4 ? box.bottom + 6 : box.top - height - 6;
    tip.style.left = Math.max(4, left) + scrollX + "px";
    tip.style.top = top + scrollY + "px";
  };

  const byPointer = (plot, event) => {
    const box = plot.querySelector("svg").getBoundingClientRect();
    const chart = readings(plot);
    show(plot, nearest(chart.x, (event.clientX - box.left) / box.width * 10000));
  };

  const byKey = (plot, event) => {
    const chart = readings(plot);
    const last = chart.x.length - 1;
    const step = Math.max(1, Math.round(last / 10));
    const targets = {
      ArrowRight: chart.at + 1, ArrowUp: chart.at + 1, ArrowLeft: chart.at - 1, ArrowDown: chart.at - 1,
      PageUp: chart.at + step, PageDown: chart.at - step, Home: 0, End: last,
    };
    if (event.key === "Escape") { hide(plot); return; }
    if (!(event.key in targets)) return;
    event.preventDefault();
    show(plot, Math.min(Math.max(targets[event.key], 0), last));
  };

  const describe = plot => {
    const chart = readings(plot);
    plot.setAttribute("aria-valuenow", "1");
    plot.setAttribute("aria-valuetext", chart.x.length ? words(chart, 0) : "nothing");
  };

  // The plot takes the name of its drawing.
  const name = plot => {
    const svg = plot.querySelector("svg"), title = svg.querySelector("title"), label = svg.getAttribute("aria-label");
    if (title) title.remove();
    if (label) plot.setAttribute("aria-label", label + ". Arrow keys read the values.");
    svg.setAttribute("aria-hidden", "true");
    svg.removeAttribute("role");
    svg.removeAttribute("aria-label");
  };

  const soon = window.requestIdleCallback || (work => setTimeout(work, 200));

  const prepare = plot => {
    if (charts.has(plot) || plot.dataset.ready || !(plot.readings || plot.querySelector("script"))) return;
    plot.dataset.ready = "1";
    plot.tabIndex = 0;
    plot.setAttribute("role", "slider");
    name(plot);
    plot.setAttribute("aria-valuemin", "1");
    plot.setAttribute("aria-valuenow", "1");
    // Readings that a page's own script makes are made when they are asked for, or when the page stands.
    if (plot.readings) soon(() => { if (!charts.has(plot)) describe(plot); }); else describe(plot);
    plot.addEventListener("pointermove", event => byPointer(plot, event));
    plot.addEventListener("pointerdown", event => byPointer(plot, event));
    plot.addEventListener("pointerleave", () => { if (document.activeElement !== plot) hide(plot); });
    plot.addEventListener("keydown", event => byKey(plot, event));
    plot.addEventListener("focus", () => { if (plot.matches(":focus-visible")) show(plot, Math.max(readings(plot).at, 0)); });
    plot.addEventListener("blur", () => hide(plot));
  };

  document.querySelectorAll(".plot").forEach(prepare);

  // A page's own script gave a chart readings, or others than it had.
  document.addEventListener("readings", event => {
    const plot = event.target;
    charts.delete(plot);
    if (!plot.dataset.ready) { prepare(plot); return; }
    hide(plot);
    name(plot);
    describe(plot);
  });

  // Pictures behind rows are made when a row is opened.
  document.addEventListener("toggle", event => {
    const details = event.target;
    const template = details.open && details.querySelector(":scope > template");
    if (!template) return;
    const content = document.createElement("div");
    content.append(template.content);
    template.replaceWith(content);
    content.querySelectorAll(".plot").forEach(prepare);
  }, true);

  addEventListener("scroll", () => { if (!tip.hidden && !document.activeElement.matches(".plot")) tip.hidden = true; },
    { passive: true });
  addEventListener("beforeprint", () => document.querySelectorAll("details.more").forEach(d => { d.open = true; }));
})();
