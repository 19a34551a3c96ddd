/**
 * mcp-remote, by which programs that speak over pipes reach a server: it asks
 * the user in a browser, and again when it is told to ask for more.
 */
import { assert, assertEquals } from "@std/assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { WORKING_SET } from "../support/working_set.ts";
import { BIDDERS_MANDATE, readyToBid } from "./support/bidder.ts";
import { npmFolder } from "./support/npm_folder.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

/** It is started under Node, takes a port, and waits for a browser. */
const WITHIN_MS = 60_000;

/** What a tool answered. */
interface Told {
  isError?: boolean;
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  structuredContent?: any;
}

/** The addresses that it asks its user to visit, answered as they come. */
class Visits {
  readonly asked: string[] = [];
  readonly #user: ReturnType<InteropWorld["user"]>;
  #text = "";
  #answers = Promise.resolve();

  constructor(world: InteropWorld) {
    this.#user = world.user("ada");
  }

  /**
   * Reads what it writes for its user. It may name the address before it
   * listens for the answer, which no person is quick enough to notice.
   */
  read(text: string): void {
    this.#text += text;
    const all = (what: RegExp) => [...this.#text.matchAll(what)];
    const addresses = all(/by visiting:\s+(http\S+)\s/g);
    const listening = all(/callback server running/g).length;
    const next = addresses.slice(this.asked.length, listening);
    for (const [, address = ""] of next) {
      const url = new URL(address);
      this.asked.push(url.searchParams.get("scope") ?? "");
      this.#answers = this.#answers.then(async () => {
        await this.#user.authorize(url, { mandate: BIDDERS_MANDATE });
      });
      this.#answers.catch(() => {});
    }
  }

  /** Settles once every question was answered. */
  answered(): Promise<void> {
    return this.#answers;
  }
}

/** Starts it, for the advertiser server. */
function pipeTo(
  { authUrl }: InteropWorld,
  visits: Visits,
  { folder, config }: { folder: string; config: string },
): StdioClientTransport {
  const transport = new StdioClientTransport({
    command: "node",
    args: [
      `${folder}node_modules/mcp-remote/dist/proxy.js`,
      `${authUrl}/mcp`,
      "--allow-http",
    ],
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      MCP_REMOTE_CONFIG_DIR: config,
      // The person is not at this machine's screen.
      BROWSER: "true",
    },
    stderr: "pipe",
  });
  transport.stderr?.on("data", (data: Uint8Array) => {
    visits.read(new TextDecoder().decode(data));
  });
  return transport;
}

Deno.test("a program behind mcp-remote goes from 401 to a standing bid with one consent, and its user is asked for more", async () => {
  await inWorld(async (world) => {
    const folder = await npmFolder("mcp_hosts");
    const config = await Deno.makeTempDir();
    const visits = new Visits(world);
    const transport = pipeTo(world, visits, { folder, config });
    const client = new Client({ name: "interop", version: "1.0.0" });
    const options = { timeout: WITHIN_MS };
    const call = (name: string, given: Record<string, unknown> = {}) =>
      client.callTool(
        { name, arguments: given },
        undefined,
        options,
      ) as Promise<Told>;
    try {
      // deno-lint-ignore no-explicit-any -- it is written for looser optionals
      await client.connect(transport as any, options);
      const { tools } = await client.listTools({}, options);
      assert(tools.some((tool: { name: string }) => tool.name === "place_bid"));
      const account = await call("get_account");
      const { day, ad_id } = await readyToBid(
        world,
        account.structuredContent.user_id,
      );
      const placed = await call("place_bid", {
        day,
        ad_id,
        amount_cents: 1_000,
        currency: "EUR",
        idempotency_key: "interop-1",
      });
      assertEquals(placed.structuredContent.bidCount, 1);
      const own = await call("list_my_bids", { day });
      assertEquals(own.structuredContent.bids[0].amount_cents, 1_000);
      assertEquals(visits.asked, [WORKING_SET]);

      const cards = await call("list_payment_methods");
      assertEquals(cards.structuredContent.items.length, 1);
      const more = visits.asked[1]?.split(" ").toSorted();
      assertEquals(
        more,
        [...WORKING_SET.split(" "), "billing:read"].toSorted(),
      );
      assertEquals(visits.asked.length, 2);
    } finally {
      await client.close();
      await visits.answered();
      await Deno.remove(config, { recursive: true });
    }
  });
});
