import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { KvLike } from "../../kv/kv_like.ts";
import { openKv } from "../../kv/open.ts";
import { freePort } from "../support/free_port.ts";
import { rawRequest, readUntil, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";

/** A store that answers no read before the gate is open. */
function behind(gate: Promise<void>, kv: KvLike): KvLike {
  return {
    ...kv,
    get: async (...asked) => {
      await gate;
      return await kv.get(...asked);
    },
    getMany: async (keys) => {
      await gate;
      return await kv.getMany(keys);
    },
  };
}

/** A service whose start waits for its store. */
class StartingService implements AsyncDisposable {
  readonly port = freePort();
  readonly #gate = Promise.withResolvers<void>();
  readonly #kv: KvLike;
  #started: Promise<RunningService> | null = null;

  constructor(kv: KvLike) {
    this.#kv = kv;
  }

  listen(): void {
    this.#started = runService({
      env: { BASE_URL: `http://localhost:${this.port}` },
      kv: behind(this.#gate.promise, this.#kv),
    });
  }

  async goOn(): Promise<void> {
    this.#gate.resolve();
    await this.#started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gate.resolve();
    await (await this.#started)?.[Symbol.asyncDispose]();
  }
}

/** Sends a request; the listeners have it before what is sent after it. */
async function asks(port: number, target: string): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const request = rawRequest(target, [`Host: localhost:${port}`]);
  await connection.write(new TextEncoder().encode(request));
  assertStringIncludes(await sendRaw(port, "no request\r\n\r\n"), " 400 ");
  return connection;
}

Deno.test("who asks while the service starts is answered once it has, in the shape of its surface", async () => {
  await using starting = new StartingService(await openKv(":memory:"));
  starting.listen();
  using question = await asks(starting.port, "/ask?query=lamp");
  using read = await asks(starting.port, "/api/v1/spotlights/1999-01-01");
  await starting.goOn();
  const answer = await readUntil(question, "response_type");
  assertStringIncludes(answer, "content-type: application/json");
  assertStringIncludes(answer, "access-control-allow-origin: *");
  const problem = await readUntil(read, "spotlight-not-found");
  assertEquals(problem.split(" ")[1], "404");
});

Deno.test("development listens on loopback only, with PORT too", async () => {
  for (const PORT of ["", "0"]) {
    await using running = await runService({ env: { PORT } });
    const port = +new URL(running.config.settings.baseUrl).port;
    const answers = async (hostname: string) => {
      using _connection = await Deno.connect({ hostname, port });
    };
    await answers("127.0.0.1");
    // A listener on every interface would answer at this address as well.
    await assertRejects(() => answers("127.0.0.2"));
  }
});
