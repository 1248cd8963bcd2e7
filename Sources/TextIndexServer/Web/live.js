// Follows how the answer to a search changes. What makes lists of differences knows nothing of the
// page.
import { Problem, authorization, target } from "/client.js";

const shortest = 500;
const longest = 10_000;

/** What tells objects apart; identifiers that are no text have the same text sometimes. */
export const identity = (hit) => hit.idBytes ?? hit.id;

/** The hits after a difference. */
export function applied(hits, { removed, moved, inserted, updated }) {
  const gone = new Set([...removed, ...moved].map((one) => one.oldRank));
  const list = hits.filter((_, rank) => !gone.has(rank));
  const placed = [
    ...inserted.map((hit) => [hit.rank, hit]), ...moved.map((one) => [one.rank, hits[one.oldRank]]),
  ].sort(([a], [b]) => a - b);
  for (const [rank, hit] of placed) list.splice(rank, 0, hit);
  const fresh = new Map(updated.map((hit) => [identity(hit), hit]));
  return list.map((hit) => fresh.get(identity(hit)) ?? hit);
}

/**
 * Calls `show` with the hits and the last difference, until `signal` says to stop. A stream that
 * breaks is begun anew, later and later; meanwhile `wait` is called. What the server will never
 * answer is thrown.
 */
export async function follow(parameters, kept, signal, { show, wait }) {
  let pause = shortest;
  while (!signal.aborted) {
    try {
      // Each stream begins with the whole answer.
      let hits = [];
      for await (const difference of differences(target("/v1/watch", parameters, kept), signal)) {
        if (signal.aborted) return;
        hits = applied(hits, difference);
        pause = shortest;
        show(hits, difference);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
    }
    if (signal.aborted) return;
    wait();
    await sleep(pause, signal);
    pause = Math.min(pause * 2, longest);
  }
}

/** The differences of one stream. EventSource could not send the token. */
async function* differences(path, signal) {
  const response = await fetch(path, {
    headers: { Accept: "text/event-stream", ...authorization() }, signal, credentials: "omit", redirect: "error",
    cache: "no-store",
  });
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => null));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const data = event.split("\n").filter((line) => line.startsWith("data: "));
      if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(6)).join("\n"));
    }
  }
}

function sleep(milliseconds, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      done();
    }, { once: true });
  });
}
