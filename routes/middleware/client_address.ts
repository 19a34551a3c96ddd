import { networksOf, widestOf } from "../../domain/rate_limit/network.ts";

/** What is known of where a request came from. */
export interface RequestOrigin {
  /** The address of the socket's other end, without the port. */
  remoteAddress: string;
  /** The X-Forwarded-For header; several are joined by commas. */
  forwardedFor: string | null | undefined;
  /** Right-most X-Forwarded-For entries that our own proxies wrote. */
  trustedProxyHops: number;
}

/** Requests of which no address is known share one bucket. */
export const UNKNOWN_ADDRESS = "unknown";

/** The longest text of one address, port and brackets included. */
const ADDRESS_MAX = 64;

/**
 * Names the client whose bucket a request draws on: its IPv4 address, or the
 * /64 of its IPv6 address, since one subscriber has that many to choose from.
 *
 * X-Forwarded-For is believed only as far as our own proxies wrote it. With n
 * of them the client is the n-th entry from the right; whatever stands left of
 * it is the client's own invention. A list that is shorter, or an entry that
 * is no address, did not come through our proxies, and the socket decides.
 */
export function clientAddress(origin: RequestOrigin): string {
  const { remoteAddress, forwardedFor, trustedProxyHops } = origin;
  if (trustedProxyHops > 0 && forwardedFor) {
    const entry = entryFromRight(forwardedFor, trustedProxyHops);
    const client = entry === null ? null : addressBucket(entry);
    if (client !== null) return client;
  }
  return addressBucket(remoteAddress) ?? UNKNOWN_ADDRESS;
}

/** The IPv4 address or IPv6 /48 that what a client keeps is counted for. */
export function clientNetwork(origin: RequestOrigin): string {
  return widestOf(networksOf(clientAddress(origin)));
}

/** The n-th entry from the right, counted from 1, without its surroundings. */
function entryFromRight(list: string, n: number): string | null {
  let end = list.length;
  for (let left = n - 1; left > 0; left--) {
    end = list.lastIndexOf(",", end - 1);
    if (end <= 0) return null;
  }
  const entry = list.slice(list.lastIndexOf(",", end - 1) + 1, end);
  return entry.length > ADDRESS_MAX ? null : entry.trim();
}

/**
 * The IPv4 address or IPv6 /64 a text names, in one spelling; `null` when it
 * names neither. Accepts a port, brackets and a zone, as proxies write them.
 */
export function addressBucket(text: string): string | null {
  const bare = withoutPort(text);
  if (bare === null) return null;
  // Its one spelling is the one it came in.
  if (!bare.includes(":")) return IPV4.test(bare) ? bare : null;
  const groups = ipv6Groups(bare);
  if (groups === null) return null;
  const mapped = groups.slice(0, 5).every((group) => group === 0) &&
    groups[5] === 0xffff;
  if (mapped) {
    return groups.slice(6).flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  return `${groups.slice(0, 4).map((g) => g.toString(16)).join(":")}::/64`;
}

function withoutPort(text: string): string | null {
  if (text.startsWith("[")) {
    return /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? null;
  }
  const colon = text.indexOf(":");
  if (colon === -1 || text.includes(":", colon + 1)) return text;
  return /^\d{1,5}$/.test(text.slice(colon + 1)) ? text.slice(0, colon) : null;
}

/** Leading zeros are refused: some read them as octal, some do not. */
const IPV4 = /^(?:(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])(?:\.(?=\d)|$)){4}$/;

function ipv4Octets(text: string): number[] | null {
  return IPV4.test(text) ? text.split(".").map(Number) : null;
}

function ipv6Groups(text: string): number[] | null {
  const halves = (text.split("%", 1)[0] ?? "").split("::");
  const [head, tail] = halves;
  if (head === undefined || halves.length > 2) return null;
  const left = groupsOf(head, tail === undefined);
  if (tail === undefined) return left?.length === 8 ? left : null;
  const right = groupsOf(tail, true);
  if (left === null || right === null) return null;
  const missing = 8 - left.length - right.length;
  return missing < 1
    ? null
    : [...left, ...new Array<number>(missing).fill(0), ...right];
}

/** Groups between colons; the last may be an IPv4 address if `isEnd`. */
function groupsOf(text: string, isEnd: boolean): number[] | null {
  if (text === "") return [];
  const groups: number[] = [];
  const parts = text.split(":");
  for (const [at, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(parseInt(part, 16));
      continue;
    }
    const octets = isEnd && at === parts.length - 1 ? ipv4Octets(part) : null;
    if (octets === null) return null;
    const [a = 0, b = 0, c = 0, d = 0] = octets;
    groups.push(a << 8 | b, c << 8 | d);
  }
  return groups;
}
