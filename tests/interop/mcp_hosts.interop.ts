/**
 * Hosts of models go from an address to a standing bid: what their model is
 * shown, what their user is asked, and what a tool tells that was not allowed.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { WORKING_SET } from "../support/working_set.ts";
import { BIDDERS_MANDATE, readyToBid } from "./support/bidder.ts";
import { npmFolder, runNode } from "./support/npm_folder.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

/** What a run of a host prints; see `mcp_hosts/agent.js`. */
interface Ran {
  /** Where the person has to go before the calls can be done. */
  authorizationUrl: string | null;
  /** The tools that the host shows its model. */
  listed: string[];
  /** What each call told the model. */
  told: string[];
  /** What it remembers for the next run. */
  kept: { tokens?: { scope: string } };
}

type Call = [tool: string, given: Record<string, unknown>];

/** A person who uses a host. */
class Person {
  readonly #world: InteropWorld;
  readonly #user: ReturnType<InteropWorld["user"]>;
  readonly #host: string;
  /** What the person was asked for, each time. */
  readonly asked: string[] = [];
  kept: Ran["kept"] = {};
  listed: string[] = [];

  constructor(world: InteropWorld, host: string) {
    this.#world = world;
    this.#host = host;
    this.#user = world.user("ada");
  }

  /** Has the model call tools; answers whatever is asked on the way. */
  async call(...calls: Call[]): Promise<string[]> {
    const folder = await npmFolder("mcp_hosts");
    const { callback, authUrl } = this.#world;
    let code: string | null = null;
    for (let tries = 0; tries < 2; tries++) {
      const ran: Ran = JSON.parse(
        await runNode(folder, "agent.js", {
          host: this.#host,
          url: `${authUrl}/mcp`,
          redirectUri: callback.redirectUri,
          code,
          calls,
          kept: this.kept,
        }),
      );
      this.kept = ran.kept;
      this.listed = ran.listed;
      if (ran.authorizationUrl === null) return ran.told;
      const url = new URL(ran.authorizationUrl);
      this.asked.push(url.searchParams.get("scope") ?? "");
      await this.#user.authorize(url, { mandate: BIDDERS_MANDATE });
      code = callback.take().searchParams.get("code");
    }
    throw new Error("The host asks again and again");
  }
}

/** Hosts, and whether they ask their user when they are told to ask for more. */
const HOSTS = {
  "@ai-sdk/mcp": { asksForMore: false },
  "@langchain/mcp-adapters": { asksForMore: false },
  "@openai/agents": { asksForMore: true },
};

/** Goes from the address to a bid that stands. */
async function placeABid(world: InteropWorld, person: Person): Promise<void> {
  const [account = ""] = await person.call(["get_account", {}]);
  assert(person.listed.includes("place_bid"));
  const { user_id } = JSON.parse(account);
  const { day, ad_id } = await readyToBid(world, user_id);
  const bid = {
    day,
    ad_id,
    amount_cents: 1_000,
    currency: "EUR",
    idempotency_key: "interop-1",
  };
  const [placed = "", own = ""] = await person.call(
    ["place_bid", bid],
    ["list_my_bids", { day }],
  );
  assertEquals(JSON.parse(placed).bidCount, 1, placed);
  assertEquals(JSON.parse(own).bids[0].amount_cents, 1_000, own);
  assertEquals(person.asked, [WORKING_SET]);
}

for (const [host, { asksForMore }] of Object.entries(HOSTS)) {
  Deno.test(`a model in ${host} goes from 401 to a standing bid with one consent, and asks for more or is told what its user has to do`, async () => {
    await inWorld(async (world) => {
      const person = new Person(world, host);
      await placeABid(world, person);
      const [cards = ""] = await person.call(["list_payment_methods", {}]);
      if (asksForMore) {
        assertEquals(JSON.parse(cards).items.length, 1, cards);
      } else {
        assertStringIncludes(
          cards,
          "Cannot do this: the user has not allowed billing:read, so ask " +
            `them to allow it to this agent at ${world.baseUrl}/agents; then, or if they have since, ` +
            "refresh the token and try again",
        );
      }
      assertEquals(person.asked.length, asksForMore ? 2 : 1);
    });
  });
}
