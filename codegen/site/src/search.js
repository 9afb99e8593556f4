// What fits a question, the best first. It reads items.js and found.js, and touches no page.
"use strict";
window.fedispec.search = (() => {
  const { items, about, pages, words } = window.fedispec;
  const all = [...items, ...pages].map((item, i) => {
    const [kind, id, , names, , said] = item, own = id.toLowerCase(), called = names.toLowerCase();
    return { item, kind, own, called, text: `${own} ${called}`, about: (about[i] ?? said ?? "").toLowerCase() };
  });
  const routes = all.filter(({ kind }) => kind === "operation").flatMap((one) => {
    const [, method, path] = /(\S+) (\/\S*)/.exec(one.called) ?? [];
    return path ? [{ one, method, parts: path.split("/") }] : [];
  });

  // A path or a whole address, as it was sent: what stands in the place of an id fits any. The beginning that all have may be left out.
  const routed = (asked) => {
    const question = asked.replace(/^([a-z]+ )?(?:api\/)?(v\d\/\S+)$/, "$1/api/$2").replace(/^([a-z]+ )?([a-z][\w-]*\/\S+)$/, "$1/$2");
    const [, sent, own] = /^(?:([a-z]+)\s+)?(?:[a-z]+:\/\/[^/\s]*)?(\/[^\s?#]*)/.exec(question) ?? [];
    const [, curl] = question.startsWith("curl ") ? /:\/\/[^/\s]+(\/[^\s?#'"]*)/.exec(question) ?? [] : [];
    const path = own ?? curl;
    if (!path) return [];
    const method = curl ? / (?:-x|--request)[ =]?([a-z]+)/.exec(question)?.[1] ?? (/ (?:-[df]|--data|--form)/.test(question) ? "post" : "get") : sent;
    const parts = path.replace(/(.)\/$/, "$1").split("/");
    const fits = (route) => (!method || route.method === method) && route.parts.length === parts.length
      && route.parts.every((part, i) => part.startsWith(":") ? parts[i] : part === parts[i]);
    const open = (route) => route.parts.filter((part, i) => part !== parts[i]).length;
    return routes.filter(fits).sort((a, b) => open(a) - open(b)).map(({ one }) => one);
  };

  // What is pasted, in words: a version string, an address of Mastodon's documentation, the handle of an account, or the page of one or of a post.
  const inWords = (question) => {
    if (/^@?[\w.-]+@(?:[\w-]+\.)+[a-z]{2,}$/.test(question)) return "accounts.lookup";
    if (/^https?:\/\/[^/\s]+\/(?:@|users\/)/.test(question)) return "search.all.resolve";
    const [, fork] = /\(compatible; ([^)]+)\)/.exec(question) ?? [];
    const [, version, build] = /^v?(\d+\.\d+\.\d+)\+([a-z]+)/.exec(question) ?? [];
    const [, page, part] = /docs\.joinmastodon\.org\/(?:methods|entities|admin)\/(?:admin\/)?([^/#\s]+)\/?(?:#(\S*))?/.exec(question) ?? [];
    return fork ?? (version ? `${build} ${version}` : page ? [page, part].filter(Boolean).join(" ") : question);
  };

  // Words that mean nothing beside others.
  const LITTLE = new Set("a an and as at back by can do does for from how i in is it me my new of on or original others someone that the this to was what who with masto select fetch & :".split(" "));

  // The terms of a question, each with the words that may stand for it.
  const terms = (question) => {
    let rest = ` ${question.replaceAll("-", " ")} `.replace(/ (?:an?|the)(?= \S)/g, "");
    const found = [];
    for (const [phrase, meant] of words) {
      if (!rest.includes(` ${phrase} `) && !rest.includes(` ${phrase}s `)) continue;
      rest = rest.replace(` ${phrase}s `, "  ").replace(` ${phrase} `, "  ");
      found.push({ word: phrase, any: [phrase, ...meant] });
    }
    const bare = (word) => word.length > 3 && word.endsWith("s") ? [word, word.slice(0, -1)] : [word];
    const single = rest.split(/\s+/).filter(Boolean), told = single.filter((word) => !LITTLE.has(word));
    for (const word of told.length || found.length ? told : single) found.push({ word, any: [...bare(word), ...respelt(word)] });
    return found;
  };

  // The nearest of all words to one that stands nowhere: with one letter more, less, another or exchanged, and two where it is long.
  const everything = all.map(({ text, about }) => `${text} ${about}`).join("\n");
  const meanings = new Map(words), spellings = [...new Set([...everything.match(/\p{L}{4,}/gu), ...meanings.keys()])];
  const apart = (one, other) => {
    let before, last, row = [...other, ""].map((_, i) => i);
    for (let i = 1; i <= one.length; i++) {
      [before, last, row] = [last, row, [i]];
      for (let j = 1; j <= other.length; j++) {
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
        if (i > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
    }
    return row[other.length];
  };
  const respelt = (word) => {
    if (word.length < 5 || everything.includes(word)) return [];
    const near = spellings.filter((other) => Math.abs(other.length - word.length) < 3).map((other) => [apart(word, other), other]);
    near.sort(([a, one], [b, other]) => a - b || (one[0] !== word[0]) - (other[0] !== word[0]));
    return near.length && near[0][0] <= (word.length < 6 ? 1 : 2) ? near.filter(([far]) => far === near[0][0]).flatMap(([, other]) => [other, ...meanings.get(other) ?? []]) : [];
  };

  const KINDS = ["operation", "entity", "enum", "release"];
  // What has all that was asked for, or else the most of it.
  const search = (question) => {
    const whole = inWords(question.trim().toLowerCase().split(/\s+/).join(" "));
    if (!whole) return [];
    const first = routed(whole), asked = terms(whole), found = [];
    // `account locked` and `locked account` are `account.locked`.
    const parts = whole.split(" "), spoken = [parts.join("."), parts.toReversed().join(".")];
    const [, version] = /(?:^|[ @])v?(\d+\.\d+[\d.]*)(?: new)?$/.exec(whole) ?? [];
    for (const one of all) {
      const { own, called, text, about, kind } = one, last = own.slice(own.lastIndexOf(".") + 1);
      const holds = (place, word) => place.includes(word) || word.includes(" ") && word.split(" ").every((part) => place.includes(part));
      const lacks = (place) => asked.filter(({ any }) => !any.some((word) => holds(place, word))).length;
      const inNames = lacks(text) === 0, missing = inNames ? 0 : lacks(`${text} ${about}`);
      if (missing && missing === asked.length) continue;
      const said = asked.every(({ word }) => text.includes(word));
      const isMeant = asked.some(({ any }) => any.slice(1).includes(own));
      const rank = version && kind === "release" && called.includes(` v${version}`) ? 0
        : [own, own.replace(/s\./, ".")].some((name) => spoken.includes(name)) || called.split(kind === "feature" ? ", " : " ").includes(whole) || called === whole || isMeant ? 1
        : last.replaceAll("_", " ") === whole.replaceAll("_", " ") ? 2 : own.startsWith(whole) ? 3 : last.startsWith(whole) ? 4
        : said ? 5 : inNames ? 6 : 7;
      found.push([missing, rank, kind === "feature" || own === whole ? 0 : KINDS.includes(kind) ? 1 : 2, own.length, one]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3] || (a[4].own < b[4].own ? -1 : 1));
    // A release that is not known is looked for in its line.
    if (version?.split(".").length === 3 && found.every(([, rank]) => rank > 0)) return search(whole.slice(0, whole.lastIndexOf(".")));
    // Where a path goes on in what a field holds, the field is found.
    for (let cut = found.length || first.length ? "" : whole; cut.includes(".");) {
      cut = cut.slice(0, cut.lastIndexOf("."));
      if (cut.includes(".") && all.some(({ own }) => own === cut)) return search(cut);
    }
    // A name of other libraries, as its words: `status_reblog`, `statuses.getContext`.
    const spelt = question.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    if (!first.length && !whole.includes(" ") && spelt.toLowerCase() !== whole && !(found[0]?.[1] < 3)) {
      const other = search(spelt);
      if (!found.length || other.length && !other.isPartly) return other;
    }
    const least = found[0]?.[0] ?? 0;
    const rest = found.filter(([missing]) => missing === least).map((one) => one[4]).filter((one) => !first.includes(one));
    return Object.assign([...first, ...rest].map(({ item }) => item), { isPartly: !first.length && least > 0 });
  };
  return search;
})();
