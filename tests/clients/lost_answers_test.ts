/** The command line where answers get lost, or never come. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { errorOf, logInToBid, withCli } from "./cli_world.ts";

/** What becomes of the answer to a bid, one after the other; then all arrive. */
type Fate = "lost" | "503" | "silence";

/** What `bid --json` says. */
interface Placed {
  auction: { bidCount: number };
  replayed: boolean;
  stands: boolean | null;
  bid: { amount_cents: number } | null;
}

/** Stands before the agent API and passes requests on, but not every answer. */
class Relay implements AsyncDisposable {
  readonly #authUrl: string;
  readonly #fates: Fate[];
  readonly #server = createServer((request, response) => {
    void this.#pass(request, response);
  });
  bids = 0;

  private constructor(authUrl: string, fates: readonly Fate[]) {
    this.#authUrl = authUrl;
    this.#fates = [...fates];
  }

  static async open(authUrl: string, fates: readonly Fate[]): Promise<Relay> {
    const relay = new Relay(authUrl, fates);
    await new Promise<void>((opened) =>
      relay.#server.listen(0, "127.0.0.1", opened)
    );
    return relay;
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  async #pass(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = "", url = "", headers } = request;
    const isBid = method === "POST" && url === "/v1/agent/bids";
    if (isBid) this.bids++;
    const fate = isBid ? this.#fates.shift() : undefined;
    const parts = await Array.fromAsync(request);
    if (fate === "503") {
      response.writeHead(503, { "retry-after": "0" }).end();
      return;
    }
    const { host: _, connection: __, ...others } = headers;
    const answer = await fetch(this.#authUrl + url, {
      method,
      headers: others as Record<string, string>,
      body: method === "GET" ? null : parts.join(""),
    });
    const text = await answer.text();
    if (fate === "lost") response.destroy();
    if (fate !== undefined) return;
    const told = ["content-type", "idempotent-replayed"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    response.writeHead(answer.status, Object.fromEntries(told)).end(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Puts the relay between the command line and the agent API. */
async function relayed(
  { cli, world }: Parameters<Parameters<typeof withCli>[1]>[0],
  fates: readonly Fate[],
): Promise<Relay> {
  const relay = await Relay.open(world.authUrl, fates);
  const kept = JSON.parse(await Deno.readTextFile(cli.credentials));
  kept.logins[world.baseUrl].authUrl = relay.url;
  await Deno.writeTextFile(cli.credentials, JSON.stringify(kept));
  return relay;
}

withCli(
  "sends a bid again whose answer was lost, and it is one bid",
  async (given) => {
    const { cli } = given;
    const { day, ad_id } = await logInToBid(given);
    await using relay = await relayed(given, ["lost", "503"]);
    const args = ["bid", "--ad", ad_id, "--day", day, "--cents"];
    const { auction, replayed, stands, bid } = await cli.json<Placed>(
      ...[...args, "1000"],
    );
    assertEquals([relay.bids, auction.bidCount], [3, 1]);
    assertEquals([replayed, stands, bid?.amount_cents], [true, true, 1000]);
    // Nobody gave a key, so that no word of one is to be said.
    await using _another = await relayed(given, ["lost"]);
    const { stdout } = await cli.run([...args, "1200"]);
    assertStringIncludes(stdout, "The first try had gone through");
    assertStringIncludes(stdout, "It still stands");
    assert(!stdout.includes("key"), stdout);
  },
);

withCli(
  "ends with 5 while nobody knows of a bid, and says how to go on",
  async (given) => {
    const { cli } = given;
    const { day, ad_id } = await logInToBid(given);
    await using relay = await relayed(given, ["503", "503", "503", "503"]);
    const args = ["bid", "--ad", ad_id, "--day", day, "--cents", "1000"];
    const open = await cli.run([...args, "--json"]);
    assertEquals([open.code, errorOf(open).code], [5, "uncertain"]);
    const [, again = ""] = errorOf(open).advice.split(`: ${cli.command} `);
    const { code, stdout } = await cli.run(again.split(" "));
    assertEquals([code, relay.bids], [0, 5]);
    assertStringIncludes(stdout, `Your bid of EUR 10.00 on ${day} stands`);
  },
);

withCli("waits no longer for an answer than it is told", async (given) => {
  const { cli } = given;
  const { day, ad_id } = await logInToBid(given);
  const silent: Fate[] = ["silence", "silence", "silence", "silence"];
  await using _relay = await relayed(given, silent);
  const args = ["bid", "--ad", ad_id, "--day", day, "--cents", "1000"];
  const late = await cli.run([...args, "--time-limit", "1"]);
  assertEquals(late.code, 5);
  assertStringIncludes(late.stderr, "in time");
});

withCli(
  "says in a sentence what was wrong, and what to do",
  async ({ cli }) => {
    const nowhere = await cli.run(["ask", "a", "--url", "http://127.0.0.1:9"]);
    assertEquals(nowhere.code, 4);
    assertStringIncludes(nowhere.stderr, "Cannot reach http://127.0.0.1:9");
    const inTheClear = await cli.run([
      "me",
      "--url",
      "http://spotlight.example",
    ]);
    assertEquals(inTheClear.code, 2);
    assertStringIncludes(inTheClear.stderr, "It has to begin with https://");
    for (
      const args of [
        ["sing"],
        ["bid", "--cents", "1"],
        ["bid", "--ad", "ad_1", "--cents", "ten"],
        ["me", "--loud"],
        ["bid", "--ad", "ad_1", "--cents", "100", "200"],
        ["watch", "tomorrow"],
        ["ask"],
      ]
    ) {
      const { code, stderr } = await cli.run(args);
      assertEquals([args, code], [args, 2]);
      assertStringIncludes(
        stderr,
        `\`${cli.command} help\` lists the commands`,
      );
    }
    assertStringIncludes((await cli.run([])).stdout, "watch [DAY]");
  },
);
