import { DataPath } from "./data_path.ts";
import { Cut, Faults, OutOfService, sleep } from "./faults.ts";
import { Relay } from "./relay.ts";
import { Rows } from "./rows.ts";
import type { Settings } from "./settings.ts";
import { steer } from "./steering.ts";
import { type Call, Trace } from "./trace.ts";
import { Watches } from "./watches.ts";
import { type Bytes, Misuse, NOTHING } from "./wire.ts";

/** How a server is started. */
export interface KvConnectOptions extends Partial<Settings> {
  /** Any free one by default. */
  port?: number;
  /** A file for the database at "/"; memory without one. */
  file?: string;
  /** The access tokens it takes; each is the name of a client. */
  tokens?: readonly string[];
  /** PEM texts: https instead of http. */
  cert?: string;
  key?: string;
  /** From 0 up to 1; decides which calls meet a fault. */
  random?: () => number;
  /** Without a relay, which takes its time too: nothing can be cut. */
  direct?: boolean;
}

/** The token that a server takes when it is given none. */
export const TEST_TOKEN = "kv-connect-test-token";

const LOOPBACK = "127.0.0.1";
const DATABASE_ID = "00000000-0000-0000-0000-000000000000";
const DATA_PATH = /^(.*)\/v2\/(\w+)$/;
const STEERING = "/_test/";
/** Rows that have expired are read until they are swept, as denokv's are. */
const SWEEP_MS = 60_000;
const DAY_MS = 86_400_000;

/** Starts a server; it answers as soon as this returns. */
export function startKvConnect(options: KvConnectOptions = {}): KvConnect {
  return new KvConnect(options);
}

/** A server that `Deno.openKv(url)` can talk to. */
export class KvConnect implements AsyncDisposable {
  readonly #faults: Faults;
  readonly #trace = new Trace();
  readonly #watches: Watches;
  readonly #dataPath: DataPath;
  readonly #databases = new Map<string, Rows>();
  readonly #tokens: ReadonlySet<string>;
  readonly #scheme: "http" | "https";
  /** HTTP is left to Deno; the relay before it can cut connections. */
  readonly #http: Deno.HttpServer<Deno.NetAddr>;
  readonly #relay: Relay | null;
  readonly #sweeper: ReturnType<typeof setInterval>;

  constructor(options: KvConnectOptions) {
    const { port = 0, file, tokens, cert, key, random, ...more } = options;
    const { direct = false, ...settings } = more;
    const faults = this.#faults = new Faults(settings, random ?? Math.random);
    this.#watches = new Watches(() => faults.settings.watch !== "on");
    this.#dataPath = new DataPath(faults, this.#trace, this.#watches);
    this.#databases.set("", new Rows(file ?? ":memory:"));
    this.#tokens = new Set(tokens ?? [TEST_TOKEN]);
    const tls = cert !== undefined && key !== undefined ? { cert, key } : null;
    this.#scheme = tls === null ? "http" : "https";
    this.#http = Deno.serve(
      { port: direct ? port : 0, hostname: LOOPBACK, onListen() {}, ...tls },
      (request, info) => this.#answer(request, info.remoteAddr.port),
    );
    this.#relay = direct ? null : new Relay(
      { port, hostname: LOOPBACK },
      this.#http.addr.port,
      () => faults.settings.quickAck && tls === null,
    );
    this.#sweeper = setInterval(() => this.sweep(Date.now()), SWEEP_MS);
    Deno.unrefTimer(Number(this.#sweeper));
  }

  /** What `Deno.openKv()` takes; a path after it is a database of its own. */
  get url(): string {
    // Certificates name hosts; and localhost may be ::1 first.
    const host = this.#scheme === "https" ? "localhost" : LOOPBACK;
    const { port } = this.#relay ?? this.#http.addr;
    return `${this.#scheme}://${host}:${port}`;
  }

  /** The settings as they are now. */
  get settings(): Readonly<Settings> {
    return this.#faults.settings;
  }

  /** The calls so far, oldest first. */
  get trace(): readonly Call[] {
    return this.#trace.calls;
  }

  /** Changes settings. */
  change(changes: Partial<Settings>): void {
    this.#faults.change(changes);
  }

  /** Cuts every connection that is open, and what is under way on it. */
  cut(): void {
    this.#relay?.cutAll();
  }

  /** Removes the rows that have expired by then. */
  sweep(nowMs: number): void {
    for (const rows of this.#databases.values()) {
      this.#watches.push(rows, rows.sweep(nowMs));
    }
  }

  /** Ends every call, and the rows in memory. */
  async stop(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#faults.end();
    this.#watches.end();
    this.#relay?.stop();
    await this.#http.shutdown();
    for (const rows of this.#databases.values()) rows.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #answer(request: Request, fromPort: number): Promise<Response> {
    try {
      const body = request.body === null ? NOTHING : await request.bytes();
      return await this.#route(request, body);
    } catch (error) {
      if (error instanceof Cut) {
        this.#relay?.cut(fromPort);
        // Nobody hears it.
        return failed(503, error.message);
      }
      if (error instanceof OutOfService) return failed(503, error.message);
      if (error instanceof Misuse) return failed(400, error.message);
      return failed(500, String(error));
    }
  }

  async #route(request: Request, body: Bytes): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith(STEERING)) {
      const what = pathname.slice(STEERING.length);
      return steer(this.#steered(), what, searchParams, body);
    }
    if (request.method !== "POST") return failed(404, "Resource not found.");
    const [, database = "", method] = DATA_PATH.exec(pathname) ?? [];
    if (method === undefined) {
      return await this.#metadata(request, pathname.replace(/\/$/, ""), body);
    }
    const client = this.#clientOf(request);
    if (client === null) return failed(401, "Invalid access token.");
    if (request.headers.get("x-denokv-database-id") !== DATABASE_ID) {
      return failed(400, "Invalid database id.");
    }
    const rows = this.#rowsOf(database);
    return await this.#dataPath.answer({ rows, method, client }, body);
  }

  #steered(): Parameters<typeof steer>[0] {
    return {
      faults: this.#faults,
      trace: this.#trace,
      cut: () => this.cut(),
      gauges: () => ({
        watchers: this.#watches.size,
        connections: this.#relay?.size ?? 0,
        rows: this.#rowsOf("").count,
      }),
    };
  }

  #clientOf({ headers }: Request): string | null {
    const [, token] =
      /^bearer (.*)$/i.exec(headers.get("authorization") ?? "") ?? [];
    return token !== undefined && this.#tokens.has(token) ? token : null;
  }

  #rowsOf(database: string): Rows {
    const rows = this.#databases.get(database) ?? new Rows(":memory:");
    this.#databases.set(database, rows);
    return rows;
  }

  /** What a client asks first: who it is taken for, and where the data is. */
  async #metadata(
    request: Request,
    database: string,
    body: Bytes,
  ): Promise<Response> {
    const halfMs = this.#faults.timeOf(this.settings.readMs) / 2;
    await this.#faults.arrive(halfMs);
    const token = this.#clientOf(request);
    if (token === null) return failed(401, "Invalid access token.");
    const asked = JSON.parse(new TextDecoder().decode(body) || "{}");
    const versions: unknown[] = asked.supportedVersions ?? [1];
    const version = [3, 2].find((one) => versions.includes(one));
    if (version === undefined) {
      return failed(400, "The server could not negotiate a protocol version.");
    }
    await sleep(halfMs);
    return Response.json({
      version,
      databaseId: DATABASE_ID,
      endpoints: [{ url: `${database}/v2`, consistency: "strong" }],
      token,
      expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
    });
  }
}

function failed(status: number, text: string): Response {
  return new Response(text, { status });
}
