/** An event of a stream, as a browser would hand it on. */
export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Reads a stream of events as the HTML standard says (§9.2.6), byte for byte:
 * lines end with CR LF, LF or CR; a colon parts field and value, one space after
 * it is dropped; an empty line hands the event on; what is left over at the end
 * is thrown away. It knows nothing of who wrote the stream.
 */
export function parseEventStream(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let event = "";
  let data: string[] = [];
  for (const line of linesOf(text.replace(/^\uFEFF/, ""))) {
    if (line === "") {
      if (data.length > 0) {
        events.push({ event: event || "message", data: data.join("\n") });
      }
      event = "";
      data = [];
      continue;
    }
    const [field, value] = fieldOf(line);
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return events;
}

/** The lines that have ended. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).slice(0, -1);
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
