// What both pages need: asking the server, and making elements. Text goes into text nodes alone.

const tokenName = "textindex-token";

/** An answer that is none: the problem that the server tells. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? "The server does not answer.");
    this.status = status;
    this.code = problem?.code ?? "";
  }
}

/** The header that says who asks, where the server wants to know. */
export function authorization() {
  const token = sessionStorage.getItem(tokenName);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** Asks the server; `body` makes it a POST. */
export async function ask(path, { body, signal } = {}) {
  const headers = authorization();
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, {
    method: body ? "POST" : "GET", headers, signal, body: body && JSON.stringify(body),
    credentials: "omit", redirect: "error",
  });
  const json = await response.json().catch(() => null);
  if (!response.ok) throw new Problem(response.status, json);
  return json;
}

/** The path with parameters: arrays repeat theirs, empty ones are left out unless in `kept`. */
export function target(path, parameters, kept = {}) {
  const pairs = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== "") pairs.append(name, one);
    }
  }
  return `${path}?${pairs}`;
}

/** Shows the form for a token, and calls `then` when there is one. */
export function askForToken(then) {
  const form = document.getElementById("ask");
  form.hidden = false;
  document.getElementById("token").focus();
  form.onsubmit = (event) => {
    event.preventDefault();
    sessionStorage.setItem(tokenName, document.getElementById("token").value.trim());
    form.hidden = true;
    then();
  };
}

/** An element with attributes and children; texts become text nodes. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** A text with its ranges marked; locations count UTF-16 code units, as strings here do. */
export function marked(text, ranges) {
  const parts = [];
  let place = 0;
  for (const { location, length } of ranges) {
    parts.push(text.slice(place, location));
    parts.push(element("mark", {}, text.slice(location, location + length)));
    place = location + length;
  }
  parts.push(text.slice(place));
  return parts.filter((part) => part !== "");
}

const numbers = new Intl.NumberFormat("en");
export const count = (number) => numbers.format(number);
