// The search page: a text is answered as it is typed, facets narrow the answer, and it can be
// followed live.
import { Problem, ask, askForToken, count, element, marked, target } from "/client.js";
import { follow, identity } from "/live.js";

const id = (name) => document.getElementById(name);
const [box, results, summary] = [id("box"), id("results"), id("summary")];
const [pageLength, facetLength] = [10, 8];

const state = {
  session: crypto.randomUUID?.() ?? String(Math.random()).slice(2),
  index: "",
  attributes: [],
  // How attributes are counted that have many values, once that is known: in ranges, or not.
  counting: new Map(),
  // Whether the server has the index remember what is opened.
  learns: false,
  // Whether the filters were unfolded where they are not beside the hits.
  unfolds: false,
  // The chosen buckets: what to show of each, by the filter that it is.
  filters: new Map(),
  limit: pageLength,
  // Answers that are not those to the newest text are dropped.
  turn: 0,
  abort: null,
  composing: null,
  hits: [],
  // What is to be said of how the text was read.
  notes: [],
  active: -1,
};

// MARK: Searching

/** Any of the values that are chosen of an attribute, and so of each attribute. */
function filter() {
  const attributes = Map.groupBy(state.filters, ([, { attribute }]) => attribute);
  return [...attributes.values()].map(
    (chosen) => `(${chosen.map(([one]) => `(${one})`).join(" OR ")})`).join(" ");
}

async function search() {
  const turn = ++state.turn;
  state.abort?.abort();
  state.abort = new AbortController();
  const { signal } = state.abort;
  const q = box.value;
  document.body.dataset.busy = String(turn);
  history.replaceState(null, "", q ? `#q=${encodeURIComponent(q)}` : location.pathname);
  const index = state.index || undefined;
  const typed = { session: state.session, q, limit: state.limit, snippets: 2, index };
  if (state.learns) typed.learned = true;
  delete document.body.dataset.live;
  if (filter()) typed.filter = filter();
  if (state.composing !== null && state.composing < box.selectionEnd) {
    typed.composingFrom = state.composing;
    typed.composingTo = box.selectionEnd;
  }
  try {
    // Beside each other: the hits are shown first, what belongs to them follows.
    const asked = ask("/v1/type", { body: typed, signal });
    const others = Promise.allSettled([facets(q, index, signal), suggestions(q, index, signal)]);
    const answer = await asked;
    if (turn !== state.turn) return;
    showHits(answer);
    const [counted, suggested] = await others;
    if (turn !== state.turn) return;
    showFacets(counted.value?.facets ?? []);
    showSuggestions(suggested.value);
    document.body.dataset.done = String(turn);
    if (id("live").checked) await live(turn, q, index, signal);
  } catch (error) {
    if (turn !== state.turn || error.name === "AbortError" || error.code === "superseded") return;
    if (error instanceof Problem && error.status === 401) return askForToken(start);
    summary.textContent = error instanceof Problem ? error.message : "The server does not answer.";
    document.body.dataset.done = String(turn);
  }
}

/** Follows the answer until another one is asked for. */
function live(turn, q, index, signal) {
  const parameters = {
    // As the typing session reads it.
    lastWordIsPrefix: true, index, filter: filter(), limit: state.limit, snippets: 2,
  };
  if (state.learns) parameters.learned = true;
  let [isCounting, hasMore] = [false, false];
  // One request at a time: what changes meanwhile is counted by the next.
  const recount = async () => {
    hasMore = true;
    if (isCounting) return;
    isCounting = true;
    while (hasMore && turn === state.turn) {
      hasMore = false;
      const counted = await Promise.resolve(facets(q, index, signal)).catch(() => null);
      if (counted && turn === state.turn) showFacets(counted.facets);
    }
    isCounting = false;
  };
  return follow(parameters, { q }, signal, {
    show(hits, difference) {
      const isFirst = document.body.dataset.live === undefined;
      document.body.dataset.live = "following";
      showChanges(hits, difference);
      if (!isFirst) recount();
    },
    wait() {
      document.body.dataset.live = "waiting";
      summary.textContent = "The server does not answer; trying again.";
    },
  });
}

/** Counts by all attributes: numbers and dates in ranges, once they have more values than shown. */
async function facets(q, index, signal) {
  if (state.attributes.length === 0) return null;
  for (;;) {
    const counted = await facetCounts(q, index, signal);
    const others = counted.facets.filter(isBetterCountedOtherwise);
    if (others.length === 0) return counted;
    for (const { attribute } of others) {
      state.counting.set(attribute, state.counting.has(attribute) ? "" : ":auto");
    }
  }
}

/** Whether numbers or dates are better counted in ranges; or values are in none, as texts are. */
function isBetterCountedOtherwise({ attribute, bucketCount, objectCount, buckets }) {
  switch (state.counting.get(attribute)) {
    case undefined: return bucketCount > facetLength && buckets.every(isMeasured);
    case ":auto": return buckets.reduce((sum, { count }) => sum + count, 0) < objectCount;
    default: return false;
  }
}

function isMeasured({ value }) {
  return typeof value === "number" || /^-?\d{4,}-\d\d-\d\dT/.test(value);
}

function facetCounts(q, index, signal) {
  const parameters = {
    // As the typing session reads it.
    lastWordIsPrefix: true, index, filter: filter(),
    facet: state.attributes.map((name) => `${name}${state.counting.get(name) ?? ""}:or`),
    facetLimit: facetLength,
  };
  return ask(target("/v1/facets", parameters, { q }), { signal });
}

function suggestions(q, index, signal) {
  if (!q.trim()) return null;
  return ask(target("/v1/suggest", { q, index, filter: filter(), limit: 4 }), { signal });
}

// MARK: Showing

/** Shows the new hits. Rows that stay keep their elements, and the choice stays. */
function showChanges(hits, difference) {
  const rows = new Map(state.hits.map((hit, number) => [identity(hit), { hit, row: results.children[number] }]));
  const active = state.hits[state.active];
  const same = (hit) => JSON.stringify({ ...hit, rank: 0, score: 0 });
  const came = hits.filter((hit) => !rows.has(identity(hit))).length;
  const went = state.hits.length + came - hits.length;
  const shown = hits.map((hit, number) => {
    const old = rows.get(identity(hit));
    const row = old && same(old.hit) === same(hit) ? old.row : hitElement(hit, number);
    row.id = `hit-${number}`;
    row.classList.toggle("came", !old);
    return row;
  });
  state.hits = hits;
  results.replaceChildren(...shown);
  activate(active ? hits.findIndex((hit) => identity(hit) === identity(active)) : -1, false);
  box.setAttribute("aria-expanded", String(hits.length > 0));
  const total = `${difference.isTotalExact ? "" : "at least "}${count(difference.total)}`;
  const changes = [[came, "new"], [went, "gone"]].filter(([number]) => number > 0);
  summary.textContent = [
    `${total} ${difference.total === 1 ? "hit" : "hits"}${difference.isComplete ? "" : " so far"}, live`,
    ...changes.map(([number, name]) => `${count(number)} ${name}`), ...state.notes,
  ].join(". ");
  showMore(difference.total);
}

function showMore(total) {
  id("more").hidden = state.hits.length < state.limit || state.hits.length >= total;
}

function showHits(answer) {
  state.hits = answer.hits;
  activate(-1);
  results.replaceChildren(...answer.hits.map(hitElement));
  box.setAttribute("aria-expanded", String(answer.hits.length > 0));
  const total = `${answer.isTotalExact ? "" : "at least "}${count(answer.total)}`;
  const notes = answer.diagnostics.filter((one) => one.kind !== "unknownWord").map((one) => one.message);
  state.notes = notes;
  summary.textContent =
    [`${total} ${answer.total === 1 ? "hit" : "hits"}${answer.isComplete ? "" : " so far"}`, ...notes].join(". ");
  showMore(answer.total);
}

function hitElement(hit, number) {
  const heading = element("h3", {}, element("bdi", {}, hit.title || hit.id));
  const item = element(
    "li", { role: "option", id: `hit-${number}`, "aria-selected": "false", "data-id": hit.id }, heading);
  if (hit.title && hit.title !== hit.id) {
    item.append(element("p", { class: "name" }, element("bdi", {}, hit.id)));
  }
  for (const snippet of hit.snippets ?? []) {
    item.append(
      element(
        "p", { class: "snippet", dir: "auto", "data-field": snippet.field ?? "" },
        snippet.isAtStart ? "" : "… ", ...marked(snippet.text, snippet.highlights),
        snippet.isAtEnd ? "" : " …"));
  }
  if (hit.hasMoreMatches) item.append(element("p", { class: "name" }, "… and more matches."));
  if (hit.hasText === false) {
    item.append(element("p", { class: "name" }, "The text is not where it was any more, or too long to be shown."));
  }
  item.addEventListener("click", () => open([...results.children].indexOf(item)));
  return item;
}

function bucketName(bucket) {
  const text = (value) => String(value).replace(/T00:00:00Z$/, "");
  if (bucket.value !== undefined) return text(bucket.value) || "(empty)";
  return `${bucket.from === undefined ? "" : text(bucket.from)} to ${bucket.to === undefined ? "" : text(bucket.to)}`;
}

function showFacets(facets) {
  const shown = facets.filter((facet) => facet.buckets.length > 0);
  const focused = id("facets").contains(document.activeElement) ? document.activeElement.value : null;
  id("facets").replaceChildren(
    ...shown.map((facet) =>
      element(
        "fieldset", { "data-attribute": facet.attribute },
        element("legend", {}, element("bdi", {}, facet.attribute)),
        ...facet.buckets.filter((bucket) => bucket.filter).map((bucket) => {
          const input = element(
            "input", { type: "checkbox", checked: state.filters.has(bucket.filter), value: bucket.filter });
          input.addEventListener("change", () => {
            if (input.checked) {
              state.filters.set(
                bucket.filter, { attribute: facet.attribute, name: bucketName(bucket) });
            } else {
              state.filters.delete(bucket.filter);
            }
            restart();
          });
          return element(
            "label", {}, input, element("bdi", {}, bucketName(bucket)),
            element("span", { class: "count" }, count(bucket.count)));
        }))));
  // New counts take the focus from nobody.
  if (focused !== null) [...id("facets").querySelectorAll("input")].find((one) => one.value === focused)?.focus();
  const chosen = [...state.filters].map(([filter, { attribute, name }]) =>
    chip(`${attribute}: ${name} ×`, () => {
      state.filters.delete(filter);
      restart();
    }));
  id("chosen").replaceChildren(...chosen);
  id("chosen").hidden = chosen.length === 0;
}

function showSuggestions(suggested) {
  const all = [
    ...(suggested?.corrections ?? []), ...(suggested?.completions ?? []), ...(suggested?.phrases ?? []),
  ].filter((one) => one.text !== box.value);
  const buttons = all.slice(0, 6).map((one) =>
    chip(one.text, () => {
      box.value = one.text;
      box.focus();
      restart();
    }));
  id("suggestions").replaceChildren(...buttons);
  id("suggestions").hidden = buttons.length === 0;
}

function chip(text, act) {
  const button = element("button", { type: "button" }, element("bdi", {}, text));
  button.addEventListener("click", act);
  return button;
}

// MARK: One object

async function open(number) {
  const hit = state.hits[number];
  if (!hit) return;
  activate(number);
  const name = hit.idBytes ? { idBytes: hit.idBytes } : { id: hit.id };
  if (state.learns && box.value.trim()) {
    // What was chosen is worth no message where it cannot be remembered.
    ask("/v1/engagements", { body: { ...name, q: box.value, index: state.index || undefined } }).catch(() => {});
  }
  const parameters = {
    ...name, index: state.index, texts: true, highlights: 10000, snippets: 0, limit: 1,
    lastWordIsPrefix: true,
  };
  try {
    const answer = await ask(target("/v1/search", parameters, { q: box.value }));
    showObject(answer.hits[0] ?? hit);
  } catch (error) {
    summary.textContent = error.message;
  }
}

function showObject(hit) {
  id("object-title").firstElementChild.textContent = hit.title || hit.id;
  const texts = hit.texts ?? [];
  const fields = texts.map((text, number) => {
    const found = hit.highlights?.find((one) => one.string === number);
    return element("p", { dir: "auto", class: "text" }, ...marked(text, found?.ranges ?? []));
  });
  id("object-text").replaceChildren(
    ...(fields.length ? fields : [element("p", {}, "The text is not where it was any more.")]));
  if (hit.hasMoreMatches) {
    id("object-text").prepend(element("p", { class: "name" }, "The first matches are marked; there are more."));
  }
  if (!id("object").open) id("object").showModal();
  id("object-text").querySelector("mark")?.scrollIntoView({ block: "center" });
}

// MARK: Keys

function activate(number, scrolls = true) {
  results.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
  state.active = number;
  const item = results.children[number];
  if (!item) return box.removeAttribute("aria-activedescendant");
  item.setAttribute("aria-selected", "true");
  box.setAttribute("aria-activedescendant", item.id);
  if (scrolls) item.scrollIntoView({ block: "nearest" });
}

box.addEventListener("keydown", (event) => {
  // These keys belong to the input method while it composes.
  if (event.isComposing) return;
  const last = results.children.length - 1;
  if (event.key === "ArrowDown" && last >= 0) {
    activate(Math.min(state.active + 1, last));
  } else if (event.key === "ArrowUp" && last >= 0) {
    activate(Math.max(state.active - 1, -1));
  } else if (event.key === "Enter") {
    open(Math.max(state.active, 0));
  } else if (event.key === "Escape") {
    if (state.active >= 0) {
      activate(-1);
    } else if (box.value) {
      box.value = "";
      restart();
    }
  } else {
    return;
  }
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName) && event.target.type !== "checkbox";
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  if (id("object").open) id("object").close();
  box.focus();
  box.select();
});

function restart() {
  state.limit = pageLength;
  search();
}

box.addEventListener("compositionstart", () => {
  state.composing = box.selectionStart;
});
box.addEventListener("compositionend", () => {
  state.composing = null;
  restart();
});
box.addEventListener("input", restart);
id("live").addEventListener("change", search);
id("form").addEventListener("submit", (event) => event.preventDefault());
id("more").addEventListener("click", () => {
  state.limit += pageLength;
  search();
});
id("close").addEventListener("click", () => id("object").close());
id("object").addEventListener("close", () => box.focus());
id("object").addEventListener("click", (event) => {
  if (event.target === id("object")) id("object").close();
});

// MARK: Start

// Where there is room for one column alone, the filters are folded until they are wanted: hits come
// first.
const oneColumn = matchMedia("(max-width: 46rem)");
const fold = () => { id("filters").open = !oneColumn.matches || state.unfolds; };
oneColumn.addEventListener("change", fold);
id("filters").firstElementChild.addEventListener("click", () => {
  state.unfolds = !id("filters").open;
});
fold();

function choose(indexes) {
  const chosen = indexes.find((one) => one.name === state.index) ?? indexes[0];
  state.index = indexes.length > 1 ? chosen.name : "";
  state.attributes = chosen.attributes.slice(0, 8);
  state.counting.clear();
  id("filters").hidden = state.attributes.length === 0;
  state.learns = chosen.allowsEngagement;
}

async function start() {
  try {
    const { indexes } = await ask("/v1/status");
    const select = id("index");
    select.replaceChildren(...indexes.map((one) => element("option", { value: one.name }, one.name)));
    select.hidden = indexes.length < 2;
    select.onchange = () => {
      state.index = select.value;
      state.filters.clear();
      choose(indexes);
      restart();
    };
    choose(indexes);
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return askForToken(start);
    summary.textContent = error instanceof Problem ? error.message : "The server does not answer.";
    return;
  }
  const asked = new URLSearchParams(location.hash.slice(1)).get("q");
  if (asked && !box.value) box.value = asked;
  restart();
}

start();
