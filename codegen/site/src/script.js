// The search, the baseline page and any two releases side by side. They read items.js, and stages.js where it is there, and ask nobody else.
"use strict";
(() => {
  // On every page a slash leads to the search.
  document.addEventListener("keydown", (event) => {
    const box = document.querySelector("input[type=search]");
    if (event.key === "/" && box && !/^(input|select|textarea)$/i.test(document.activeElement.tagName)) { event.preventDefault(); box.focus(); }
  });
  const { programs, items, stages } = window.fedispec ?? {};
  const element = (name, text, more) => Object.assign(document.createElement(name), { textContent: text, ...more });

  // A name, which may break between its words.
  const linked = (id, href) => {
    const link = element("a", "", { href });
    id.split(/(?<=[._:])(?=[a-z])/i).forEach((part, i) => link.append(...(i ? [element("wbr", "")] : []), part));
    return link;
  };

  const KINDS = { param: "parameter", enum: "enumeration" };

  // The index comes with the first question. A page in a folder may load scripts, and fetch nothing.
  const loaded = (src) => new Promise((onload, onerror) => document.head.append(element("script", "", { src, onload, onerror })));
  let search, index;
  const ask = async () => {
    for (const file of ["programs.js", "items.js", "found.js", "search.js"]) await loaded(file);
    search = window.fedispec.search;
  };

  const box = document.getElementById("search");
  if (box) {
    const results = document.getElementById("results"), told = document.getElementById("found");
    const show = () => {
      if (!search) {
        if (!box.value) return;
        told.textContent = "One moment ..";
        index ??= ask().then(() => { show(); comeBack(); }, () => { told.textContent = "The index cannot be loaded."; index = undefined; });
        return;
      }
      const isLong = box.value.length > 300, found = isLong ? [] : search(box.value);
      results.replaceChildren(...found.slice(0, 40).map(([kind, id, place, names]) => {
        const line = element("li", "");
        line.append(linked(id, place), " ", element("small", `${KINDS[kind] ?? kind} ${names}`));
        return line;
      }));
      const rest = found.length > 40 ? ", the first 40 are shown" : "";
      told.textContent = isLong ? "A question has at most 300 characters." : !box.value.trim() ? "" : !found.length ? "Nothing fits." : found.isPartly ? `Nothing has all of these words; ${found.length} have some${rest}.` : `${found.length} found${rest}`;
    };
    // The address asks the same again. Whoever comes back finds the question, the result that was opened, and the page where it was.
    const keep = () => {
      const open = [...results.querySelectorAll("a")].indexOf(document.activeElement);
      const state = { q: box.value, open, top: scrollY };
      try { history.replaceState(state, "", box.value ? `?q=${encodeURIComponent(box.value)}` : location.pathname); } catch { history.replaceState(state, ""); }
    };
    const left = history.state;
    box.value = left?.q ?? new URLSearchParams(location.search).get("q") ?? box.value;
    const comeBack = () => {
      if (!left || left.q !== box.value) return;
      results.querySelectorAll("a")[left.open]?.focus({ preventScroll: true });
      scrollTo(0, left.top);
    };
    addEventListener("pagehide", () => { if (box.value) keep(); });
    box.addEventListener("input", () => { show(); keep(); });
    box.form.addEventListener("submit", (event) => {
      event.preventDefault();
      results.querySelector("a")?.click();
    });
    // A link that is opened with a pointer has the focus everywhere then.
    results.addEventListener("click", (event) => event.target.closest("a")?.focus());
    // The arrows go through the results.
    document.addEventListener("keydown", (event) => {
      const links = [...results.querySelectorAll("a")], at = links.indexOf(document.activeElement);
      if (!links.length || (at < 0 && document.activeElement !== box)) return;
      if (event.key === "ArrowDown") { event.preventDefault(); links[Math.min(at + 1, links.length - 1)].focus(); }
      if (event.key === "ArrowUp") { event.preventDefault(); (at > 0 ? links[at - 1] : box).focus(); }
    });
    show();
  }

  // In how many of the chosen releases an item is: all, some or unknown, or none.
  const verdict = (lives, chosen) => {
    let all = true, some = false;
    for (const [program, from, to] of chosen) {
      const life = lives[program];
      if (life === null || (life === -1 && to > programs[program].looked_at)) { all = false; some = true; continue; }
      const [since, gone] = Array.isArray(life) ? life : [life, []];
      for (let at = from; at <= to; at++) {
        const has = since >= 0 && since <= at && !gone.some(([first, until]) => first <= at && at < until);
        if (has) some = true; else all = false;
      }
    }
    return all ? "all" : some ? "some" : "none";
  };

  const form = document.getElementById("choice");
  if (form) {
    const place = document.getElementById("baseline"), kinds = [...form.elements["kind[]"]];
    const selects = [...form.querySelectorAll("select")];
    const read = () => {
      const wanted = new URLSearchParams(location.hash.slice(1));
      const has = (select, value) => [...select.options].some((option) => option.value === value);
      for (const select of selects) {
        const value = wanted.get(select.name) ?? "";
        select.value = has(select, value) ? value : "";
      }
      const shown = wanted.get("show")?.split(",");
      if (shown) kinds.forEach((kind) => { kind.checked = shown.includes(kind.value); });
    };
    const write = () => {
      const chosen = new URLSearchParams();
      for (const select of selects) if (select.value) chosen.set(select.name, select.value);
      chosen.set("show", kinds.filter((kind) => kind.checked).map((kind) => kind.value).join(","));
      location.replace(`#${chosen}`);
    };
    const lines = (chosen) => {
      const calls = chosen.flatMap(([program, from, to, isEnd]) => {
        const { key, releases } = programs[program];
        const floor = `    .floor("${key}", "${releases[from]}")`;
        return isEnd ? [floor, `    .ceiling("${key}", "${releases[to]}")`] : [floor];
      });
      return ["fedispec_codegen::Config::new()", ...calls, "    .client()", "    .generate()?;"].join("\n");
    };
    const show = () => {
      const chosen = programs.flatMap(({ key, releases }, program) => {
        const from = releases.indexOf(form.elements[key].value), to = releases.indexOf(form.elements[`${key}-to`].value);
        return from < 0 ? [] : [[program, from, to < 0 ? releases.length - 1 : to, to >= 0]];
      });
      const wrong = chosen.find(([, from, to]) => from > to);
      if (!chosen.length || wrong) {
        place.replaceChildren(element("p", wrong ? `The oldest release of ${programs[wrong[0]].name} is newer than the newest.` : "Choose a release."));
        return;
      }
      const wanted = new Set(kinds.filter((kind) => kind.checked).map((kind) => kind.value));
      const sorted = { all: [], some: [], none: [] };
      for (const item of items) if (wanted.has(item[0])) sorted[verdict(item[4], chosen)].push(item);
      const titles = { all: "All of them have it", some: "Some have it, or nobody knows: check", none: "None has it" };
      const parts = Object.entries(titles).map(([key, title]) => {
        const part = element("details", "", { open: key === "all" }), list = element("ul", "", { className: "columns" });
        part.id = `have-${key}`;
        part.append(element("summary", `${title} (${sorted[key].length})`));
        list.append(...sorted[key].map(([, id, address]) => {
          const line = element("li", "");
          line.append(linked(id, `../${address}`));
          return line;
        }));
        if (sorted[key].length) part.append(list);
        return part;
      });
      const code = element("pre", lines(chosen), { id: "config", tabIndex: 0 });
      // What breaks between the oldest and the newest of each program is told on pages of their own.
      const reports = chosen.flatMap(([program, from, to]) => {
        const { key, name, releases, looked_at, upgrades } = programs[program];
        const [older, newer] = [from, Math.min(to, looked_at)].map((at) => releases[at].split(".").slice(0, 2).join("."));
        if (!upgrades.includes(`${older}-${newer}`)) return [];
        return [element("a", `${name} ${older} to ${newer}`, { href: `../upgrades/${key}-${older}-${newer}/index.html` }), " "];
      });
      const breaks = element("p", reports.length ? "What breaks between the oldest and the newest: " : "", { id: "breaks" });
      breaks.append(...reports);
      place.replaceChildren(element("h2", "In build.rs"), code, breaks, element("h2", "What they have"), ...parts);
    };
    form.addEventListener("change", () => { write(); show(); });
    form.addEventListener("submit", (event) => { event.preventDefault(); write(); show(); });
    addEventListener("hashchange", () => { read(); show(); });
    read();
    show();
  }

  // What an item is in a release, in words: the last of its runs that has begun.
  const reads = (id, [program, at]) => {
    const runs = stages.rows[id]?.[program] ?? [];
    return stages.words[runs[runs.findLastIndex((from, i) => i % 2 === 0 && from <= at) + 1]] ?? [];
  };

  // Two releases, each the places of its program and of itself: the items of each section, the parts of one below it.
  const compared = (left, right) => {
    const found = { left: [], right: [], unsure: [], differ: [] };
    let both = 0;
    const has = (lives, [program, at]) => verdict(lives, [[program, at, at]]);
    for (const item of items) {
      const [kind, id, address, , lives] = item, here = has(lives, left), there = has(lives, right);
      if (here === "all" && there === "none") found.left.push(item);
      else if (here === "none" && there === "all") found.right.push(item);
      else if (here !== there) found.unsure.push(item);
      else if (here === "all") {
        if (kind !== "entity") both++;
        const words = [reads(id, left), reads(id, right)];
        const texts = words.map((own, i) => own.filter((word) => !words[1 - i].includes(word)).join(", "));
        if (texts[0] || texts[1]) found.differ.push([id, address, texts]);
      }
    }
    return { ...found, both };
  };

  // What stands with the item that it belongs to is counted there.
  const gathered = (list) => {
    const parts = new Map(list.map(([, id]) => [id, 0]));
    const alone = list.filter(([, id]) => {
      for (let end = id.indexOf("."); end > 0; end = id.indexOf(".", end + 1)) {
        const owner = id.slice(0, end);
        if (parts.has(owner)) { parts.set(owner, parts.get(owner) + 1); return false; }
      }
      return true;
    });
    return alone.map(([kind, id, address]) => {
      const line = element("li", ""), more = parts.get(id);
      const with_ = more ? `, with ${more} ${more === 1 ? "part" : "parts"}` : "";
      line.append(linked(id, `../${address}`), " ", element("small", (KINDS[kind] ?? kind) + with_));
      return line;
    });
  };

  const pair = document.getElementById("pair");
  if (pair) {
    const place = document.getElementById("sides"), { left, right } = pair.elements;
    const at = (select) => {
      const [key, version] = select.value.split("@"), program = programs.findIndex((one) => one.key === key);
      return [program, programs[program].releases.indexOf(version)];
    };
    const name = (select) => select.selectedOptions[0].textContent;
    const read = () => {
      const wanted = new URLSearchParams(location.hash.slice(1));
      for (const [i, select] of [left, right].entries()) {
        const value = wanted.get(select.name), newest = programs[Math.min(i, programs.length - 1)];
        const known = [...select.options].some((option) => option.value === value);
        select.value = known ? value : `${newest.key}@${newest.releases[newest.looked_at]}`;
      }
    };
    // Long lists are closed, so that all counts are seen at once, and nothing is laid out that nobody reads. They are filled
    // one by one, after what is seen, for those who search in the page.
    const part = (id, title, found, body) => {
      const part = element("details", "", { id, open: found.length <= 60 });
      part.append(element("summary", `${title} (${found.filter(([kind]) => kind !== "entity").length})`));
      const fill = () => found.length && part.append(body(found));
      if (part.open) fill();
      else setTimeout(fill);
      return part;
    };
    const list = (items) => {
      const list = element("ul", "", { className: "columns" });
      list.append(...gathered(items));
      return list;
    };
    const table = (rows, names) => {
      const table = element("table", ""), head = element("tr", ""), body = element("tbody", "");
      head.append(...["Item", ...names].map((text) => element("th", text, { scope: "col" })));
      body.append(...rows.map(([id, address, texts]) => {
        const row = element("tr", ""), title = element("th", "", { scope: "row" });
        title.append(linked(id, `../${address}`));
        const cells = texts.map((text, i) => {
          const cell = element("td", text || "–");
          cell.dataset.side = names[i];
          return cell;
        });
        row.append(title, ...cells);
        return row;
      }));
      const top = element("thead", ""), wide = element("div", "", { className: "wide", tabIndex: 0 });
      wide.setAttribute("role", "region");
      wide.setAttribute("aria-label", "What differs");
      top.append(head);
      table.append(top, body);
      wide.append(table);
      return wide;
    };
    const show = () => {
      const names = [name(left), name(right)], found = compared(at(left), at(right));
      const told = element("p", `${found.both} items are in both.`, { className: "lead" });
      const [[program, from], [other, to]] = [at(left), at(right)], { key, releases, upgrades } = programs[program];
      const line = (release) => releases[release].split(".").slice(0, 2).join(".");
      const lines = program === other ? `${line(Math.min(from, to))}-${line(Math.max(from, to))}` : "";
      if (upgrades.includes(lines)) told.append(" ", element("a", "What breaks", { href: `../upgrades/${key}-${lines}/index.html` }));
      place.replaceChildren(
        element("h2", `${names[0]} and ${names[1]}`), told,
        part("only-left", `Only ${names[0]} has it`, found.left, list),
        part("only-right", `Only ${names[1]} has it`, found.right, list),
        part("differ", "Both have it, and differ in it", found.differ, (rows) => table(rows, names)),
        part("unsure", "Of one of them nobody knows", found.unsure, list),
      );
    };
    const choose = () => {
      location.replace(`#left=${left.value}&right=${right.value}`);
      show();
    };
    pair.addEventListener("change", choose);
    pair.addEventListener("submit", (event) => { event.preventDefault(); choose(); });
    addEventListener("hashchange", () => { read(); show(); });
    read();
    show();
  }
})();
