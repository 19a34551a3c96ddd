/** What befalls the process itself: no descriptors left, a fault that nobody catches. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CapturedProcess } from "../support/captured_process.ts";
import { readUntil } from "../support/raw_http.ts";

const FIXTURE = new URL("../support/slow_service.ts", import.meta.url).pathname;
/** More than the service needs by itself, and soon used up. */
const DESCRIPTORS = 96;
/** A process that has not ended by then never will. */
const DEADLINE_MS = 30_000;

/** The service in a process that may hold few descriptors. */
class Cramped implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: CapturedProcess;
  readonly #deadline: ReturnType<typeof setTimeout>;
  readonly #seen = new Set<string>();
  #port = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    const limited = `ulimit -n ${DESCRIPTORS} && exec "$@"`;
    const run = [Deno.execPath(), "run", "-A", FIXTURE, folder, "5000"];
    this.#process = new CapturedProcess({
      command: "sh",
      args: ["-c", limited, "sh", ...run],
    });
    const kill = () => this.#process.kill("SIGKILL");
    this.#deadline = setTimeout(kill, DEADLINE_MS);
  }

  static async start(): Promise<Cramped> {
    const cramped = new Cramped(await Deno.makeTempDir());
    const address = await cramped.#process.line((line) =>
      line.startsWith("http:")
    );
    cramped.#port = +new URL(address).port;
    return cramped;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#deadline);
    await this.#process[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }

  connect(): Promise<Deno.TcpConn> {
    return Deno.connect({ hostname: "127.0.0.1", port: this.#port });
  }

  /** Connections that say nothing, more than it has descriptors for. */
  async crowd(): Promise<Disposable> {
    const all = await Promise.allSettled(
      Array.from({ length: 2 * DESCRIPTORS }, () => this.connect()),
    );
    return {
      [Symbol.dispose]() {
        for (const each of all) {
          if (each.status === "fulfilled") each.value.close();
        }
      },
    };
  }

  async ask(path: string): Promise<string> {
    using connection = await this.connect();
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${this.#port}` +
      "\r\nConnection: close\r\n\r\n";
    await connection.write(new TextEncoder().encode(request));
    return await readUntil(connection, "\r\n\r\n");
  }

  /** Waits for an event that no wait has answered yet. */
  async next(event: string): Promise<void> {
    this.#seen.add(
      await this.#process.line((line) =>
        line.includes(`"event":"${event}"`) && !this.#seen.has(line)
      ),
    );
  }

  stop(): void {
    this.#process.kill("SIGTERM");
  }

  async ended(): Promise<{ code: number; log: string }> {
    const { code, stdout } = await this.#process.ended;
    return { code, log: stdout };
  }
}

/** The answer once it listens again: each try that fails waits for the next time. */
async function askAgain(service: Cramped): Promise<string> {
  for (;;) {
    const answer = await service.ask("/healthz").catch(() => "");
    if (answer !== "") return answer;
    await service.next("listener.reopened");
  }
}

Deno.test("a service that had no descriptor left for a connection listens again, and stops in order", async () => {
  await using service = await Cramped.start();
  {
    using _crowd = await service.crowd();
    await service.next("listener.lost");
  }
  assertStringIncludes(await askAgain(service), "HTTP/1.1 200 ");
  service.stop();
  const { code, log } = await service.ended();
  assertEquals(code, 0);
  assertStringIncludes(log, "Too many open files");
});

Deno.test("a service that has no descriptor left stops in order, before it listens again", async () => {
  await using service = await Cramped.start();
  using _crowd = await service.crowd();
  await service.next("listener.lost");
  service.stop();
  const { code, log } = await service.ended();
  assertEquals(code, 0);
  assertStringIncludes(log, '"event":"stopped"');
});

Deno.test("a fault that nobody catches is logged and ends the process in order, with 1", async () => {
  await using service = await Cramped.start();
  await service.ask("/fault");
  const { code, log } = await service.ended();
  assertEquals(code, 1);
  const events = [...log.matchAll(/"event":"(\w+)"/g)].map(([, name]) => name);
  assertEquals(events.slice(-3), ["fault", "stopping", "stopped"]);
  assert(log.includes("nobody listens"), log);
});
