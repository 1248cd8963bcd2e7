// The status page: what the indexes hold and what the server does, read anew every other second.
import { Problem, ask, askForToken, count, element } from "/client.js";

const id = (name) => document.getElementById(name);

function bytes(number) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 999.5 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${unit ? number.toFixed(1) : number} ${units[unit]}`;
}

function rows(table, pairs) {
  table.replaceChildren(
    ...pairs.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, element("bdi", {}, String(value))))));
  return table;
}

// Which table an index follows, and how far behind it is.
function following({ table, phase, behind, problem }) {
  const parts = [table];
  if (phase === "new") parts.push("nothing read yet");
  else if (phase !== "following") parts.push("reading all rows");
  if (behind !== undefined) parts.push(behind === 0 ? "up to date" : `${count(behind)} ${behind === 1 ? "change" : "changes"} behind`);
  if (problem) parts.push(problem);
  return parts.join(", ");
}

function show(status) {
  id("indexes").replaceChildren(
    ...status.indexes.flatMap((index) => [
      element("h2", {}, element("bdi", {}, index.name)),
      rows(element("table"), [
        ["Objects", count(index.objects)],
        ["Terms", count(index.terms)],
        ["Removed, still taking space", count(index.removedObjects)],
        ["Segments", count(index.segments)],
        ["In the journal", count(index.unflushedObjects)],
        ["On disk", bytes(index.bytes)],
        ...(index.generation === undefined ? [] : [["Generation", index.generation]]),
        ...(index.following ? [["Follows", following(index.following)]] : []),
        ["Fields", index.fields.join(", ")],
        ["Attributes", index.attributes.join(", ") || "none"],
      ]),
    ]));
  const { requests, searches } = status;
  rows(id("requests"), [
    ["A second", requests.requestsPerSecond.toFixed(1)],
    ["In all", count(requests.requests)],
    ...Object.entries(requests.responses).filter(([, number]) => number).map(([name, number]) => [name, count(number)]),
    ["Given up by their clients", count(requests.abandoned)],
    ["Half took up to", `${requests.milliseconds.p50.toFixed(2)} ms`],
    ["99 of 100 took up to", `${requests.milliseconds.p99.toFixed(2)} ms`],
    ["Searches running", searches.running],
    ["Searches waiting", searches.waiting],
    ["Streams", requests.openStreams],
    ["Typing sessions", status.typingSessions],
    ["Running for", `${count(requests.uptimeSeconds)} s`],
  ]);
  id("summary").textContent = "";
}

async function refresh() {
  try {
    if (!document.hidden) show(await ask("/v1/status"));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return askForToken(refresh);
    id("summary").textContent = error instanceof Problem ? error.message : "The server does not answer.";
  }
  setTimeout(refresh, 2000);
}

refresh();
