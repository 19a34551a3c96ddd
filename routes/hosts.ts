/**
 * Which host a request is for, decided on the text of Host, `:authority` and the
 * request target alone: a hostile Host makes `new URL` throw, so nothing parses
 * an address before this has.
 *
 * @module
 */
import type { Settings } from "../domain/ports.ts";

/** The three hosts: `{base_url}`, `{auth_url}` and `{docs_mcp_url}`. */
export type HostKind = "site" | "auth" | "docs_mcp";

/** The hosts in the order of contract §1.2. */
export const HOST_KINDS: readonly HostKind[] = ["site", "auth", "docs_mcp"];

/** The values of Host that name a host, with and without a default port. */
export type HostNames = ReadonlyMap<string, HostKind>;

type Addresses = Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">;

/** The address of each host. */
export function addressesOf(settings: Addresses): Record<HostKind, URL> {
  return {
    site: new URL(settings.baseUrl),
    auth: new URL(settings.authUrl),
    docs_mcp: new URL(settings.docsMcpUrl),
  };
}

/** The values of Host that each host is known by. */
export function hostNames(settings: Addresses): HostNames {
  const addresses = addressesOf(settings);
  return new Map(HOST_KINDS.flatMap((kind) => {
    const { host, port, protocol } = addresses[kind];
    const defaultPort = protocol === "https:" ? 443 : 80;
    const names = port === "" ? [host, `${host}:${defaultPort}`] : [host];
    return names.map((name): [string, HostKind] => [name, kind]);
  }));
}

/**
 * The host a request is for; null when it names none of ours, or when Host and
 * the address, of the request target or `:authority`, name two (RFC 9112
 * §3.2.2, RFC 9113 §8.3.1).
 */
export function hostOf(request: Request, names: HostNames): HostKind | null {
  const name = authorityOf(request);
  if (name === null) return null;
  const kind = names.get(name) ?? names.get(name.toLowerCase());
  if (kind === undefined) return null;
  if (isBelow(request.url, name)) return kind;
  const target = targetAuthority(request.url);
  return names.get(target?.toLowerCase() ?? "") === kind ? kind : null;
}

/**
 * The host that a request names: in Host or, over HTTP/2, in `:authority`,
 * which Deno puts into the address. Where a request has neither, Deno puts the
 * listener's own address there, `localhost:PORT`, which is a name of ours in
 * development alone.
 */
export function authorityOf(request: Request): string | null {
  return request.headers.get("host") ?? targetAuthority(request.url);
}

function targetAuthority(url: string): string | null {
  return /^https?:\/\/([^/?#]*)\//i.exec(url)?.[1] ?? null;
}

/** The path of a request whose Host may be anything at all. */
export function pathOf(request: Request): string {
  const { url } = request;
  const name = request.headers.get("host");
  const start = name !== null && isBelow(url, name)
    ? SCHEME.length + name.length
    : url.indexOf("/", url.indexOf("://") + "://".length);
  if (start < 0) return "";
  const query = url.indexOf("?", start);
  return query < 0 ? url.slice(start) : url.slice(start, query);
}

/** What the server puts before Host and the target of an ordinary request. */
const SCHEME = "http://";

function isBelow(url: string, name: string): boolean {
  return url.startsWith(name, SCHEME.length) && url.startsWith(SCHEME) &&
    url[SCHEME.length + name.length] === "/";
}
