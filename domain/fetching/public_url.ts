/** The longest address that is fetched, in characters. */
const URL_LENGTH_MAX = 512;

/**
 * Names that mean another machine on every network, or none at all: those of
 * RFC 6761 and 7686 that no public name server answers for.
 */
const LOCAL_DOMAINS =
  /(?:^|\.)(?:localhost|local|internal|home\.arpa|test|invalid|onion)$/;

/** At least two labels, and a last one that is no number: never an address. */
const PUBLIC_HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/;

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The name itself has 253 characters at most, and a port five digits. Parsers drop
 * tabs and line ends, and then look for the host behind the next slash.
 */
const SHORT_HOST = /^https?:\/\/[^/\\?#\t\n\r]{1,320}(?:[/\\?#]|$)/i;

/**
 * Whether an address of the web has a host that may be read. Parsers write what is
 * not ASCII in it another way, which takes time that grows with the square of a
 * label: one of a thousand letters takes as long as a whole request.
 */
export function hasShortHost(text: string): boolean {
  return SHORT_HOST.test(text);
}

/**
 * Reads an address that a stranger named: https, a public host name, a path, no
 * user, no fragment, no dot segments. The text itself is judged, since parsers
 * repair what is wrong with it; what they would write differently is refused.
 * With `allowLoopback`, http on this machine too.
 */
export function readPublicUrl(
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): URL | null {
  if (text.length > URL_LENGTH_MAX || !/^https?:\/\/[!-~]+$/.test(text)) {
    return null;
  }
  if (/[\\#]/.test(text) || hasDotSegment(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.href !== text) return null;
  if (url.username !== "" || url.password !== "") return null;
  if (url.protocol === "http:") {
    return allowLoopback && LOOPBACK_HOST.test(url.hostname) ? url : null;
  }
  return isPublicHost(url.hostname) ? url : null;
}

/** Whether a host, as `URL` writes it, is a public name and no address. */
export function isPublicHost(host: string): boolean {
  return host.length <= 253 && PUBLIC_HOST.test(host) &&
    !LOCAL_DOMAINS.test(host);
}

/** `.` and `..` as a whole segment of the path, however they are written. */
function hasDotSegment(text: string): boolean {
  const [path = ""] = text.slice(text.indexOf("//") + 2).split("?", 1);
  return path.split("/").slice(1)
    .some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
