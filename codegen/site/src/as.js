// The choice of a release on the page of an item. The page shows the newest of one program, and holds what its items are in all others.
"use strict";
(() => {
  const panel = document.getElementById("as"), { programs } = window.fedispec;
  const { first, words, rows } = JSON.parse(document.getElementById("stages").textContent);
  const KEY = "fedispec-as";
  const element = (name, text, more) => Object.assign(document.createElement(name), { textContent: text, ...more });
  const numbers = (version) => [0, 1, 2].map((i) => Number.parseInt(version.replace(/^v/, "").split(".")[i] ?? "0", 10) || 0);
  const isLater = (one, other) => {
    const [a, b] = [numbers(one), numbers(other)], i = a.findIndex((part, at) => part !== b[at]);
    return i >= 0 && a[i] > b[i];
  };
  const name = ([program, at]) => `${programs[program].name} ${programs[program].releases[at]}`;

  // The release of an address; of one that is not known the newest before it, or else the oldest, with a sentence.
  const found = (asked) => {
    const [key, version] = asked.split("@"), program = programs.findIndex((one) => one.key === key.toLowerCase());
    if (program < 0) {
      const place = [first, programs[first].looked_at];
      return { place, told: `The catalogue knows no program called ${key.slice(0, 40)}; ${name(place)} is shown.` };
    }
    const { releases, looked_at } = programs[program];
    if (!version) return { place: [program, looked_at] };
    const before = releases.findLastIndex((one) => !isLater(one, version)), place = [program, Math.max(before, 0)];
    const isKnown = before >= 0 && /^v?\d+(\.\d+){0,2}$/.test(version) && !isLater(version, releases[before]);
    const unknown = `The catalogue does not know ${programs[program].name} ${version.slice(0, 40)}`;
    const told = isKnown ? "" : `${unknown}; the nearest ${before < 0 ? "after" : "before"} it, ${releases[place[1]]}, is shown.`;
    return { place, told };
  };

  const kept = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const asked = new URLSearchParams(location.search).get("as") ?? kept();
  let { place, told } = asked ? found(asked) : { place: [first, programs[first].looked_at] };

  // The releases of a program, those of one line together.
  const form = element("form", ""), program = element("select", "", { name: "program" }), release = element("select", "", { name: "release" });
  const sentence = element("p", "", { id: "as-told" });
  sentence.setAttribute("role", "status");
  const label = (text, select) => {
    const label = element("label", `${text} `);
    label.append(select);
    return label;
  };
  program.append(...programs.map((one, i) => element("option", one.name, { value: i })));
  const fill = () => {
    const lines = new Map();
    programs[place[0]].releases.forEach((version, i) => {
      const line = version.split(".").slice(0, 2).join(".");
      lines.set(line, [element("option", version, { value: i }), ...lines.get(line) ?? []]);
    });
    release.replaceChildren(...[...lines].reverse().map(([label, options]) => {
      const group = element("optgroup", "", { label });
      group.append(...options);
      return group;
    }));
  };
  form.append(label("Program", program), label("Release", release));
  panel.querySelector("h2").after(form, sentence);

  const cells = [...document.querySelectorAll("td.as")], links = new Map([...panel.querySelectorAll("dd a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const list = panel.querySelector("dl");
  const reads = (row) => {
    const runs = rows[row][place[0]];
    let read = runs[1];
    for (let i = 0; i < runs.length && runs[i] <= place[1]; i += 2) read = runs[i + 1];
    return read;
  };
  const show = () => {
    const title = name(place), own = words[reads("")];
    panel.querySelector("h2").textContent = `As ${title} has it`;
    panel.querySelector("#as-item").textContent = `${title} ${own.join(", ")}.`;
    sentence.textContent = told ?? "";
    [program.value, release.value] = place;
    for (const head of document.querySelectorAll("th.as")) head.textContent = title;
    const groups = new Map();
    for (const cell of cells) {
      const row = cell.parentElement, at = reads(row.id), [head] = words[at];
      cell.textContent = words[at].join(", ");
      cell.dataset.side = title;
      row.classList.toggle("gone", head === "not there");
      const group = groups.get(head) ?? { at, links: [] };
      group.at = Math.min(group.at, at);
      if (links.has(row.id)) group.links.push(links.get(row.id));
      groups.set(head, group);
    }
    const sorted = [...groups].sort(([, a], [, b]) => a.at - b.at);
    list?.replaceChildren(...sorted.flatMap(([head, group]) => {
      const items = element("dd", "");
      items.append(...group.links.flatMap((link) => [link, " "]));
      return [element("dt", `${head} (${group.links.length})`), items];
    }));
  };
  // The choice stands in the address and in the links to other items, and is kept for later pages.
  const keep = () => {
    const chosen = `${programs[place[0]].key}@${programs[place[0]].releases[place[1]]}`;
    try { localStorage.setItem(KEY, chosen); } catch { /* the links have it */ }
    try { if (!told) history.replaceState(history.state, "", `?as=${chosen}${location.hash}`); } catch { /* it stays */ }
    for (const link of document.querySelectorAll("main a")) {
      if (/\/(operations|entities|enums)\/[^/]+\/index\.html/.test(link.getAttribute("href"))) link.search = `as=${chosen}`;
    }
  };
  program.addEventListener("change", () => {
    place = [Number(program.value), programs[program.value].looked_at];
    told = "";
    fill();
    show();
    keep();
  });
  release.addEventListener("change", () => {
    place = [place[0], Number(release.value)];
    told = "";
    show();
    keep();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  fill();
  if (asked) {
    show();
    keep();
  } else {
    [program.value, release.value] = place;
  }
})();
