import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { CapturedProcess, runProcess } from "../support/captured_process.ts";
import { ECHO_MS, stopHandler } from "../../app/serve.ts";
import { freePort } from "../support/free_port.ts";
import { readUntil } from "../support/raw_http.ts";

const FIXTURE = new URL("../support/slow_service.ts", import.meta.url).pathname;
const MAIN = new URL("../../main.ts", import.meta.url).pathname;
/** A process that has not ended by then never will. */
const DEADLINE_MS = 30_000;

/** A process of the service with a folder of its own. */
class Running implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: CapturedProcess;
  readonly #deadline: ReturnType<typeof setTimeout>;
  port = 0;

  private constructor(folder: string, graceMs: number) {
    this.#folder = folder;
    this.#process = new CapturedProcess({
      args: ["run", "-A", FIXTURE, folder, String(graceMs)],
    });
    const kill = () => this.#process.kill("SIGKILL");
    this.#deadline = setTimeout(kill, DEADLINE_MS);
  }

  static async start(graceMs: number): Promise<Running> {
    const running = new Running(await Deno.makeTempDir(), graceMs);
    const address = await running.#process.line((line) =>
      line.startsWith("http:")
    );
    running.port = +new URL(address).port;
    return running;
  }

  signal(signal: Deno.Signal = "SIGTERM"): void {
    this.#process.kill(signal);
  }

  /** The exit code and everything logged, once the process has ended. */
  async ended(): Promise<{ code: number; log: string }> {
    const { code, stdout } = await this.#process.ended;
    clearTimeout(this.#deadline);
    return { code, log: stdout };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#deadline);
    await this.#process[Symbol.asyncDispose]();
    await Deno.remove(this.#folder, { recursive: true });
  }

  async ask(request: string): Promise<Deno.TcpConn> {
    const connection = await Deno.connect({ port: this.port });
    await write(connection, request.replaceAll("\n", "\r\n"));
    return connection;
  }

  get hostLine(): string {
    return `Host: localhost:${this.port}`;
  }
}

async function write(connection: Deno.Conn, text: string): Promise<void> {
  await connection.write(new TextEncoder().encode(text));
}

/** A request that is being handled and waits for the rest of its body. */
async function askHalf(running: Running): Promise<Deno.TcpConn> {
  const connection = await running.ask(
    `POST /echo HTTP/1.1\n${running.hostLine}\nContent-Length: 8\n\nhalf`,
  );
  // A second request that is answered proves that the first is being handled.
  using other = await running.ask(
    `GET /healthz HTTP/1.1\n${running.hostLine}\n\n`,
  );
  await readUntil(other, "ok");
  return connection;
}

/** Asks until the service takes no more requests. */
async function takesNoMore(running: Running): Promise<void> {
  for (;;) {
    try {
      using connection = await running.ask(
        `GET /healthz HTTP/1.1\n${running.hostLine}\n\n`,
      );
      const answer = await readUntil(connection, "\r\n\r\n");
      if (!answer.includes("200 OK")) return;
    } catch {
      return;
    }
  }
}

Deno.test("SIGTERM lets a request in flight finish and exits with 0", async () => {
  await using running = await Running.start(10_000);
  using connection = await askHalf(running);
  running.signal();
  await takesNoMore(running);
  await write(connection, "done");
  const answer = await readUntil(connection, "halfdone");
  assertStringIncludes(answer, "HTTP/1.1 200 OK");
  const { code, log } = await running.ended();
  assertEquals(code, 0);
  assertStringIncludes(log, '"event":"stopped"');
  assertStringIncludes(log, '"route":"/echo"');
});

/** What comes too late, the shape of its surface's errors, and their code. */
const LATE: [request: string, type: string, says: string][] = [
  [
    "POST /checkout_sessions",
    "application/json",
    '"code":"service_unavailable"',
  ],
  [
    "POST /checkout_sessions/cs_0/complete",
    "application/json",
    '"code":"service_unavailable"',
  ],
  ["GET /api/v1/spotlight", "application/problem+json", "temporarily-unavail"],
  ["GET /ask?query=a", "application/json", '"response_type":"failure"'],
  ["GET /billing", "text/html", "</html>"],
];

Deno.test("after SIGTERM what comes too late is answered 503 in the shape of its surface, with Retry-After", async () => {
  await using running = await Running.start(10_000);
  using connection = await askHalf(running);
  running.signal();
  await takesNoMore(running);
  for (const [request, type, says] of LATE) {
    using late = await running.ask(
      `${request} HTTP/1.1\n${running.hostLine}\nContent-Length: 0\n\n`,
    );
    const answer = await readUntil(late, says);
    assertStringIncludes(answer, "HTTP/1.1 503");
    assertStringIncludes(answer, `content-type: ${type}`);
    assertMatch(answer, /^retry-after: [1-9]/m);
    assertStringIncludes(answer, "connection: close");
  }
  await write(connection, "done");
  await readUntil(connection, "halfdone");
  assertEquals((await running.ended()).code, 0);
});

Deno.test("SIGTERM ends open streams", async () => {
  await using running = await Running.start(10_000);
  using stream = await running.ask(
    `GET /stream HTTP/1.1\n${running.hostLine}\n\n`,
  );
  await readUntil(stream, "open");
  running.signal();
  assertEquals(await readUntil(stream, "never"), "0\r\n\r\n");
  assertEquals((await running.ended()).code, 0);
});

Deno.test("SIGTERM cuts what is still open after the grace", async () => {
  await using running = await Running.start(50);
  using stuck = await running.ask(
    `GET /stuck HTTP/1.1\n${running.hostLine}\n\n`,
  );
  await readUntil(stuck, "open");
  running.signal();
  const { code, log } = await running.ended();
  assertEquals(code, 0);
  assertStringIncludes(log, '"event":"stopped"');
});

Deno.test("SIGTERM cuts a request that does not finish in the grace", async () => {
  await using running = await Running.start(50);
  using connection = await askHalf(running);
  running.signal();
  assertEquals((await running.ended()).code, 0);
  connection.closeWrite();
});

Deno.test("a signal after the first ends the process at once, but for its echo within a second", () => {
  const ends: number[] = [];
  let stops = 0;
  let nowMs = 5;
  const handler = () => {
    stops = 0;
    nowMs = 5;
    ends.length = 0;
    const stop = () => {
      stops++;
      return new Promise<void>(() => {});
    };
    return stopHandler(stop, (code) => ends.push(code), () => nowMs);
  };
  const onTerm = handler();
  onTerm("SIGTERM");
  nowMs += ECHO_MS - 1;
  onTerm("SIGTERM");
  assertEquals([stops, ends], [1, []]);
  nowMs += 1;
  onTerm("SIGTERM");
  assertEquals([stops, ends], [1, [1]]);
  // Another signal is nobody's echo.
  const onInterrupt = handler();
  onInterrupt("SIGINT");
  onInterrupt("SIGTERM");
  assertEquals([stops, ends], [1, [1]]);
});

Deno.test("another signal than the first exits at once", async () => {
  await using running = await Running.start(60_000);
  using stuck = await running.ask(
    `GET /stuck HTTP/1.1\n${running.hostLine}\n\n`,
  );
  await readUntil(stuck, "open");
  running.signal();
  await takesNoMore(running);
  running.signal("SIGINT");
  assertEquals((await running.ended()).code, 1);
});

/** Sends a signal to every process of a group, as a service manager does. */
async function signalGroup(leader: number, signal: string): Promise<void> {
  const args = [`-${signal}`, "--", `-${leader}`];
  assertEquals((await runProcess({ command: "kill", args })).code, 0);
}

for (const signal of ["TERM", "INT"]) {
  Deno.test(`SIG${signal} to the whole process group of the start task lets a request in flight finish`, async () => {
    const folder = await Deno.makeTempDir();
    const port = freePort();
    // A group of its own, whose leader has the id of the process.
    await using task = new CapturedProcess({
      command: "setsid",
      args: [Deno.execPath(), "task", "start"],
      cwd: new URL("../..", import.meta.url).pathname,
      env: {
        ENVIRONMENT: "development",
        DATA_DIR: folder,
        BASE_URL: `http://localhost:${port}`,
        AUTH_URL: "http://localhost:0",
        DOCS_MCP_URL: "http://localhost:0/mcp",
      },
    });
    await task.line((line) => line.includes('"event":"started"'));
    using connection = await Deno.connect({ port });
    const half = '{"query":';
    await write(
      connection,
      `POST /ask HTTP/1.1\r\nHost: localhost:${port}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 16\r\n" +
        "Expect: 100-continue\r\n\r\n",
    );
    // Sent by the server once the body is being read.
    await readUntil(connection, "100 Continue\r\n\r\n");
    await write(connection, half);
    // Both are there when it goes on: of a body a stop waits a second for the rest.
    await signalGroup(task.pid, "STOP");
    await signalGroup(task.pid, signal);
    await write(connection, '"lamp"}');
    await signalGroup(task.pid, "CONT");
    assertStringIncludes(
      await readUntil(connection, "conversational_search"),
      "HTTP/1.1 200 OK",
    );
    const { code, stdout } = await task.ended;
    assertEquals(code, 0);
    assertStringIncludes(stdout, '"event":"stopped"');
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("main.ts names a bad value of the environment and exits with 1", async () => {
  const { code, stderr } = await runProcess({
    args: ["run", "-A", MAIN],
    env: {
      ENVIRONMENT: "development",
      AUCTION_CLOSES_AT: "25:00",
      SECRETS: "k".repeat(32),
    },
  });
  assertEquals(code, 1);
  assertEquals(
    stderr,
    "Cannot start: AUCTION_CLOSES_AT must be a time written HH:MM, " +
      'current value is "25:00"\n',
  );
});

Deno.test("main.ts names a port that is taken and exits with 1", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const folder = await Deno.makeTempDir();
  const { code, stderr } = await runProcess({
    args: ["run", "-A", MAIN],
    env: {
      ENVIRONMENT: "development",
      DATA_DIR: folder,
      BASE_URL: `http://localhost:${listener.addr.port}`,
    },
  });
  listener.close();
  await Deno.remove(folder, { recursive: true });
  assertEquals(code, 1);
  assertEquals(
    stderr,
    `Cannot start: port ${listener.addr.port} is taken, perhaps by a service ` +
      "that runs already\n",
  );
});

Deno.test("main.ts does not start without ENVIRONMENT, and says so in one sentence", async () => {
  const { code, stdout, stderr } = await runProcess({
    args: ["run", "-A", MAIN],
    env: { ENVIRONMENT: "" },
  });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(
    stderr,
    "Cannot start: ENVIRONMENT must be one of development, preview, " +
      "production, it is not set\n",
  );
});

Deno.test("main.ts names DATA_DIR when it is no folder, without a stack", async () => {
  const file = await Deno.makeTempFile();
  for (const folder of [file, `${file}/data`, "/proc/nope"]) {
    const { code, stdout, stderr } = await runProcess({
      args: ["run", "-A", MAIN],
      env: { ENVIRONMENT: "development", DATA_DIR: folder },
    });
    assertEquals([code, stdout], [1, ""]);
    assertMatch(
      stderr,
      /^Cannot start: DATA_DIR must be a folder that the service can write to, .* cannot be used: .*\n$/,
    );
    assertStringIncludes(stderr, JSON.stringify(folder));
  }
  await Deno.remove(file);
});

Deno.test("main.ts names DATA_DIR when its store is none, without a stack", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/spotlight.sqlite3`,
    "no store ".repeat(99),
  );
  const { code, stderr } = await runProcess({
    args: ["run", "-A", MAIN],
    env: {
      ENVIRONMENT: "development",
      DATA_DIR: folder,
      BASE_URL: "http://localhost:0",
      AUTH_URL: "http://localhost:0",
      DOCS_MCP_URL: "http://localhost:0/mcp",
    },
  });
  await Deno.remove(folder, { recursive: true });
  assertEquals(code, 1);
  assertMatch(
    stderr,
    /^Cannot start: the store that DATA_DIR names cannot be opened: .*\n$/,
  );
});
