/** What a server is asked for a while. */
export interface Load {
  port: number;
  host: string;
  path: string;
  /** Asked for in turns instead of the one path, where there are several. */
  paths?: readonly string[];
  /** So many client addresses take turns in X-Forwarded-For, from this one. */
  addresses: number;
  firstAddress: number;
  /** The first two bytes of the addresses; {@linkcode NETWORK} if left out. */
  network?: string;
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** What is sent, in ASCII and on one line; the request is a GET without it. */
  body?: string;
  /** Kept alive, one request at a time on each. */
  connections: number;
  seconds: number;
}

/** What came back. */
export interface LoadResult {
  /** Answers with a status below 400. */
  served: number;
  /** Answers with a status of 400 and above. */
  refused: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Something that asks. */
export interface Generator {
  /** Its name and version, for the report. */
  name: string;
  run(load: Load): Promise<LoadResult>;
}

/** The network of client addresses where none is named. */
export const NETWORK = "10.7";

/** The nth client address, IPv4, all different up to 65,536. */
export function addressOf(n: number, network: string = NETWORK): string {
  return `${network}.${n >> 8 & 255}.${n & 255}`;
}

/** The texts of a load's requests, one for each address and path at least. */
export function requestTexts(load: Load): string[] {
  const { host, addresses, firstAddress, network, body = "" } = load;
  const paths = load.paths ?? [load.path];
  const method = load.body === undefined ? "GET" : "POST";
  const length = body === "" ? {} : { "Content-Length": body.length };
  const further = Object.entries({ ...load.headers, ...length })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Array.from(
    { length: Math.max(addresses, paths.length) },
    (_, n) =>
      `${method} ${paths[n % paths.length]} HTTP/1.1\r\nHost: ${host}\r\n` +
      `X-Forwarded-For: ${
        addressOf(firstAddress + n % addresses, network)
      }\r\n` +
      `${further}\r\n${body}`,
  );
}
