/**
 * What a client says it accepts. The protocol wants both types named, and the
 * library takes that by the letter; but a star, or saying nothing, accepts both
 * (RFC 9110 §12.5.1), and is what curl and many HTTP libraries send.
 *
 * @module
 */

const BOTH = "application/json, text/event-stream";

/** The same request, with both types named where all are accepted. */
export function namingBothTypes(request: Request): Request {
  const accept = request.headers.get("accept");
  if (accept !== null && !acceptsAnything(accept)) return request;
  const { url, method, signal } = request;
  const headers = new Headers(request.headers);
  headers.set("accept", BOTH);
  // Its body was read before.
  return new Request(url, { method, headers, signal });
}

function acceptsAnything(accept: string): boolean {
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";");
    return type.trim() === "*/*" &&
      !parameters.some((each) => /^\s*q=0(?:\.0{0,3})?\s*$/i.test(each));
  });
}
