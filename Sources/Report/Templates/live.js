
// A run under way: sections that changed are sent every second, and put in the place of what they were.
(() => {
  const state = document.getElementById("state"), main = document.querySelector("main");
  const say = (name, text) => {
    state.dataset.state = name;
    if (state.textContent !== text) state.textContent = text;
  };
  const same = (now, next) => now && now.nodeType === next.nodeType && now.nodeName === next.nodeName;

  // Elements stay where they are, so that what a reader opened, scrolled or rests on stays too.
  const morph = (now, next) => {
    if (now.nodeType !== Node.ELEMENT_NODE) {
      if (now.data !== next.data) now.data = next.data;
      return;
    }
    if (now.matches(".plot")) {
      // A part that the user reads from stays as it is.
      if (now === document.activeElement || now.matches(":hover")) return;
      now.replaceChildren(...next.childNodes);
      now.dispatchEvent(new Event("readings", { bubbles: true }));
      return;
    }
    if (now.nodeName === "TEMPLATE") {
      now.innerHTML = next.innerHTML;
      return;
    }
    if (now.matches("details[open]")) {
      const hidden = next.querySelector(":scope > template");
      if (hidden) {
        const content = document.createElement("div");
        content.append(hidden.content);
        hidden.replaceWith(content);
      }
    } else if (!now.isEqualNode(next)) {
      for (const { name } of [...now.attributes]) if (!next.hasAttribute(name)) now.removeAttribute(name);
      for (const { name, value } of next.attributes) if (now.getAttribute(name) !== value) now.setAttribute(name, value);
    }
    const wanted = [...next.childNodes];
    wanted.forEach((child, index) => {
      const old = now.childNodes[index];
      if (same(old, child)) { morph(old, child); return; }
      if (old) old.replaceWith(child); else now.append(child);
      greet(child);
    });
    while (now.childNodes.length > wanted.length) now.lastChild.remove();
  };
  const greet = node => {
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const plots = node.matches(".plot") ? [node] : node.querySelectorAll(".plot");
    for (const plot of plots) plot.dispatchEvent(new Event("readings", { bubbles: true }));
  };

  const take = event => {
    heard = Date.now();
    say("running", "Running");
    const { order, html } = JSON.parse(event.data);
    order.forEach((id, index) => {
      if (!(id in html)) return;
      const box = document.createElement("template");
      box.innerHTML = html[id];
      const next = box.content.firstElementChild, now = document.getElementById(id);
      if (now) { morph(now, next); return; }
      main.insertBefore(next, order.slice(index + 1).map(other => document.getElementById(other)).find(Boolean) ?? null);
      greet(next);
    });
    for (const section of [...main.children]) if (section.id && !order.includes(section.id)) section.remove();
    const updates = document.documentElement.dataset;
    updates.updates = Number(updates.updates || 0) + 1;
  };

  let source = null, heard = Date.now(), isOver = false;
  const connect = () => {
    source = new EventSource("events");
    source.addEventListener("whole", take);
    source.addEventListener("update", take);
    source.addEventListener("end", () => {
      isOver = true;
      source.close();
      say("ended", "Over; here comes the report");
      location.replace("report");
    });
    source.onerror = () => {
      say("lost", "Connection lost, trying again");
      // A browser tries again by itself unless the server refused.
      if (source.readyState === EventSource.CLOSED && !isOver) setTimeout(connect, 3000);
    };
  };
  setInterval(() => {
    const silent = Math.round((Date.now() - heard) / 1000);
    if (!isOver && state.dataset.state === "running" && silent > 5) state.textContent = `Running, no news for ${silent} s`;
  }, 1000);
  connect();
})();
