// @ts-check

/** Longest event that is read. */
const EVENT_MAX = 1024 * 1024;

/**
 * The events of a `text/event-stream`, each when it has come whole.
 *
 * @param {Response} answer
 * @param {() => void} came called when anything came
 * @returns {AsyncGenerator<import("./client.d.ts").StreamEvent, void>}
 */
export async function* eventsOf(answer, came) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of answer.body ?? []) {
    came();
    rest += decoder.decode(part, { stream: true });
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop() ?? "";
    if (rest.length > EVENT_MAX) throw new Error("an event is too long");
    for (const text of events) yield eventOf(text);
  }
}

/** @param {string} text */
function eventOf(text) {
  let event = "message";
  const data = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return { event, data: JSON.parse(data.join("\n") || "null") };
}
